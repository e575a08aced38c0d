# make run       set up if needed, build the 442 -> 128 sample table if absent, open the window on it
# make test      set up if needed, run the tests without a display, in minutes (ARGS="-k cli -x")
# make test-rest the thorough ones that make test leaves out: more cases, and tests that take long
# make test-all  all, also kills by the dozen and tables of millions of boards
# make check     set up if needed, run ruff, mypy, the contracts of who imports whom, the words of names
# make messages  collect the texts of the program into engine/platform/languages, and compile those
# make package   make dist/endgame2048/, the program with Python inside, for this system
# make deb       the same as a package of Debian, in dist/
# make documents write docs/settings.md, and the players in docs/benchmarks.md, from their tables
# make site      build/site/, the documentation with a reference of the Python package
# make clean     remove what set-up made; tables are kept
#
# Only Python >= 3.10 and pip are needed; everything is installed into .venv/ of this folder.

PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
# Translations are compiled when the program is installed.
CATALOGUES := $(wildcard engine/platform/languages/*.po)
RUN_READY := .venv/.ready-to-run
TEST_READY := .venv/.ready-to-test
PACKAGE_READY := .venv/.ready-to-package
SITE_READY := .venv/.ready-for-the-site

# Python starts hundreds of times in the tests: without its compiled files each start takes twice as
# long, also where the environment asks for none (as images of containers do).
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-rest test-all check messages documents site package deb setup clean

run: $(RUN_READY)
	@if [ "$$(uname -s)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
		echo "There is no display here: playing the demo in the terminal instead of opening the window."; \
		$(PY) main.py demo; \
	else \
		$(PY) main.py build 442 128 && $(PY) main.py --table 442_128; \
	fi

test test-rest test-all: $(TEST_READY)
	QT_QPA_PLATFORM=offscreen $(PY) -m pytest $(CHOSEN) -n logical --maxprocesses 4 --dist loadfile --max-worker-restart 0 $(ARGS)

test: CHOSEN := -m "not slow and not thorough"
test-rest: CHOSEN := -m "thorough and not slow"

check: $(TEST_READY)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(BIN)/lint-imports --no-logo
	$(PY) .ci/names.py

messages: $(TEST_READY)
	$(PY) .ci/catalogues.py

package: $(PACKAGE_READY)
	$(PY) .ci/package/make.py folder

deb: $(PACKAGE_READY)
	$(PY) .ci/package/make.py deb

documents: $(TEST_READY)
	$(PY) .ci/settings_document.py
	$(PY) .ci/standings_document.py

site: $(SITE_READY)
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet --config-file .ci/mkdocs.yml
	@echo "The documentation is in build/site/index.html"

setup: $(TEST_READY)

# Some systems ship Python without the part that puts pip into a venv: then the pip outside does it.
$(PY):
	@echo "Setting up .venv ..."
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 10) and 'Python 3.10 or newer is needed')"
	@$(PYTHON) -m venv .venv || { \
		$(PYTHON) -m venv --clear --without-pip .venv && \
		$(PYTHON) -m pip --python $(PY) install --quiet pip; } || { rm -rf .venv; exit 1; }

$(RUN_READY): pyproject.toml $(CATALOGUES) | $(PY)
	@echo "Installing the program's dependencies ..."
	@$(PIP) install --editable .
	@touch $@

$(TEST_READY): pyproject.toml $(CATALOGUES) | $(PY)
	@echo "Installing the program's dependencies and the tools for its tests ..."
	@$(PIP) install --editable ".[test]"
	@touch $(RUN_READY) $@

$(PACKAGE_READY): pyproject.toml $(CATALOGUES) | $(PY)
	@echo "Installing the program's dependencies and the tools for its packages ..."
	@$(PIP) install --editable ".[package]"
	@touch $(RUN_READY) $@

$(SITE_READY): pyproject.toml | $(PY)
	@echo "Installing the program and the tools for its documentation ..."
	@$(PIP) install --editable ".[docs,gym]"
	@touch $@

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
