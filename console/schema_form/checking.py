"""Check values against a schema in bounded slices that remember what they have found."""

from __future__ import annotations

from typing import Any, Final

from jsonschema.exceptions import ValidationError
from referencing import Registry

from console.schema_form.formats import FORMAT_CHECKER
from console.schema_form.normalising import Schema
from console.schema_form.progress import PROGRESS, CheckProgress, HopelessError, OutOfStepsError
from console.schema_form.rules import MOST_REMEMBERED, SchemaRules, first_errors

STEPS_OF_A_CHECK: Final = 1_000
"""About as many rules as can be looked at within half a frame."""
_MOST_PATIENCE: Final = 16


class SchemaCheck:
    """Check values against one schema.

    Values must not change in place: parts that were checked once are known by their identity.

    Args:
        root: The normalised schema.
    """

    def __init__(self, root: Schema) -> None:
        self._validator: Any = SchemaRules(root, registry=Registry(), format_checker=FORMAT_CHECKER)
        self._progress = CheckProgress()
        self._patience = 1

    def fits(self, value: Any, part: Any) -> bool:
        """Tell whether a value fits a part of the schema; one that cannot be checked, or not soon, does not.

        Args:
            value: Any JSON value.
            part: As it is written in the normalised schema.
        """
        progress = CheckProgress(STEPS_OF_A_CHECK)
        token = PROGRESS.set(progress)
        try:
            return bool(self._validator.evolve(schema=part).is_valid(value)) and not progress.unfollowed
        except (OutOfStepsError, HopelessError):
            return False
        finally:
            PROGRESS.reset(token)

    @property
    def unfollowed(self) -> str:
        """Return which reference leads nowhere, as far as the last check met one; "" for none."""
        return self._progress.unfollowed

    def errors(self, value: Any, steps: int) -> list[ValidationError]:
        """Return what is wrong with a document; when the steps run out, ask again to go on.

        Args:
            value: The document.
            steps: How many rules may be looked at.

        Raises:
            OutOfStepsError: It is not done yet.
            HopelessError: It never will be.
        """
        progress = self._progress
        if len(progress.finished) + len(progress.referred) > MOST_REMEMBERED and not progress.unfinished:
            progress.finished.clear()
            progress.referred.clear()
        before = progress.reached
        progress.steps = steps * self._patience
        token = PROGRESS.set(progress)
        try:
            found = first_errors(self._validator.iter_errors(value))
        except OutOfStepsError:
            # What gets nowhere in so many steps may need more of them at once; at some point it is hopeless.
            self._patience = 1 if progress.reached > before else self._patience * 2
            if self._patience > _MOST_PATIENCE:
                self._patience = 1
                raise HopelessError from None
            raise
        finally:
            PROGRESS.reset(token)
        self._patience = 1
        progress.unfinished.clear()
        return found
