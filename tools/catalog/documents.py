"""Documents: read, write, convert and search PDF, Word, Excel, EPUB, HTML and Markdown."""

from __future__ import annotations

from tools.catalog.documents_excel import ExcelDocuments
from tools.catalog.documents_pdf import PdfDocuments
from tools.catalog.documents_text import TextDocuments
from tools.catalog.documents_word import WordDocuments
from tools.declare import toolkit


@toolkit("Documents", category="documents", description="Read, write and convert PDF, Word, Excel, EPUB and Markdown.")
class DocumentTools(TextDocuments, PdfDocuments, WordDocuments, ExcelDocuments):
    """Read, write and convert PDF, Word, Excel, EPUB, HTML and Markdown."""
