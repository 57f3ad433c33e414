# Every target prepares what it needs from nothing and is quick when nothing changed.
SHELL := /bin/sh
PY := .venv/bin/python
BOOTSTRAP := PYTHON="$(PYTHON)" packaging/bootstrap
# A lock names packages, versions and hashes: no registry, no path. UV_/PIP_ settings of a machine stay out of it.
COMPILE := env -u UV_INDEX -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS .venv/bin/uv pip compile pyproject.toml \
	--universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-config --quiet

# A quarter of the tests' time is waiting for programs, so there are more processes than processors.
TEST_PROCESSES := $(shell echo "$$(getconf _NPROCESSORS_ONLN)" | awk '{ n = int($$1 * 3 / 2); print (n < 2 ? 2 : n > 8 ? 8 : n) }')

# Machines for containers often keep Python from writing what it compiled. Here that would cost every program that a test
# starts a second, and half of the tests' time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test lint types style platforms shots fuzz monkey bench reference lock catalogue notices translations folder wheel dist try-installers recipes clean

help:
	@echo "make run        open the console"
	@echo "make test       linters, types, contracts, tests"
	@echo "make shots      a picture of every screen in build/shots, no display needed"
	@echo "make fuzz       the built-in tools with many drawn arguments"
	@echo "make monkey     the window used at random: 100,000 events (SEED=n does again what that seed did)"
	@echo "make bench      our speed beside other frameworks, as ratios"
	@echo "make dist       what people install: archive, Debian package, single file and wheel, in dist"
	@echo "make folder     only the one-folder application, in dist/tool-console"
	@echo "make try-installers  install each of these on a bare system and use it there (root on Debian; minutes)"
	@echo "make recipes    linters of workflows, scripts and metadata that nothing here runs"
	@echo "make platforms  the types as Windows and macOS would have them"
	@echo "make reference  rewrite tests/reference.md from the tests' markers"
	@echo "make lock       resolve the dependencies anew"
	@echo "make catalogue  write down built-in tools, commands and decorators, after a change of one"
	@echo "make translations  collect the words of the window for translators, and compile what they wrote"
	@echo "make notices    rewrite the notices of what we ship"
	@echo "make clean      remove what was built (the virtual environments stay)"

run:
	@if [ "$$(uname -s)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		echo "No window can open here: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it in a desktop session, or run 'make shots' to get a picture of every screen." >&2; \
		exit 1; \
	fi
	@$(BOOTSTRAP) window
	@$(PY) -m console

lint:
	@$(BOOTSTRAP) env
	@$(MAKE) --no-print-directory -j2 --output-sync=target types style

# The types take as long as everything else together.
types:
	$(PY) -m mypy

style:
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	.venv/bin/lint-imports
	$(PY) packaging/unused.py

test: lint
	@$(BOOTSTRAP) test
	QT_QPA_PLATFORM=offscreen $(PY) -m pytest -n $(TEST_PROCESSES)

shots:
	@$(BOOTSTRAP) offscreen
	QT_QPA_PLATFORM=offscreen $(PY) -m tests.shots

fuzz:
	@$(BOOTSTRAP) test
	TOOL_CONSOLE_CATALOG_CALLS=100 QT_QPA_PLATFORM=offscreen $(PY) -m pytest tests/tools/catalog -k any_arguments

monkey:
	@$(BOOTSTRAP) offscreen
	QT_QPA_PLATFORM=$${QT_QPA_PLATFORM:-offscreen} $(PY) -m tests.monkey $(if $(SEED),--seed $(SEED)) $(if $(EVENTS),--events $(EVENTS))

bench:
	@$(BOOTSTRAP) offscreen
	@$(BOOTSTRAP) bench
	QT_QPA_PLATFORM=offscreen .venv-bench/bin/python -m tests.benchmarks

reference:
	@$(BOOTSTRAP) env
	$(PY) -m tests.reference

lock:
	@$(BOOTSTRAP) env
	$(COMPILE) --upgrade --extra dev --output-file packaging/requirements.lock
	$(COMPILE) --upgrade --extra bench --constraints packaging/requirements.lock --output-file packaging/bench.lock

catalogue:
	@$(BOOTSTRAP) env
	$(PY) packaging/catalogue.py

translations:
	@$(BOOTSTRAP) env
	$(PY) packaging/translations.py

notices:
	@$(BOOTSTRAP) env
	$(PY) packaging/notices.py

folder:
	@$(BOOTSTRAP) build
	$(PY) -m PyInstaller --noconfirm --clean --log-level WARN --distpath dist --workpath build/pyinstaller packaging/tool-console.spec

# A wheel takes whatever lies in build/lib, also modules that are gone. Of one commit it always has the same bytes.
wheel:
	@$(BOOTSTRAP) env
	rm -rf build/lib build/bdist.*
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} \
		.venv/bin/uv build --wheel --quiet --no-build-isolation --python $(PY) --out-dir dist

dist: folder wheel
	$(PY) packaging/installers.py

try-installers:
	@$(BOOTSTRAP) installers
	.ci/screen $(PY) -m pytest -m installers tests/end2end

# Each system has types of its own for what only it knows; what is shared with the others is looked at again.
platforms:
	@$(BOOTSTRAP) env
	$(PY) -m mypy --platform win32 --cache-dir .mypy_cache/win32 tools console resources packaging
	$(PY) -m mypy --platform darwin --cache-dir .mypy_cache/darwin tools console resources packaging

recipes:
	@$(BOOTSTRAP) env
	packaging/recipes

clean:
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
