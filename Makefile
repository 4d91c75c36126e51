# `make run` plays, `make test` checks; each starts from a fresh clone and installs what it needs, once.
#
#   make run ARGS='--port 8080'
#   make test PYTEST_ARGS='tests/browser -k undo'
#   make run PYTHON=python3.13
#   make torture MINUTES=10
#   make mutants MODULES='cascade codec'
#   make check             lint, types, import floors and the tests that need no browser, in about a minute or two
#   make format            puts the code into the one form that `make check` asks for
#
# What is installed is what the lock files say, to the byte. `make lock` writes them anew after a change of
# pyproject.toml, as far as that asks for it; `make lock LOCK_ARGS=--upgrade` takes the newest of everything.
# `make release` checks, builds twice, compares, and leaves what is to be published in dist/.

PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null)
PIP := .venv/bin/python -m pip --quiet --disable-pip-version-check
OLDEST := 3.11
# The tests of rules, links, forms and the command line: no browser, no server, no bot.
UNIT := tests/engine tests/drawing tests/test_links.py tests/test_links_for_ever.py tests/test_notation.py \
  tests/test_summaries.py tests/test_words.py tests/web/test_representations.py tests/web/test_bad_links.py \
  tests/web/test_names.py tests/web/test_match_page.py

LOCK := $(if $(UV),$(UV),.stamps/uv/bin/uv) pip compile --quiet --universal --python-version $(OLDEST) --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command 'make lock' $(LOCK_ARGS)

.PHONY: run test check format lint torture mutants lock release clean

run: .stamps/run
	@.venv/bin/critmass serve $(ARGS)

test: .stamps/dev .stamps/browsers
	@.venv/bin/pytest $(PYTEST_ARGS)

lint: .stamps/dev
	@.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy && .venv/bin/lint-imports

check: lint
	@.venv/bin/pytest $(UNIT) $(PYTEST_ARGS)

format: .stamps/dev
	@.venv/bin/ruff check --fix --exit-zero --quiet . && .venv/bin/ruff format .

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

.stamps/run: pyproject.toml requirements.lock requirements-build.lock .venv/pyvenv.cfg
ifdef UV
	@uv pip install --quiet --python .venv --require-hashes -r requirements.lock -r requirements-build.lock
	@uv pip install --quiet --python .venv --no-deps --no-build-isolation --editable .
else
	@$(PIP) install --require-hashes -r requirements.lock -r requirements-build.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
endif
	@mkdir -p .stamps && touch $@

.stamps/dev: .stamps/run requirements-dev.lock
ifdef UV
	@uv pip install --quiet --python .venv --require-hashes -r requirements-dev.lock
else
	@$(PIP) install --require-hashes -r requirements-dev.lock
endif
	@touch $@

lock: $(if $(UV),,.stamps/uv/bin/uv)
	@$(LOCK) pyproject.toml --group dev --output-file requirements-dev.lock
	@$(LOCK) pyproject.toml --constraint requirements-dev.lock --output-file requirements.lock
	@$(LOCK) --group build --constraint requirements-dev.lock --output-file requirements-build.lock

.stamps/uv/bin/uv:
	@$(PYTHON) -m venv .stamps/uv
	@.stamps/uv/bin/python -m pip --quiet --disable-pip-version-check install uv

release: test
	@.venv/bin/python tools/release.py

.stamps/browsers: tests/setup tests/browser/package.json tests/browser/package-lock.json tests/browser/.npmrc
	@tests/setup
	@mkdir -p .stamps && touch $@
