# make run and make test set up what they need, on a fresh machine too.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_CONFIGURATION ?= release

# Exporting its symbols, as the static library asks for, would keep all of them in memory for nobody.
release := $(SWIFT) build --configuration release --static-swift-stdlib -Xlinker --no-export-dynamic
bin := .build/release
unitdir := $(PREFIX)/lib/systemd/system
sources := Package.swift Sources Tests

.PHONY: all setup build run demo test test-kill test-system soak fuzz fuzz-short lint format bench install clean

all: build

setup:
	@.ci/setup

build: setup
	$(release)

run: build
	@echo "In another terminal: $(bin)/adslotctl --socket .build/run/socket status"
	@$(bin)/adslotd --verbose --socket .build/run/socket --state-directory .build/run/state

demo: build
	@Tests/Demo/demo $(bin)

test: setup
	@Tests/DaemonTests/Support/make-python-client.sh .build/python
	$(SWIFT) build --build-tests
	VARLINK_PYTHON=$(CURDIR)/.build/python/bin/python $(SWIFT) test --skip-build

# Kills the daemon at 200 random moments under load; `make test` does so 25 times.
test-kill: setup
	$(SWIFT) build --build-tests
	ADSLOTD_KILL_ROUNDS=200 $(SWIFT) test --skip-build --filter KillTests

# Boots systems of its own, as root; what this machine lacks for that is skipped by name.
test-system: build
	@.ci/setup --system || echo "test-system: going on without"
	@Tests/System/run

# A simulated year and more of random lives; SOAK="--seeds 100000 --hours 3 --first 1" says how many.
soak: build
	$(bin)/soak --output .build/soak-failure.scenario $(SOAK)

# FUZZ_TARGETS="netlink record", FUZZ_RUNS=10000000 and FUZZ_SECONDS=60 say what and how long.
fuzz: setup
	ADSLOTD_FUZZ=1 $(SWIFT) build --scratch-path .build/fuzz --configuration $(FUZZ_CONFIGURATION) \
		--product fuzz --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library
	Tests/Fuzz/run .build/fuzz/$(FUZZ_CONFIGURATION)/fuzz .build/fuzz/found

# What CI runs of it.
fuzz-short: setup
	@Tests/Fuzz/short

lint: setup
	$(SWIFT) format lint --strict --recursive $(sources)

format:
	$(SWIFT) format --in-place --recursive $(sources)

bench: build
	@.ci/setup --peers .build/peers || echo "bench: going on without"
	Tests/Bench/bench --peers .build/peers $(bin) .build/bench.json

# Apart from building, so that it can be run as root on what a user has built.
install:
	@test -x $(bin)/adslotd -a -x $(bin)/adslotctl || { echo "run 'make' first" >&2; exit 1; }
	install -D --mode=755 $(bin)/adslotd $(DESTDIR)$(PREFIX)/bin/adslotd
	install -D --mode=755 $(bin)/adslotctl $(DESTDIR)$(PREFIX)/bin/adslotctl
	install -d $(DESTDIR)$(unitdir)
	sed 's|/usr/bin/|$(PREFIX)/bin/|' systemd/adslotd.service > $(DESTDIR)$(unitdir)/adslotd.service
	chmod 644 $(DESTDIR)$(unitdir)/adslotd.service
	install --mode=644 systemd/adslotd.socket $(DESTDIR)$(unitdir)/adslotd.socket
	install -D --mode=644 systemd/adslotd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/adslotd.conf
	install -D --mode=644 systemd/adslotd.dbus.conf $(DESTDIR)$(PREFIX)/share/dbus-1/system.d/adslotd.conf
	install -D --mode=644 systemd/adslotd-units.rules $(DESTDIR)$(PREFIX)/share/doc/adslotd/adslotd-units.rules

clean:
	rm -rf .build
