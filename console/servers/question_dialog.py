"""What servers ask, as values, and the dialogs that ask it: a form, an address, a text, folders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from console.json_view import TextView
from console.language import tr, tr_count
from console.schema_form import ArgumentsEditor
from console.servers.start_view import WholeText
from console.widgets import Button, IconLabel, TextLabel, WindowDialog, ask_folder, vbox
from tools.mcp.elicitation import (
    Accepted,
    Answer,
    Cancelled,
    Declined,
    FormElicitation,
    Sampled,
    SamplingRequest,
    UrlElicitation,
)

_LONGEST: Final = 2_000
_WEB: Final = frozenset({"http", "https"})
_ROLES: Final = {"system": tr("system"), "user": tr("user"), "assistant": tr("assistant")}
"""Who says something in a conversation, in words."""


class FoldersRequest(NamedTuple):
    """A server wants to know which folders it may work in.

    Attributes:
        folders: What is offered to it at first.
    """

    server: str
    folders: tuple[str, ...]


class SharedPaths(NamedTuple):
    """The folders that a person lets a server know of."""

    paths: tuple[str, ...]


Asked = FormElicitation | UrlElicitation | SamplingRequest | FoldersRequest
ServerAnswer = Answer | Sampled | SharedPaths
"""Closing a question is no refusal: `Cancelled` is not `Declined`."""


def asked_by(asked: FormElicitation | UrlElicitation | SamplingRequest) -> str:
    """Say who asks, and which agent's call it is for."""
    who = tr("{server}, during {tool}", server=asked.server, tool=asked.tool) if asked.tool else asked.server
    kind, _, name = asked.caller.partition(":")
    return tr("{who}, for the agent {name}", who=who, name=name) if kind == "agent" else who


def shortened(text: str) -> str:
    """Give the beginning of a text that is too long to be read in a dialog, and say how much is left out."""
    if len(text) <= _LONGEST:
        return text
    return tr_count(
        len(text) - _LONGEST,
        "{beginning}… (1 more letter)",
        "{beginning}… ({count:,} more letters)",
        beginning=text[:_LONGEST],
    )


