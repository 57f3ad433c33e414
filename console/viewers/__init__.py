"""Show a result in any form that fits it: tree, table, page, picture, text, source, bytes.

Whoever puts a `ContentView` on a page gives it a `ContentPresenter` as well: the view only shows what the presenter
prepares away from the window's thread.
"""

from console.viewers.content_view import ContentView
from console.viewers.presenter import ContentPresenter
from console.viewers.representations import Content, ContentKind, Representation, file_content, first_look, suffix_of

__all__ = [
    "Content",
    "ContentKind",
    "ContentPresenter",
    "ContentView",
    "Representation",
    "file_content",
    "first_look",
    "suffix_of",
]
