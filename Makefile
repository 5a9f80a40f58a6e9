# Everything a fresh Debian or Ubuntu machine with a Swift toolchain needs: `make run`, `make test`.
# The tests of certificates need openssl (2 MB). Chromium, which one suite draws SVG with, is not
# installed: it would take 290 MB and a minute of each run of CI. `make test` tells what was skipped.
packages = libncurses-dev ncurses-term libcurl4-openssl-dev libxml2-dev libgumbo-dev \
  libcmark-gfm-dev libcmark-gfm-extensions-dev libsqlite3-dev \
  libchafa-dev libgdk-pixbuf-2.0-dev webp-pixbuf-loader pkg-config openssl
missing = $(strip $(foreach p,$(packages),$(shell dpkg-query -W -f='$${db:Status-Status}' $(p) 2>/dev/null | grep -qx installed || echo $(p))))
# Types are found by their accessors and not by their names, which the runtime would take apart, and
# look up every conformance of, while the first frame waits.
accessors = -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Packed, the addresses that the loader adjusts at each start take 2.6 MB less. glibc reads the packed
# form since 2.36, and the linker lld writes it.
packed = $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); \
  if (v[1] > 2 || v[2] >= 36) print "-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs" }')
# Each function is a section of its own, so that the linker leaves out those that nobody calls. Whether
# two accesses to a variable overlap, and whether a closure of the main actor runs on it, is checked in
# the builds that the tests run; here that would take an eighth of the instructions of a key.
lean = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -Xfrontend -Xswiftc -disable-dynamic-actor-isolation
release = -c release --static-swift-stdlib $(accessors) $(lean) $(packed)
# Leaves out the 34 MB of ICU's tables that Foundation brings, none of which the program needs. They
# stay, and do no harm, with a toolchain whose ICU has another version in the name.
small = -Xlinker --defsym -Xlinker icudt76_dat=icu_without_data -Xlinker --icf=all

feedparser = 6.0.14
newspaper = 0.9.6

PREFIX = /usr/local
root = $(DESTDIR)$(PREFIX)
programs = argyle argyle-pictures
manual = $(root)/share/man/man1/argyle.1
bash = $(root)/share/bash-completion/completions/argyle
zsh = $(root)/share/zsh/site-functions/_argyle
fish = $(root)/share/fish/vendor_completions.d/argyle.fish

.PHONY: help run demo test sequences test-sync deps corpus build screenshots contact-sheet docs bench fuzz lint format install install-files uninstall
help:    ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*##/ { printf "make %-14s %s\n", $$1, $$2 }' Makefile

run: build  ## Set up, build and open the program
	@exec "$$(swift build $(release) --show-bin-path)/argyle"

demo: build  ## Set up, build and open the program on scripted data
	@exec "$$(swift build $(release) --show-bin-path)/argyle" demo

# A few tests at a time: of all at once most would only wait, for longer than curl keeps a connection
# and a server a client, while the threads that they need are held by those that drive a terminal.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 8
test: deps corpus sequences  ## Set up and run every test
	@swift build --package-path Tests/Fuzzing --scratch-path .build/fuzzing --target fuzz --quiet
	@mkdir -p .build; status=0; \
	bash -o pipefail -c 'swift test --parallel 2>&1 | tee .build/tests.log' || { status=1; \
	  echo "What failed, in .build/tests.log:"; grep -A 30 "^✘.*recorded an issue\|error:" .build/tests.log; \
	  grep -A 20 "crashed:" .build/tests.log; }; \
	$(skipped); exit $$status

# In lots of 250, as many at a time as there are processors.
SEQUENCES = 20000
STEPS = 12
sequences: deps  ## Compare the frames of random sequences of changes with those from nothing
	swift build -c release --package-path Tests/Sequences --scratch-path .build/sequences --quiet
	seq 0 250 $$(($(SEQUENCES) - 1)) | xargs -P "$$(nproc)" -I {} .build/sequences/release/sequences {} 250 $(STEPS)

test-sync: deps  ## Test syncing against a Miniflux of its own, which has to be installed
	swift build --build-tests
	Tests/SyncServer/with-miniflux swift test --skip-build --filter GoogleReaderContractTests

# A line that says which tests a log skipped, by their reasons, each with its number.
skipped = sed -nE 's/^[^ ]+ (Test|Suite) .* skipped(: "(.*)")?$$/\3/p' .build/tests.log | sort | uniq -c | sort -rn | \
  awk '{ n = $$1; sub(/^ *[0-9]+ */, ""); if ($$0 == "") $$0 = "no reason given"; all += n; why = why (why ? "; " : "") $$0 " (" n ")" } \
    END { print all ? "Skipped " all (all == 1 ? " test or suite: " : " tests and suites: ") why "." : "No tests were skipped." }'

deps:    ## Install the missing system packages
	@test -z "$(missing)" || { \
	  if [ "$$(id -u)" = 0 ]; then run=; \
	  elif sudo -n true 2>/dev/null || { command -v sudo >/dev/null && [ -t 0 ]; }; then run=sudo; \
	  else echo "Missing system packages. Type: sudo apt-get install -y $(missing)"; exit 1; fi; \
	  echo "Installing: $(missing)"; \
	  $$run apt-get update -qq && $$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(missing); }

