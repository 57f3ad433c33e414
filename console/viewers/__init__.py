"""Show a result in any form that fits it: tree, table, page, picture, text, source, bytes.

Whoever puts a `ContentView` on a page gives it a `ContentPresenter` as well: the view only shows what the presenter
prepares away from the window's thread.
"""

from console.viewers.content_view import ContentView
from console.viewers.forms import Content, ContentKind, ResultForm, file_content, first_look, suffix_of
from console.viewers.presenter import ContentPresenter

__all__ = [
    "Content",
    "ContentKind",
    "ContentPresenter",
    "ContentView",
    "ResultForm",
    "file_content",
    "first_look",
    "suffix_of",
]
