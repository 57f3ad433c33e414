"""Which model a command asks: the options that name it, and what answers on this computer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.cli.streams import UsageError, wants_json
from tools.models.budget import Prices
from tools.models.providers import MODEL_PROVIDERS, find_local, new_client, reach
from tools.models.scripted import NO_MODEL, NoModel

if TYPE_CHECKING:
    from tools.models.port import ModelProvider


class ModelChoice(NamedTuple):
    """The model that a conversation was held with.

    Attributes:
        provider: The provider's name.
        model: The model, as its provider names it.
        address: Where the provider is; empty for its usual address.
    """

    provider: str
    model: str
    address: str


def add_provider_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say who has a model."""
    parser.add_argument("--provider", metavar="NAME", help="who has it; none reads YAML (default: what answers here)")
    parser.add_argument("--address", default="", metavar="URL", help="where the provider is, such as https://host/v1")
    parser.add_argument(
        "--key", default="", metavar="VARIABLE", help="the variable or entry of the keyring with its key"
    )
    parser.add_argument("--prices", metavar="IN/OUT", help="what a million tokens cost, read and written, such as 3/15")


def prices_of(options: argparse.Namespace) -> Prices | None:
    """Return what `--prices` says; None when it says nothing.

    Raises:
        UsageError: It is not two amounts.
    """
    if options.prices is None:
        return None
    try:
        read, written = map(float, options.prices.split("/"))
        if not (0 <= read < inf and 0 <= written < inf):
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--prices: expected two amounts for a million tokens, such as 3/15, got {options.prices!r}"
        ) from None
    return Prices(read, written)


def number_from(least: int) -> Callable[[str], int]:
    """Return what reads a whole number of an option, which is never smaller than the least."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"expected a whole number from {least} on, got {text!r}")
        return number

    return read


@asynccontextmanager
async def reached(
    options: argparse.Namespace, model: str | None, former: ModelChoice | None = None, *, only_list: bool = False
) -> AsyncIterator[tuple[ModelProvider, str] | None]:
    """Yield a provider and its model; None when the models were only listed.

    Args:
        options: Those of `add_provider_options`.
        model: The model that is named; None for the former one.
        former: The model of a conversation that goes on.

    Raises:
        UsageError: No model is chosen, or there is no such provider.
    """
    name = options.provider or ("compatible" if options.address else "")
    if not name and former is not None and former.provider in {*MODEL_PROVIDERS, NO_MODEL}:
        name = former.provider
    model = model or ("" if former is None else former.model)
    if not name:
        async with new_client() as client:
            name = await _found_here(options, client, model, only_list=only_list)
    if not name:
        yield None
        return
    if name == NO_MODEL:
        yield NoModel(), NO_MODEL
        return
    if name not in MODEL_PROVIDERS:
        raise UsageError(f"--provider: expected one of {', '.join(MODEL_PROVIDERS)}, got {name!r}")
    known = MODEL_PROVIDERS[name]
    address = options.address or ("" if former is None or former.provider != name else former.address)
    async with new_client() as client:
        provider = reach(known, client, address, options.key)
        if only_list or not model:
            _print_models({name: await provider.models()}, options, only_list=only_list)
            if not only_list:
                raise UsageError(f"no model is chosen: name one with --model; {known.title} has those above")
            yield None
            return
        yield provider, model


async def _found_here(options: argparse.Namespace, client: Any, model: str, *, only_list: bool) -> str:
    """Return the provider on this computer that has a model; empty when the models were only listed."""
    found = await find_local(client)
    having = [each.provider.name for each in found if model in each.models]
    if having and not only_list:
        return having[0]
    _print_models({each.provider.name: each.models for each in found}, options, only_list=only_list)
    if only_list and found:
        return ""
    if not found:
        raise UsageError(
            "no model is chosen, and none answers on this computer (Ollama, llama.cpp, LM Studio);"
            " start one, or name --provider and --model"
        )
    wanted = f"none of those above is called {model!r}" if model else "name one of those above with --model"
    raise UsageError(f"no model is chosen: {wanted}, or another --provider")


def _print_models(models: Mapping[str, Sequence[str]], options: argparse.Namespace, *, only_list: bool) -> None:
    if wants_json(options) and only_list:
        print(json.dumps({name: list(names) for name, names in models.items()}, indent=2, ensure_ascii=False))
        return
    for provider, names in models.items():
        for name in names:
            print(f"--provider {provider} --model {name}", file=sys.stdout if only_list else sys.stderr)
