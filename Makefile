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

.PHONY: help run test lint types style shots fuzz bench reference lock catalogue notices dist clean

help:
	@echo "make run        open the console"
	@echo "make test       linters, types, contracts, tests"
	@echo "make shots      a picture of every screen in build/shots, no display needed"
	@echo "make fuzz       the built-in tools with many drawn arguments"
	@echo "make bench      our speed beside other frameworks, as ratios"
	@echo "make dist       the one-folder application in dist/tool-console"
	@echo "make reference  rewrite tests/reference.md from the tests' markers"
	@echo "make lock       resolve the dependencies anew"
	@echo "make catalogue  write down the built-in tools, after a change of one"
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

notices:
	@$(BOOTSTRAP) env
	$(PY) packaging/notices.py

dist:
	@$(BOOTSTRAP) offscreen
	$(PY) -m PyInstaller --noconfirm --clean --log-level WARN --distpath dist --workpath build/pyinstaller packaging/tool-console.spec

clean:
	rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
