"""What is wrong with a document, as far as that is known yet."""

from __future__ import annotations

from console.schema_form.effective_schema import EffectiveSchemas
from console.schema_form.normalising import Schema
from console.schema_form.progress import HopelessError, OutOfStepsError
from console.schema_form.state import State
from console.schema_form.unmasking import masking_in, without_secrets
from console.schema_form.validation import ArgumentValidator, FieldError
from tools.masking import Masking


class DocumentCheck:
    """Check the states of one document, a large one in slices.

    Args:
        schema: What the arguments should look like.
        shapes: The same, worked out.
    """

    def __init__(self, schema: Schema, shapes: EffectiveSchemas) -> None:
        self._schema = schema
        self._validator = ArgumentValidator(schema, shapes=shapes)
        self._secrets: tuple[Masking | None] | None = None
        self._found: tuple[FieldError, ...] = ()
        self._is_done = True
        self._is_too_large = False

    @property
    def is_done(self) -> bool:
        """Return whether the last answer was all there is to say."""
        return self._is_done

    @property
    def problem(self) -> str | None:
        """Return why the arguments cannot be checked, or not all of them; None when they can."""
        too_large = "the arguments are too large to check here; the tool checks them" if self._is_too_large else None
        return self._validator.schema_problem or too_large

    @property
    def masking(self) -> Masking | None:
        """Return what hides the secrets of the schema; looking for them takes long, and nobody may ask for the text."""
        if self._secrets is None:
            self._secrets = (masking_in(self._schema),)
        return self._secrets[0]

    def errors(self, state: State) -> tuple[FieldError, ...]:
        """Name all that is wrong; what was known before while it is not done.

        Args:
            state: The document as it is now.
        """
        self._is_done = True
        if state.problem is not None:
            return (FieldError((), str(state.problem)),)
        try:
            found = self._validator.errors(state.value, state.variants)
            self._found = without_secrets(self.masking, found, state.value) if found else ()
            self._is_too_large = False
        except OutOfStepsError:
            self._is_done = False
        except HopelessError:
            self._is_too_large, self._found = True, ()
        drafts = tuple(FieldError(path, draft.message) for path, draft in state.drafts.items())
        return drafts + tuple(error for error in self._found if error.path not in state.drafts)