corpus:  ## Fetch the test files of feedparser and newspaper4k, which our parsers are compared with
	@for name in feedparser-$(feedparser) newspaper4k-$(newspaper); do \
	  folder=.build/corpora/$$name; \
	  test -d $$folder || { \
	    python3 -m pip download --quiet --no-binary :all: --no-deps --dest .build/corpora $${name%-*}==$${name##*-} && \
	    mkdir -p $$folder.new && \
	    tar -xzf $$folder.tar.gz -C $$folder.new --strip-components 1 && \
	    mv $$folder.new $$folder; } || echo "The test files of $$name cannot be fetched: the test that reads them is skipped"; \
	done

build: deps  ## Build the release binaries
	swift build $(release) $(small) --product argyle
	swift build $(release) --product argyle-pictures

install: build  ## Install programs, completions and manual page: PREFIX=/usr/local DESTDIR=
	@$(MAKE) --no-print-directory install-files BIN="$$(swift build $(release) --show-bin-path)"

# What `install` does with programs that are built already, in the folder BIN. Symbols for a debugger
# are left out: they are two fifths of the size.
install-files:
	@test -x "$(BIN)/argyle" || { echo "There is no program in $(BIN)."; exit 1; }
	install -d "$(root)/bin" "$(dir $(manual))" "$(dir $(bash))" "$(dir $(zsh))" "$(dir $(fish))"
	@for program in $(programs); do \
	  test ! -x "$(BIN)/$$program" || { \
	    echo install "$$program" "$(root)/bin"; \
	    install -s -m 755 "$(BIN)/$$program" "$(root)/bin/$$program" || exit; }; \
	done
	"$(BIN)/argyle" manual > "$(manual)"
	"$(BIN)/argyle" --generate-completion-script bash > "$(bash)"
	"$(BIN)/argyle" --generate-completion-script zsh > "$(zsh)"
	"$(BIN)/argyle" --generate-completion-script fish > "$(fish)"

uninstall:  ## Remove what `make install` installed, from the same PREFIX
	rm -f $(foreach program,$(programs),"$(root)/bin/$(program)") "$(manual)" "$(bash)" "$(zsh)" "$(fish)"

screenshots: deps  ## Draw the pictures in assets again
	swift build --product argyle
	@for file in assets/screenshots/*.svg; do \
	  .build/debug/argyle screenshot "$$(basename "$$file" .svg)" -o "$$file" || exit; \
	done
	.build/debug/argyle screenshot tour --format movie -o assets/tour.svg

contact-sheet: deps  ## Draw every scene, size and theme on one page: .build/contact-sheet/index.html
	swift build --product argyle
	@mkdir -p .build/contact-sheet; \
	{ echo '<!doctype html><meta charset="utf-8"><title>argyle</title><style>body{background:#888;font:14px sans-serif}figure{display:inline-block;margin:4px;vertical-align:top}img{width:310px;display:block}</style>'; \
	for scene in $$(.build/debug/argyle demo --list | cut -d ' ' -f 1); do \
	  echo "<h2>$$scene</h2>"; \
	  for theme in dark light high-contrast mono; do for size in 80x24 120x35 200x50 20x5; do \
	    file="$$scene-$$theme-$$size.svg"; \
	    .build/debug/argyle screenshot "$$scene" --theme "$$theme" --size "$$size" -o ".build/contact-sheet/$$file" || exit; \
	    echo "<figure><a href=\"$$file\"><img src=\"$$file\" alt=\"$$file\"></a>$$theme $$size</figure>"; \
	  done; done; \
	done; } > .build/contact-sheet/index.html; \
	echo .build/contact-sheet/index.html

docs: deps  ## Build the documentation, with warnings as errors
	swift package generate-documentation --target Loading --warnings-as-errors
	swift package generate-documentation --target Terminal --warnings-as-errors
	swift package generate-documentation --target TerminalUI --warnings-as-errors

bench: build  ## Measure, against peers, in one run
	swift run --package-path Tests/Benchmarks --scratch-path .build/benchmarks -c release benchmarks

fuzz: deps  ## Fuzz the parsers under the address sanitizer, SECONDS=600 each
	swift build --package-path Tests/Fuzzing --scratch-path .build/fuzzing
	@for target in config episodes feeds html keys markdown opml pages sync; do \
	  corpus=Tests/Fuzzing/Corpora/$$target; \
	  test $$target != pages || corpus=Tests/ArticlesTests/ExtractionPages; \
	  mkdir -p .build/fuzzing/found/$$target && \
	  ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no .build/fuzzing/debug/fuzz $$target \
	    -max_total_time=$(or $(SECONDS),600) -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
	    $$(test ! -f Tests/Fuzzing/Corpora/$$target.dict || echo -dict=Tests/Fuzzing/Corpora/$$target.dict) \
	    -artifact_prefix=.build/fuzzing/ .build/fuzzing/found/$$target $$corpus || exit; \
	done

lint:    ## Check the formatting, strictly, and that the libraries are documented
	swift format lint --strict --recursive --parallel Package.swift Sources Tests
	swift format lint --strict --recursive --parallel --configuration "$$(sed '/HaveDocumentation/s/false/true/' .swift-format)" \
	  Sources/Loading Sources/LoadingTesting Sources/TerminalUI Sources/TerminalUITesting

format:  ## Format in place
	swift format --in-place --recursive --parallel Package.swift Sources Tests
