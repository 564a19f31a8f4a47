# SPDX-License-Identifier: MIT
# The front door.  CMake and Ninja do the work, in ./build; tools/setup installs
# the Debian packages that are missing.
BUILD ?= build
PREFIX ?= /usr/local
# Whether assertions that walk over data structures are compiled in.
CHECKS ?= OFF

# What make tells its children must not reach the builds that the tests start.
CLEAN_ENV = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES

.PHONY: all build demo test test-real soak soak-exitblock soak-calls soak-compressor bench scoreboard noise guided install lint fuzz \
	clean build-packages test-packages real-packages bench-packages

all: build

build: build-packages
	@cmake -S . -B $(BUILD) -G Ninja -DPL_CHECKS=$(CHECKS)
	@cmake --build $(BUILD)

demo: build
	@$(CLEAN_ENV) sh tools/demo.sh $(BUILD)

test test-real soak soak-exitblock soak-calls: CHECKS = ON

test: test-packages build
	@$(CLEAN_ENV) sh tests/run.sh $(BUILD)

# Whole programs from Debian's sources, for longer than `make test` has time for (docs/real-programs.md).
test-real: real-packages build
	@$(CLEAN_ENV) ctest --test-dir $(BUILD) --output-on-failure -C real -L real

# Generated programs: every strategy against brute force.  Goes on where it was interrupted;
# SEEDS=a-b takes others, FRESH=1 begins again.  soak-exitblock has programs that keep a discipline.
SEEDS ?= 1-10000
soak-exitblock: SEEDS = 1-5000
soak: test-packages build
	@mkdir -p $(BUILD)/soak
	@$(if $(FRESH),rm -f $(BUILD)/soak/$(SEEDS))
	@$(CLEAN_ENV) python3 -B tests/generated/check_steps.py --plait $(BUILD)/bin/plait \
		--enumerate $(BUILD)/tests/generated/enumerate --seeds $(SEEDS) --jobs 2 --interleavings 3000 \
		--keep $(BUILD)/soak --resume $(BUILD)/soak/$(SEEDS)

soak-exitblock: test-packages build
	@mkdir -p $(BUILD)/soak
	@$(if $(FRESH),rm -f $(BUILD)/soak/exitblock-$(SEEDS))
	@$(CLEAN_ENV) python3 -B tests/generated/check_exitblock.py --plait $(BUILD)/bin/plait \
		--model $(BUILD)/tests/generated/exitblock --enumerate $(BUILD)/tests/generated/enumerate \
		--seeds $(SEEDS) --jobs 2 --keep $(BUILD)/soak --resume $(BUILD)/soak/exitblock-$(SEEDS)
	@$(CLEAN_ENV) python3 -B tests/generated/check_performance.py --plait $(BUILD)/bin/plait --seconds 5 -v

# Programs that call the system and the library: searches against each other and against native runs.
# FEATURES=a,b takes programs with these only.
soak-calls: test-packages build
	@mkdir -p $(BUILD)/soak
	@$(if $(FRESH),rm -f $(BUILD)/soak/calls-$(SEEDS))
	@$(CLEAN_ENV) python3 -B tests/generated/check_calls.py --plait $(BUILD)/bin/plait --seeds $(SEEDS) --jobs $$((4 * $$(nproc))) \
		$(if $(FEATURES),--features $(FEATURES)) --executions 4000 --runs 50 --keep $(BUILD)/soak --resume $(BUILD)/soak/calls-$(SEEDS)

# A whole program under noise for SECONDS, then with bugs to be found; PACKAGE=pbzip2 takes the other one.
PACKAGE ?= pigz
SECONDS ?= 300
soak-compressor: test-packages build
	@$(CLEAN_ENV) python3 -B tests/system/compressor.py $(BUILD) $(BUILD)/sources --package $(PACKAGE) \
		--time $(SECONDS) --replays 100

# SHORT=1 takes two minutes; UPDATE=1 puts the table into docs/performance.md.
bench: bench-packages build
	@$(CLEAN_ENV) sh bench/run.sh $(BUILD) $(if $(SHORT),--short) $(if $(UPDATE),--update-docs)

# SHORT=1 takes fewer seeds; UPDATE=1 puts the tables into docs/scoreboard.md.
scoreboard: bench-packages build
	@$(CLEAN_ENV) python3 -B bench/scoreboard/run.py $(BUILD) $(if $(SHORT),--short) \
		$(if $(UPDATE),--update-docs) $(if $(STRATEGIES),--strategies $(STRATEGIES))

# What noise finds, costs and saves; EXECUTIONS=n of each experiment; UPDATE=1 puts the tables into docs/noise.md.
# Each part goes on when another has missed a limit.
EXECUTIONS ?= 1000
noise: bench-packages build
	@failed=0; for part in "experiments --executions $(EXECUTIONS)" \
		"experiments --executions $(EXECUTIONS) --environments" recording direction overhead; do \
		set -- $$part; script=$$1; shift; $(CLEAN_ENV) python3 -B bench/noise/$$script.py $(BUILD) "$$@" \
			$(if $(UPDATE),--update-docs) || failed=1; done; exit $$failed

# Guided search beside what it is based on, then what it saves on a second input; TIME=s and COUNT=n limit a cell,
# UPDATE=1 puts the tables into docs/guided-search.md.
TIME ?= 20
COUNT ?= 1000000
guided: bench-packages build
	@failed=0; for part in "" --reuse; do $(CLEAN_ENV) python3 -B bench/guided/run.py $(BUILD) $$part \
		--seconds $(TIME) --executions $(COUNT) $(if $(UPDATE),--update-docs) \
		$(if $(STRATEGIES),--strategies "$(STRATEGIES)") $(if $(ONLY),--only $(ONLY)) || failed=1; done; exit $$failed

install: build
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

lint: test-packages build
	@sh tools/lint.sh $(BUILD)

fuzz: test-packages
	@$(CLEAN_ENV) sh tests/fuzz/run.sh $(BUILD)

clean:
	rm -rf $(BUILD)

build-packages:
	@sh tools/setup build

test-packages:
	@sh tools/setup test

real-packages:
	@sh tools/setup real

bench-packages:
	@sh tools/setup bench