def address_parts(url: str) -> tuple[str, str, str, str]:
    """Take an address apart for people.

    Returns:
        What stands before the host, the host as computers read it, what stands behind it, and why one should not go
        there or look twice; the last is empty when nothing is strange. A host with other letters is given in its
        `xn--` form, so that it cannot look like another one.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port
    except ValueError as error:
        return "", "", url, tr("This is no address: {error}.", error=error)
    if parts.scheme.lower() not in _WEB or not host:
        return "", "", url, tr("Only addresses that begin with http:// or https:// are opened.")
    try:
        plain = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError:
        return "", host, url, tr("The host of this address is no valid name.")
    before = f"{parts.scheme}://{'…@' if parts.username is not None else ''}"
    authority = parts.netloc.rpartition("@")[2]
    rest = url[url.index(parts.netloc) + len(parts.netloc) :]
    after = (f":{port}" if port is not None else "") + rest
    warning = ""
    if parts.username is not None:
        warning = tr("A name stands before the host, which can mislead: the address leads to {plain}.", plain=plain)
    elif plain != authority.partition(":")[0].lower() and not authority.startswith("["):
        warning = tr("The host has letters that can look like others: it is {plain}.", plain=plain)
    elif "xn--" in plain:
        warning = tr("The host stands for other letters: {host}.", host=host.encode("ascii").decode("idna"))
    elif parts.scheme.lower() == "http" and host not in {"localhost", "127.0.0.1", "::1"}:
        warning = tr("The connection is not encrypted.")
    return before, plain, after, warning


_WIDTH: Final = 660
_SIDES: Final = 40
_LEAST: Final = 280
_HEIGHT: Final = 640
_MARGIN: Final = 64


class QuestionDialog(WindowDialog):
    """Ask something for a server. Closing it is no refusal: it answers `Cancelled` then.

    Args:
        icon: Name of a shipped icon.
        message: Why, in the server's own words; empty for nothing.

    Signals:
        answered(object): The one answer, a `ServerAnswer`.
    """

    answered = Signal(object)

    def __init__(self, title: str, icon: str, who: str, message: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._is_answered = False
        self.setMinimumWidth(_WIDTH)
        self.body = vbox(spacing=8)
        self.buttons = QHBoxLayout()
        self.buttons.addStretch(1)
        column = vbox(self, margins=(20, 20, 20, 16), spacing=8)
        column.addWidget(TextLabel(title, "title", wrap=True))
        column.addWidget(IconLabel(icon, tr("Asked by the server {who}", who=who), "small", "text2"))
        if message:
            words = TextLabel(shortened(message), "body", wrap=True, selectable=True)
            words.setAccessibleName(tr("What the server says"))
            column.addWidget(words)
        column.addLayout(self.body, 1)
        column.addSpacing(8)
        column.addLayout(self.buttons)
        self.rejected.connect(self._on_rejected)

    def answer(self, answer: ServerAnswer) -> None:
        """Give the answer, and close; a second one is none."""
        if not self._is_answered:
            self._is_answered = True
            self.answered.emit(answer)
            self.accept()

    def withdraw(self) -> None:
        """Close without an answer: nobody needs it any more."""
        self._is_answered = True
        self.reject()

    def add_ends(self, accept: Button, decline: str = tr("Decline")) -> None:
        cancel = Button(tr("Cancel"), large=True, shortcut_hint="Esc")
        self.decline = Button(decline, large=True)
        for button in (accept, self.decline, cancel):
            self.buttons.addWidget(button)
        cancel.clicked.connect(self.reject)
        self.decline.clicked.connect(self._on_decline_clicked)

    def _on_decline_clicked(self) -> None:
        self.answer(Declined())

    def _on_rejected(self) -> None:
        if not self._is_answered:
            self._is_answered = True
            self.answered.emit(Cancelled())


class FormDialog(QuestionDialog):
    """Let a person fill in what a server wants to know."""

    def __init__(self, asked: FormElicitation, parent: QWidget) -> None:
        super().__init__(
            tr("{server} needs an answer", server=asked.server),
            "message-square-text",
            asked_by(asked),
            asked.message,
            parent,
        )
        self.editor = ArgumentsEditor()
        self.editor.set_schema(asked.schema)
        warning = tr("What you enter goes to the server. Never enter passwords, tokens or card numbers here.")
        self.body.addWidget(self.editor, 1)
        self.body.addWidget(TextLabel(warning, "small", "text3", wrap=True))
        self.send = Button(tr("Send answer"), kind="primary", large=True, shortcut_hint="Ctrl+Enter")
        self.add_ends(self.send)
        self.send.clicked.connect(self._on_send_clicked)
        self.editor.submit_requested.connect(self._on_send_clicked)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the room that the form needs, no more than the window has, and begin in its first field."""
        super().showEvent(event)
        if event.spontaneous():
            return
        over = self.parentWidget()
        most = over.window().height() - _MARGIN if over is not None else _HEIGHT
        form = self.editor.form.heightForWidth(_WIDTH - _SIDES)
        rest = self.sizeHint().height() - self.editor.sizeHint().height()
        self.resize(_WIDTH, min(most, max(_LEAST, rest + form)))
        layout = self.layout()
        if layout is not None:
            layout.activate()
        if not self.editor.focus_first():
            self.send.setFocus()

    def _on_send_clicked(self) -> None:
        if not self.editor.reveal_problems():
            self.answer(Accepted(self.editor.value()))


class AddressDialog(QuestionDialog):
    """Show where a server wants a person to go, whole; it is opened only when they say so.

    Signals:
        open_requested(str): The address shall be opened in the browser.
        copy_requested(str): The address shall be put on the clipboard.
    """

    open_requested = Signal(str)
    copy_requested = Signal(str)

    def __init__(self, asked: UrlElicitation, parent: QWidget) -> None:
        super().__init__(
            tr("{server} wants you to open an address", server=asked.server),
            "external-link",
            asked_by(asked),
            asked.message,
            parent,
        )
        self._url = asked.url
        before, host, after, warning = address_parts(asked.url)
        self.address = WholeText()
        self.address.setAccessibleName(tr("Address: {address}", address=f"{before}{host}{after}"))
        self.address.show_parts(((before, ""), (host, "host"), (after, "")))
        self.body.addWidget(TextLabel(tr("The whole address; its host is marked"), "small", "text3"))
        self.body.addWidget(self.address)
        if warning:
            self.body.addWidget(TextLabel(warning, "small", "warn", wrap=True))
        self.body.addStretch(1)
        copy = Button(tr("Copy"), icon="copy", large=True)
        self.buttons.insertWidget(0, copy)
        copy.clicked.connect(self._on_copy_clicked)
        self.open_button = Button(tr("Open in the browser"), icon="external-link", large=True)
        self.open_button.setEnabled(bool(host and before))
        self.add_ends(self.open_button)
        self.open_button.clicked.connect(self._on_open_clicked)
        self.decline.setDefault(True)
        self.decline.setFocus()

    def _on_open_clicked(self) -> None:
        self.open_requested.emit(self._url)
        self.answer(Accepted())

    def _on_copy_clicked(self) -> None:
        self.copy_requested.emit(self._url)


