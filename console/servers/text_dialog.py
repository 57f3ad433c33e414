"""A server wants a language model's answer: read the conversation, write the answer, or decline."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from console.json_view import TextView
from console.servers.question_dialog import QuestionDialog
from console.servers.questions import ServerAnswer, TextAsked, asked_by
from console.widgets import Button, TextLabel


class TextDialog(QuestionDialog):
    """Show what would be sent to a model, and take what is answered in its place.

    Args:
        asked: The question.
        parent: The window it stands over.
    """

    def __init__(self, asked: TextAsked, parent: QWidget) -> None:
        super().__init__(
            f"{asked.server} asks for a model's answer", "bot", asked_by(asked.server, asked.tool), "", parent
        )
        self.conversation = TextView()
        self.conversation.set_wrapped(wrapped=True)
        self.conversation.setAccessibleName("Conversation")
        self.conversation.setMinimumHeight(160)
        lines = [f"system: {asked.system_prompt}"] if asked.system_prompt else []
        lines += [f"{role}: {text}" for role, text in asked.messages]
        self.conversation.set_text("\n\n".join(lines))
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Answer")
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText("Write what the model would answer")
        limit = f"No model is asked by itself. At most {asked.most_tokens:,} tokens are wanted."
        self.body.addWidget(TextLabel(limit, "small", "text2", wrap=True))
        self.body.addWidget(self.conversation, 2)
        self.body.addWidget(TextLabel("Your answer", "small", "text3"))
        self.body.addWidget(self.text, 1)
        self.send = Button("Send answer", kind="primary", large=True)
        self.send.setEnabled(False)
        self.add_ends(self.send)
        self.resize(720, 560)
        self.text.textChanged.connect(self._on_text_changed)
        self.send.clicked.connect(self._on_send_clicked)
        self.text.setFocus()

    def _on_text_changed(self) -> None:
        self.send.setEnabled(bool(self.text.toPlainText().strip()))

    def _on_send_clicked(self) -> None:
        self.answer(ServerAnswer("accepted", text=self.text.toPlainText()))
