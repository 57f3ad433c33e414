"""Programming languages by the names of files, and how each writes comments."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple


class Language(NamedTuple):
    """A language.

    Attributes:
        line: What begins a comment up to the end of the line.
        blocks: What begins and ends a longer comment.
    """

    name: str
    line: tuple[str, ...] = ()
    blocks: tuple[tuple[str, str], ...] = ()


_C: Final = (("//",), (("/*", "*/"),))
_HASH: Final = (("#",), ())
_XML: Final = ((), (("<!--", "-->"),))

_BY_SUFFIX: Final[dict[str, Language]] = {
    suffix: Language(name, *comments)
    for name, suffixes, comments in (
        ("Python", ".py .pyi .pyw", (("#",), (('"""', '"""'), ("'''", "'''")))),
        ("JavaScript", ".js .mjs .cjs .jsx", _C),
        ("TypeScript", ".ts .tsx .mts .cts", _C),
        ("Java", ".java", _C),
        ("Kotlin", ".kt .kts", _C),
        ("Scala", ".scala .sc", _C),
        ("Groovy", ".groovy .gradle", _C),
        ("C", ".c .h", _C),
        ("C++", ".cc .cpp .cxx .hh .hpp .hxx", _C),
        ("C#", ".cs", _C),
        ("Objective-C", ".m .mm", _C),
        ("Swift", ".swift", _C),
        ("Go", ".go", _C),
        ("Rust", ".rs", _C),
        ("Dart", ".dart", _C),
        ("Zig", ".zig", (("//",), ())),
        ("PHP", ".php", (("//", "#"), (("/*", "*/"),))),
        ("Ruby", ".rb .rake", (("#",), (("=begin", "=end"),))),
        ("Perl", ".pl .pm", (("#",), (("=pod", "=cut"),))),
        ("Shell", ".sh .bash .zsh .fish .ksh", _HASH),
        ("PowerShell", ".ps1 .psm1", (("#",), (("<#", "#>"),))),
        ("R", ".r", _HASH),
        ("Julia", ".jl", (("#",), (("#=", "=#"),))),
        ("Lua", ".lua", (("--",), (("--[[", "]]"),))),
        ("Haskell", ".hs", (("--",), (("{-", "-}"),))),
        ("Elixir", ".ex .exs", _HASH),
        ("Erlang", ".erl .hrl", (("%",), ())),
        ("Clojure", ".clj .cljs .cljc", ((";",), ())),
        ("Lisp", ".lisp .el .scm", ((";",), ())),
        ("OCaml", ".ml .mli", ((), (("(*", "*)"),))),
        ("F#", ".fs .fsx", (("//",), (("(*", "*)"),))),
        ("SQL", ".sql", (("--",), (("/*", "*/"),))),
        ("HTML", ".html .htm", _XML),
        ("XML", ".xml .xsl .xsd .svg .ui .qrc", _XML),
        ("Vue", ".vue", (("//",), (("<!--", "-->"), ("/*", "*/")))),
        ("Svelte", ".svelte", (("//",), (("<!--", "-->"), ("/*", "*/")))),
        ("CSS", ".css", ((), (("/*", "*/"),))),
        ("Sass", ".scss .sass .less", _C),
        ("Protocol Buffers", ".proto", _C),
        ("GraphQL", ".graphql .gql", _HASH),
        ("Terraform", ".tf .tfvars .hcl", (("#", "//"), (("/*", "*/"),))),
        ("Nix", ".nix", (("#",), (("/*", "*/"),))),
        ("YAML", ".yaml .yml", _HASH),
        ("TOML", ".toml", _HASH),
        ("INI", ".ini .cfg .conf .properties", (("#", ";"), ())),
        ("JSON", ".json", ((), ())),
        ("Markdown", ".md .markdown", _XML),
        ("reStructuredText", ".rst", ((), ())),
        ("CMake", ".cmake", _HASH),
        ("Assembly", ".s .asm", ((";", "#"), ())),
    )
    for suffix in suffixes.split()
}
_BY_NAME: Final = {
    "makefile": Language("Make", ("#",)),
    "gnumakefile": Language("Make", ("#",)),
    "dockerfile": Language("Dockerfile", ("#",)),
    "containerfile": Language("Dockerfile", ("#",)),
    "cmakelists.txt": Language("CMake", ("#",)),
    "rakefile": Language("Ruby", ("#",)),
    "gemfile": Language("Ruby", ("#",)),
    "justfile": Language("Just", ("#",)),
}


def language_of(path: Path) -> Language | None:
    """Return the language of a file, told by its name; None when the name says none."""
    return _BY_NAME.get(path.name.lower()) or _BY_SUFFIX.get(path.suffix.lower())


class LineCounts(NamedTuple):
    """The lines of a text.

    Attributes:
        comments: Lines with comments only.
    """

    code: int
    comments: int
    blank: int


def count_lines(text: str, language: Language) -> LineCounts:
    """Count the lines of a text. Marks of comments that stand within strings are taken for comments."""
    code = comments = blank = 0
    closing = ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            blank += 1
        elif closing:
            comments += 1
            if closing in bare:
                closing = ""
        elif bare.startswith(language.line) if language.line else False:
            comments += 1
        elif opened := next((pair for pair in language.blocks if bare.startswith(pair[0])), None):
            comments += 1
            rest = bare[len(opened[0]) :]
            closing = "" if opened[1] in rest else opened[1]
        else:
            code += 1
    return LineCounts(code, comments, blank)