class TextDialog(QuestionDialog):
    """Show what would be sent to a model, and take what is answered in its place."""

    def __init__(self, asked: SamplingRequest, parent: QWidget) -> None:
        super().__init__(
            tr("{server} asks for a model's answer", server=asked.server), "bot", asked_by(asked), "", parent
        )
        self.conversation = TextView()
        self.conversation.set_wrapped(wrapped=True)
        self.conversation.setAccessibleName(tr("Conversation"))
        self.conversation.setMinimumHeight(160)
        said = [("system", asked.system_prompt)] if asked.system_prompt else []
        said += [(str(message.get("role", "")), _text_of(message.get("content"))) for message in asked.messages]
        lines = [f"{_ROLES.get(role, role)}: {text}" for role, text in said]
        self.conversation.set_text("\n\n".join(lines))
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(tr("Answer"))
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(tr("Write what the model would answer"))
        limit = tr(
            "No model is asked by itself. At most {max_tokens:,} tokens are wanted.", max_tokens=asked.max_tokens
        )
        self.body.addWidget(TextLabel(limit, "small", "text2", wrap=True))
        self.body.addWidget(self.conversation, 2)
        self.body.addWidget(TextLabel(tr("Your answer"), "small", "text3"))
        self.body.addWidget(self.text, 1)
        self.send = Button(tr("Send answer"), kind="primary", large=True)
        self.send.setEnabled(False)
        self.add_ends(self.send)
        self.resize(720, 560)
        self.text.textChanged.connect(self._on_text_changed)
        self.send.clicked.connect(self._on_send_clicked)
        self.text.setFocus()

    def _on_text_changed(self) -> None:
        self.send.setEnabled(bool(self.text.toPlainText().strip()))

    def _on_send_clicked(self) -> None:
        self.answer(Sampled(self.text.toPlainText()))


class FoldersDialog(QuestionDialog):
    """Let a person choose the folders that a server may know of."""

    def __init__(self, asked: FoldersRequest, parent: QWidget) -> None:
        super().__init__(
            tr("Which folders may {server} know of?", server=asked.server), "folder-open", asked.server, "", parent
        )
        words = tr("It is told their paths. That alone opens nothing: what its process may read, the system decides.")
        self.folders = QListWidget()
        self.folders.setAccessibleName(tr("Folders"))
        for folder in asked.folders:
            self._add(folder)
        self.body.addWidget(TextLabel(words, "small", "text2", wrap=True))
        self.body.addWidget(self.folders, 1)
        add = Button(tr("Add a folder…"), icon="folder-plus", large=True)
        add.clicked.connect(self._on_add_clicked)
        self.buttons.insertWidget(0, add)
        self.share = Button(tr("Share"), large=True)
        self.add_ends(self.share, tr("Share none"))
        self.share.clicked.connect(self._on_share_clicked)
        self.decline.setDefault(True)
        self.decline.setFocus()

    def chosen(self) -> tuple[str, ...]:
        items = [self.folders.item(place) for place in range(self.folders.count())]
        return tuple(item.text() for item in items if item.checkState() is Qt.CheckState.Checked)

    def _add(self, folder: str) -> None:
        item = QListWidgetItem(folder)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked)
        self.folders.addItem(item)

    def _on_add_clicked(self) -> None:
        ask_folder(self, tr("Add a folder"), "", self._add)

    def _on_share_clicked(self) -> None:
        self.answer(SharedPaths(self.chosen()))


def question_dialog(asked: Asked, window: QWidget) -> QuestionDialog:
    """Return the dialog of a question."""
    match asked:
        case FormElicitation():
            return FormDialog(asked, window)
        case SamplingRequest():
            return TextDialog(asked, window)
        case FoldersRequest():
            return FoldersDialog(asked, window)
        case UrlElicitation():
            return AddressDialog(asked, window)


def _text_of(content: Any) -> str:
    """Give what a message of a conversation says; what is no text is named."""
    if isinstance(content, list):
        return "\n".join(map(_text_of, content))
    if isinstance(content, Mapping):
        kind = content.get("type", "")
        return str(content.get("text", "")) if kind == "text" else f"[{kind}]"
    return "" if content is None else str(content)
