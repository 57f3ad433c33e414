"""Small real documents of every kind, for the tools that read them."""

from __future__ import annotations

import io
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import docx
import duckdb
import openpyxl
import pypdf
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, NumberObject, TextStringObject

CHAPTER = "<html><body><h1>{title}</h1><p>It is <b>{number}</b>.</p></body></html>"


def pdf_of(*pages: str, fields: tuple[str, ...] = (), password: str = "") -> bytes:
    """Return a PDF with a line of text on each page."""
    writer = pypdf.PdfWriter()
    for number, text in enumerate(pages):
        page = writer.add_blank_page(612, 792)
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
        writer.add_outline_item(title=f"Part {number + 1}", page_number=number)
        if number == 0 and fields:
            _add_fields(writer, page, fields)
    writer.add_metadata({"/Title": "A report", "/Author": "Mira"})
    if password:
        writer.encrypt(password)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _add_fields(writer: Any, page: Any, names: tuple[str, ...]) -> None:
    fields = ArrayObject()
    for place, name in enumerate(names):
        low = 600 - 40 * place
        field = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Annot"),
                NameObject("/Subtype"): NameObject("/Widget"),
                NameObject("/FT"): NameObject("/Tx"),
                NameObject("/T"): TextStringObject(name),
                NameObject("/DA"): TextStringObject("/Helv 12 Tf 0 g"),
                NameObject("/Rect"): ArrayObject(map(NumberObject, (72, low, 300, low + 20))),
            }
        )
        fields.append(writer._add_object(field))
    page[NameObject("/Annots")] = fields
    writer._root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): fields})


def docx_bytes() -> bytes:
    document = docx.Document()
    document.core_properties.title = "A letter"
    document.add_heading("Dear Mira", 1)
    paragraph = document.add_paragraph("This is ")
    paragraph.add_run("very").bold = True
    paragraph.add_run(" good, Mi")
    paragraph.add_run("ra.").italic = True
    document.add_paragraph("First", style="List Bullet")
    document.add_paragraph("Second", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for place, text in enumerate(("Name", "Age", "Mira", "41")):
        table.cell(place // 2, place % 2).text = text
    document.sections[0].footer.paragraphs[0].text = "To Mira"
    return _saved(document)


def xlsx_bytes() -> bytes:
    workbook = openpyxl.Workbook()
    sheet: Any = workbook.active
    sheet.title = "Costs"
    for row in (
        ["what", "amount", "double"],
        ["Rent", 900, "=B2*2"],
        ["Food", 450.5, None],
        [None, None, None],
        ["Fun", 75, True],
    ):
        sheet.append(row)
    workbook.create_sheet("Notes").sheet_state = "hidden"
    return _saved(workbook)


def epub_bytes() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        )
        items = "".join(
            f'<item id="c{n}" href="chapter%20{n}.xhtml" media-type="application/xhtml+xml"/>' for n in (1, 2)
        )
        package.writestr(
            "OPS/book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            "<dc:title>A book</dc:title><dc:creator>Jo</dc:creator><dc:language>en</dc:language></metadata>"
            f'<manifest>{items}</manifest><spine><itemref idref="c1"/><itemref idref="c2"/></spine></package>',
        )
        for number, title in ((1, "One"), (2, "Two")):
            package.writestr(f"OPS/chapter {number}.xhtml", CHAPTER.format(title=title, number=number))
    return out.getvalue()


def _saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@lru_cache(maxsize=1)
def _documents() -> dict[str, bytes]:
    return {
        "docs/report.pdf": pdf_of("The first page", "The licence of Mira", "The last page"),
        "docs/form.pdf": pdf_of("A form", fields=("name", "town")),
        "docs/letter.docx": docx_bytes(),
        "docs/book.epub": epub_bytes(),
        "docs/page.html": b"<h1>Page</h1><p>Read <a href='/more'>more</a>.</p>",
        "data/budget.xlsx": xlsx_bytes(),
        "data/people.json": b'[{"customer": "Mira", "town": "Ulm"}, {"customer": "Jo", "town": "Bonn"}]\n',
        "data/settings.yaml": b"# the server\nserver:\n  port: 80  # usual\n  debug: true\ntags:\n  - old\n",
    }


def add_documents(project: Path) -> Path:
    """Put a document of each kind into the sample project."""
    for name, content in _documents().items():
        (project / name).write_bytes(content)
    with duckdb.connect() as database:
        database.execute(f"COPY (SELECT 1 AS id, 'a' AS name) TO '{project / 'data/orders.parquet'}' (FORMAT parquet)")
    return project
