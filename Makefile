# `make run` plays, `make test` checks; each starts from a fresh clone and installs what it needs, once.
#
#   make run ARGS='--port 8080'
#   make test PYTEST_ARGS='tests/browser -k undo'
#   make run PYTHON=python3.13
#   make torture MINUTES=10
#   make mutants MODULES='cascade codec'

PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null)
PIP := .venv/bin/python -m pip --quiet --disable-pip-version-check
OLDEST := 3.11

.PHONY: run test lint torture mutants clean

run: .stamps/run
	@.venv/bin/critmass serve $(ARGS)

test: .stamps/dev .stamps/browsers
	@.venv/bin/pytest $(PYTEST_ARGS)

lint: .stamps/dev
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

torture: .stamps/dev
	@.venv/bin/python -m tests.torture --minutes $(or $(MINUTES),60) $(PARTS)

mutants: .stamps/dev
	@.venv/bin/python -m tests.mutants $(MODULES)

clean:
	rm -rf .venv .stamps tests/browser/node_modules

.venv/pyvenv.cfg:
	@rm -rf .venv
ifdef UV
	@uv venv --quiet --seed --python '>=$(OLDEST)' .venv
else
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < tuple(map(int, "$(OLDEST)".split("."))))' || \
	  { echo 'Python $(OLDEST) or newer is needed. Say which: make PYTHON=python3.13 ...' >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }
endif

.stamps/run: pyproject.toml .venv/pyvenv.cfg
ifdef UV
	@uv pip install --quiet --python .venv --editable .
else
	@$(PIP) install --editable .
endif
	@mkdir -p .stamps && touch $@

.stamps/dev: .stamps/run
ifdef UV
	@uv pip install --quiet --python .venv --group dev
else
	@$(PIP) install --upgrade 'pip>=25.1'  # the first to know groups
	@$(PIP) install --group dev
endif
	@touch $@

.stamps/browsers: tests/setup tests/browser/package.json tests/browser/package-lock.json tests/browser/.npmrc
	@tests/setup
	@mkdir -p .stamps && touch $@
