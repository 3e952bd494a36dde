# make run | test | quick | slow | check | format | bench | lock | clean
HOST ?= 127.0.0.1
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# Whole files go to one of three processes, so that what a file sets up is set up once; the longest
# files come first (tests/slow.txt), so that both end at about the same time.
PYTEST := $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder
export PYTHONPATH := $(CURDIR)

.PHONY: run test quick slow check format bench lock clean

run: $(VENV)/.app
	@$(BIN)/python -m streamlit run streamlit_app.py --server.address=$(HOST) --server.port=$(PORT) \
	  --server.headless=true --browser.gatherUsageStats=false

test: $(VENV)/.dev
	@tools/find_bubblewrap.sh >/dev/null
	@CHROMIUM="$$(tools/find_chromium.sh $(BIN)/python)" $(PYTEST)

quick: $(VENV)/.dev
	@$(PYTEST) -m "not browser and not slow"

# Runs all tests and writes down which of them `make quick` leaves out.
slow: $(VENV)/.dev
	@CHROMIUM="$$(tools/find_chromium.sh $(BIN)/python)" $(PYTEST) --junitxml=build/tests.xml
	$(BIN)/python -m tests.find_slow build/tests.xml

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/ty check playground
	$(BIN)/python -m pytest tests/test_house.py

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

$(VENV)/bin/python: .python-version
	@python=$$(tools/find_python.sh) && "$$python" -m venv $(VENV) && touch $@

$(VENV)/.app: $(VENV)/bin/python requirements.txt constraints.txt
	@echo "Installing what the app needs (once) ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.app requirements-dev.txt
	@echo "Installing what the tests need (once) ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@

# Writes the newest versions that satisfy both requirement files; run `make test` afterwards.
lock:
	@python=$$(tools/find_python.sh) && fresh=$$(mktemp -d) && "$$python" -m venv "$$fresh" && \
	"$$fresh/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements.txt -r requirements-dev.txt && \
	{ echo "# Versions that were tested together; renewed by 'make lock'."; \
	  "$$fresh/bin/python" -m pip freeze --exclude pip; } > constraints.txt && rm -r "$$fresh"

clean:
	rm -rf $(VENV) build .pytest_cache .ruff_cache .hypothesis
