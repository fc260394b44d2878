# Two commands do everything: `make` (set up and play on the simulated table) and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A Raspberry Pi brings lgpio, picamera2 and libcamera as system packages; elsewhere the venv is clean.
SITE := $(if $(wildcard /proc/device-tree/model),--system-site-packages,)

.PHONY: run venv dev test test-deploy lint bench wheels clean
.DEFAULT_GOAL := run

run: venv
	$(BIN)/companion run --sim $(if $(PORT),--port $(PORT),)

venv: $(VENV)/.run
dev: $(VENV)/.dev

$(VENV)/bin/python:
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
	  echo "python3-venv is missing. Install it:  sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(SITE) $(VENV)

$(VENV)/.run: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.run
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

test: dev
	$(BIN)/python -m pytest

# Minutes, root, and the network: wheels for a Pi; install, hang, kill, uninstall in Debian 12 and 13 of their own.
test-deploy: dev
	$(BIN)/python -m pytest -m deploy -rs -s tests/deploy

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every bench-NAME prints a table and writes build/bench/NAME.json.
bench: bench-crank bench-frames bench-kill

bench-%: dev
	$(BIN)/python -m tests.bench $* $(if $(QUICK),--quick,)

# These run beside other readers. QUICK=1 takes fewer pictures.
bench-reader bench-photos: $(VENV)/.peers

$(VENV)/.peers: $(VENV)/.dev
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[peers]'
	@touch $@

# Everything a table needs, to be installed without internet: make wheels [FOR=3.13-aarch64]
FOR ?= $(shell $(PYTHON) -c 'import sys, platform; print(f"{sys.version_info[0]}.{sys.version_info[1]}-{platform.machine()}")')
wheels: venv
	rm -rf deploy/wheels && mkdir -p deploy/wheels
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir deploy/wheels .
	$(BIN)/python deploy/wheels.py $(FOR) deploy/wheels

clean:
	rm -rf $(VENV) build *.egg-info
