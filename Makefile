# SPDX-License-Identifier: GPL-2.0
#
# Top of ktap: the tool here, the module through kbuild, the rest through
# scripts/. 'make help' lists the targets and variables. Everything that is
# made is below build/.

# 'make -s' silences the short lines too. (Before long options join in.)
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.SUFFIXES:
.DELETE_ON_ERROR:

.PHONY: all
all: user

V ?= 0
empty :=
Q := $(if $(filter 1,$(V)),,@)
# $(call say,WHAT,FILE): make itself prints it, without a process.
say = $(if $(filter 1,$(V))$(silent),,$(info $(empty)  $(1)	$(2)))

# $(call once,NAME,VALUE): the value of the variable NAME, which is defined as this call:
# what a program says is asked when it is needed, and not for each object again.
once = $(eval $(1) := $$(2))$($(1))

# --- what to build for

HOSTARCH := $(shell uname -m)
ARCH_TARGET ?= $(HOSTARCH)
# An SDK gives SYSROOT, CROSS and CC. Otherwise a cross build takes Debian's compiler, and
# libraries in Debian's layout.
ifdef SYSROOT
  sdk := $(SYSROOT)
endif
ifeq ($(ARCH_TARGET),arm64)
  ifneq ($(HOSTARCH),aarch64)
    CROSS ?= aarch64-linux-gnu-
    ifndef sdk
      SYSROOT = $(shell scripts/sysroot arm64)
      multiarch := aarch64-linux-gnu
    endif
  endif
else ifneq ($(ARCH_TARGET),$(HOSTARCH))
  $(error ARCH_TARGET is $(ARCH_TARGET): it can be $(HOSTARCH) or arm64)
endif

OUT := build/$(ARCH_TARGET)

CC := $(CROSS)gcc
AR := $(CROSS)ar
PKG_CONFIG ?= pkg-config
INSTALL ?= install

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
DATADIR ?= $(PREFIX)/share/ktap
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
UDEVDIR ?= $(PREFIX)/lib/udev/rules.d
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
UNITDIR ?= $(PREFIX)/lib/systemd/system
LIBEXECDIR ?= $(PREFIX)/libexec/ktap

# --- the tool

PKGS := libmnl libxxhash libdw libelf liblzma libbpf

# pkg-config adds the sysroot to what the .pc files say.
pkg-config = PKG_CONFIG_SYSROOT_DIR=$(1) PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=$(2) $(PKG_CONFIG)
pc_dirs = $(subst $(eval) ,:,$(addprefix $(1)/usr/,$(2) share/pkgconfig))

ifdef sdk
  PKG_CFLAGS := --sysroot=$(sdk)
  PKG_LIBS := --sysroot=$(sdk)
  pkg_says = $(shell $(call pkg-config,$(sdk),$(call pc_dirs,$(sdk),lib/pkgconfig \
	lib64/pkgconfig)) $(1) $(PKGS))
  PKG_CFLAGS += $(call pkg_says,--cflags)
  PKG_LIBS += $(call pkg_says,--libs)
else ifdef CROSS
  sysroot := $(SYSROOT)
  cross_pc := $(call pc_dirs,$(sysroot),lib/$(multiarch)/pkgconfig)
  pkg_says = $(shell $(call pkg-config,$(sysroot),$(cross_pc)) $(1) $(PKGS))
  PKG_CFLAGS = $(pkg_cflags)
  PKG_LIBS = $(pkg_libs)
  # openssl/configuration.h is in the second.
  PKG_CFLAGS += -isystem $(sysroot)/usr/include -isystem $(sysroot)/usr/include/$(multiarch)
  PKG_LIBS += -L$(sysroot)/usr/lib/$(multiarch) \
	-Wl,-rpath-link,$(sysroot)/usr/lib/$(multiarch):$(sysroot)/lib/$(multiarch)
else
  pkg_says = $(shell $(PKG_CONFIG) $(1) $(PKGS))
  PKG_CFLAGS = $(pkg_cflags)
  PKG_LIBS = $(pkg_libs)
endif
pkg_cflags = $(call once,pkg_cflags,$(call pkg_says,--cflags))
pkg_libs = $(call once,pkg_libs,$(call pkg_says,--libs))

# They have no .pc files.
PKG_LIBS += -liberty -lZydis -lm

WARNINGS := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wvla -Wformat=2 -Wundef \
	-Wno-format-nonliteral -Wno-unused-parameter -Wno-missing-field-initializers
ifeq ($(WERROR),1)
  WARNINGS += -Werror
endif

CFLAGS ?= -O2 -g
ktap_cppflags = -D_GNU_SOURCE -Iinclude/uapi -Iuser $(PKG_CFLAGS) $(CPPFLAGS)
ktap_cflags = -std=gnu11 $(CFLAGS) $(WARNINGS)

lib_srcs := $(filter-out user/cli/% user/target/% user/tests/%,$(wildcard user/*/*.c user/*/*/*.c))
cli_srcs := $(wildcard user/cli/*.c)
lib_objs := $(lib_srcs:%.c=$(OUT)/%.o)
cli_objs := $(cli_srcs:%.c=$(OUT)/%.o)

.PHONY: user
user: $(OUT)/libktap.a $(if $(cli_srcs),$(OUT)/ktap)

# A file that changes only when its text does. The command line of the
# compiler is a prerequisite of every object; the version only of those
# that name it, or each commit would build everything.
define update
	@mkdir -p $(@D)
	@printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' >$@
endef

VERSION := $(shell git describe --always --dirty 2>/dev/null || cat VERSION)
versioned := $(shell grep -l KTAP_VERSION $(lib_srcs) $(cli_srcs) /dev/null)

.PHONY: FORCE
# The directories of all objects are made once, not with each of them.
$(OUT)/flags: FORCE
	@mkdir -p $(foreach dir,$(source_dirs),$(OUT)/$(dir) $(SAN)/$(dir))
	$(call update,$(CC) $(ktap_cppflags) $(ktap_cflags) $(LDFLAGS) $(PKG_LIBS))

$(OUT)/version.h: FORCE
	$(call update,#define KTAP_VERSION "$(VERSION)")

$(versioned:%.c=$(OUT)/%.o): $(OUT)/version.h
$(versioned:%.c=$(OUT)/%.o): ktap_cppflags += -include $(OUT)/version.h

$(OUT)/user/%.o: user/%.c $(OUT)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(ktap_cppflags) $(ktap_cflags) -MMD -MP -c -o $@ $<

# Replaced each time, so that a deleted source is removed from it.
$(OUT)/sources: FORCE
	$(call update,$(lib_srcs) $(test_srcs))

$(OUT)/libktap.a: $(lib_objs) $(OUT)/sources
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(lib_objs)

$(OUT)/ktap: $(cli_objs) $(OUT)/libktap.a $(OUT)/flags
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(cli_objs) $(OUT)/libktap.a $(PKG_LIBS) $(LDLIBS)

-include $(wildcard $(OUT)/user/*/*.d $(OUT)/user/*/*/*.d)

# --- the target's own tool: one static file, without what reads ELF, DWARF and BTF of
# the kernel. In place of these rooms it has user/target/, with the same functions.

.PHONY: target
target: $(OUT)/ktap-target

target_without := user/arch/code% user/object/% user/dwarf/% user/bind/% \
	user/base/demangle.c \
	user/types/btf.c user/types/table.c user/place/binary.c user/place/binary_glob.c \
	user/define/bundle_make.c user/module/% user/report/% user/cli/order.c \
	$(addprefix user/cli/,compared.c flamed.c graphed.c reported.c row_path.c treed.c) \
	$(addprefix user/define/,debug.c debug_files.c \
	callees.c file.c frames.c kernel_code.c module_file.c offsets.c points.c recorded_files.c scope.c source.c) \
	$(addprefix user/cli/,verbs.c vars_btf.c inspect.c $(addsuffix .c,$(addprefix cmd_,\
	bundle funcs graph index line module report vars)))
target_srcs := $(filter-out $(target_without),$(lib_srcs) $(cli_srcs)) \
	user/bind/start.c user/bind/syscall.c user/dwarf/loaded.c $(wildcard user/target/*.c)
target_objs := $(target_srcs:%.c=$(OUT)/target/%.o)

# Headers of the kernel, and those of libraries of which types and constants are used.
# None of them depends on the C library.
target_libraries := /usr/include
ifdef sdk
  target_libraries := $(sdk)/usr/include
  target_kernel := $(sdk)/usr/include
  target_asm := $(target_kernel)/asm
else ifdef CROSS
  target_kernel := /usr/aarch64-linux-gnu/include
  target_asm := $(target_kernel)/asm
else
  target_kernel := /usr/include
  target_asm = $(call once,target_asm,$(target_kernel)/$(shell $(CC) -print-multiarch)/asm)
endif
ifeq ($(ARCH_TARGET),arm64)
  target_cflags := -mno-outline-atomics
endif
target_headers = $(addprefix $(target_kernel)/,linux asm-generic) $(target_asm) \
	$(addprefix $(target_libraries)/,elfutils bpf libmnl dwarf.h gelf.h libelf.h xxhash.h)

# Only debuggers would read tables for unwinding: they are in ktap-target.debug.
TARGET_CFLAGS ?= -Os -g -fno-asynchronous-unwind-tables -fno-unwind-tables
# MUSL=DIR: its headers are in DIR/include, its libraries in DIR/lib.
export MUSL
musl = $(call once,musl,$(shell scripts/musl $(ARCH_TARGET)))
cc_include = $(call once,cc_include,$(shell $(CC) -print-file-name=include))
target_cppflags = -D_GNU_SOURCE -nostdinc -isystem $(musl)/include \
	-isystem $(cc_include) -isystem $(OUT)/target/include \
	-Iinclude/uapi -Iuser -include user/target/libc.h
target_cflags += -std=gnu11 $(TARGET_CFLAGS) -ffunction-sections -fdata-sections $(WARNINGS)
target_link = -static -nostdlib -Wl,--gc-sections -Wl,--build-id \
	$(musl)/lib/crt1.o $(musl)/lib/crti.o $(target_objs) -Wl,--start-group \
	$(musl)/lib/libc.a $(shell $(CC) -print-libgcc-file-name) -Wl,--end-group \
	$(musl)/lib/crtn.o

$(OUT)/target/flags: FORCE
	@mkdir -p $(sort $(dir $(target_objs)))
	$(call update,$(CC) $(target_cppflags) $(target_cflags) $(target_headers))

$(OUT)/target/include: $(OUT)/target/flags
	@rm -rf $@ && mkdir -p $@
	@ln -s $(target_headers) $@/

versioned_target := $(patsubst %.c,$(OUT)/target/%.o,$(filter $(target_srcs),$(versioned)))
$(versioned_target): $(OUT)/version.h
$(versioned_target): target_cppflags += -include $(OUT)/version.h

$(OUT)/target/%.o: %.c $(OUT)/target/flags | $(OUT)/target/include
	$(call say,CC,$< (target))
	$(Q)$(CC) $(target_cppflags) $(target_cflags) -MMD -MP -c -o $@ $<

$(OUT)/ktap-target: $(target_objs) $(OUT)/target/flags
	$(call say,LD,$@)
	$(Q)$(CC) -o $@.debug $(target_link)
	$(Q)$(CROSS)strip -o $@ $@.debug

-include $(wildcard $(OUT)/target/user/*/*.d $(OUT)/target/user/*/*/*.d)

# --- unit tests: user/tests/NAME_test.c, with cmocka and the sanitizers

SAN := $(OUT)/san
san_cflags := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
test_srcs := $(wildcard user/tests/*_test.c)
tests := $(test_srcs:user/tests/%.c=$(SAN)/%)
san_lib_objs := $(lib_srcs:%.c=$(SAN)/%.o)
helper_objs := $(patsubst %.c,$(SAN)/%.o,$(filter-out $(test_srcs),$(wildcard user/tests/*.c)))
san_archives := $(SAN)/libhelpers.a $(SAN)/libktap.a

# Kernel files that a test compiles in, from its comment 'needs: FILE...': TEST:FILE for each.
needed := $(shell awk 'FNR <= 20 && sub(/^.*needs: */, "") { sub(/[*].*/, ""); \
	n = split($$0, file, " "); for (i = 1; i <= n; i++) print FILENAME ":" file[i] }' \
	$(wildcard user/tests/*.c))
needs = $(patsubst $(1):%,%,$(filter $(1):%,$(needed)))
source_dirs := $(sort $(dir $(lib_srcs) $(cli_srcs) $(wildcard user/tests/*.c user/tests/*/*.c) \
	$(foreach test,$(needed),$(lastword $(subst :, ,$(test))))))

.PHONY: tests unit
tests: $(tests)

unit: tests
	$(Q)scripts/tap -j $(or $(UNIT_JOBS),$$(nproc)) $(tests)

$(versioned:%.c=$(SAN)/%.o): $(OUT)/version.h
$(versioned:%.c=$(SAN)/%.o): ktap_cppflags += -include $(OUT)/version.h

$(SAN)/%.o: %.c $(OUT)/flags
	$(call say,CC,$< (sanitized))
	$(Q)$(CC) $(ktap_cppflags) -Iuser/tests -Ikmod $(ktap_cflags) $(san_cflags) \
		-MMD -MP -c -o $@ $<

$(SAN)/libktap.a: $(san_lib_objs) $(OUT)/sources
$(SAN)/libhelpers.a: $(helper_objs) $(OUT)/sources
$(san_archives):
	@rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

define test_rule
$(SAN)/$(1): $(SAN)/user/tests/$(1).o $(san_archives) \
		$(patsubst %.c,$(SAN)/%.o,$(call needs,user/tests/$(1).c))
	$$(call say,LD,$$@)
	$$(Q)$$(CC) $$(CFLAGS) $$(san_cflags) $$(LDFLAGS) -o $$@ \
		$$(filter %.o,$$^) $(san_archives) $$(PKG_LIBS) -lcmocka $$(LDLIBS)
endef
$(foreach t,$(test_srcs:user/tests/%.c=%),$(eval $(call test_rule,$(t))))

# Tools that tests start, built as tests are.
test_tools := dwarf_run
$(foreach t,$(test_tools),$(eval $(call test_rule,$(t))))

.PHONY: test-tools
test-tools: $(test_tools:%=$(SAN)/%)

# Fuzz targets that run files: see user/tests/e2e/corpora.t.
fuzz_targets := $(filter-out %_test fuzz_main fuzz_random,\
	$(patsubst user/tests/%.c,%,$(wildcard user/tests/fuzz_*.c)))
$(fuzz_targets:%=$(SAN)/%): $(SAN)/user/tests/fuzz_main.o
$(foreach t,$(fuzz_targets),$(eval $(call test_rule,$(t))))

.PHONY: fuzz-targets
fuzz-targets: $(fuzz_targets:%=$(SAN)/%)

-include $(shell find $(SAN) -name "*.d" 2>/dev/null)

# --- what can be had of the variables of a kernel


$(OUT)/dwarf-count: $(OUT)/user/tests/dwarf/count.o $(OUT)/libktap.a $(OUT)/flags
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(PKG_LIBS) $(LDLIBS)

# Lookups with an index and without.
$(OUT)/index-same: $(OUT)/user/tests/dwarf/same.o $(OUT)/user/tests/index_same.o \
		$(OUT)/libktap.a $(OUT)/flags
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(PKG_LIBS) $(LDLIBS)

.PHONY: dwarf-count
dwarf-count: $(OUT)/dwarf-count
	@[ -n "$(FILE)" ] || { echo "make dwarf-count: give FILE=VMLINUX" >&2; exit 1; }
	$(Q)$(OUT)/dwarf-count $(FILE)

# --- how fast recordings are decoded

$(OUT)/bench-decode: $(addprefix $(OUT)/user/tests/,bench_decode.o ring_builder.o \
		event_log.o) $(OUT)/libktap.a $(OUT)/flags
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(PKG_LIBS) $(LDLIBS)

# --- the module

ifdef KERNEL
  kmod_name := $(KERNEL)
  KDIR := $(shell scripts/kernels path $(KERNEL) headers)
  ifeq ($(KDIR),)
    $(error no kernel $(KERNEL) to build for)
  endif
  kbuild_make := $(CURDIR)/scripts/kbuild $(KERNEL)
else
  kbuild_make := $(MAKE) --no-print-directory
  KDIR ?= /lib/modules/$(shell uname -r)/build
  kmod_name = $(notdir $(patsubst %/build,%,$(KDIR)))
endif

# Objects that count what of them is executed are others: see scripts/coverage/run.
ifeq ($(COVERAGE),1)
  kmod_name := $(kmod_name)-coverage
  KCFLAGS += -fprofile-arcs -ftest-coverage -fno-early-inlining
  kbuild_symbols = KBUILD_EXTRA_SYMBOLS=$(CURDIR)/build/gcov/$(KERNEL)/Module.symvers
endif
ifeq ($(WERROR),1)
  KCFLAGS += -Werror
endif

KMOD := build/kmod/$(kmod_name)
# Kernels never share objects: each has its own tree of links to the
# sources. The lock keeps two makes out of one tree. BTF for the module
# would need pahole, and ktap does not use it. A test kernel's tree begins with the
# objects of the last one: see scripts/objects. A VERSION that make is given is the
# module's, too.
kmod_version = $(call once,kmod_version,$(if $(filter command,$(firstword $(origin VERSION))),\
	$(VERSION),$(shell scripts/module-version)))
kept = $(if $(KERNEL),$(if $(filter 1,$(COVERAGE)),,KCFLAGS="$(strip $(KCFLAGS))" \
	scripts/objects $(1) $(KERNEL) $(2) $(kbuild_args) &&))
kbuild_args = -C $(KDIR) M=$(CURDIR)/$(2) CONFIG_DEBUG_INFO_BTF_MODULES= \
	KTAP_VERSION=$(kmod_version) $(if $(KCFLAGS),KCFLAGS="$(strip $(KCFLAGS))") \
	$(kbuild_symbols) $(if $(filter 1,$(V)),V=1) $(3)
# Each boot of a test asks for the modules of its kernel.
is_asked = $(and $(KERNEL),$(filter modules,$(1)))
kbuild = $(Q)+mkdir -p $(2) && flock $(2).lock sh -c '$(if $(call is_asked,$(3)), \
		! scripts/unchanged $(2) $(call kbuild_args,,$(2),$(3)) || exit 0;) \
	$(call kept,restore,$(2),$(3)) scripts/linktree $(1) $(2) && \
	if $(if $(call is_asked,$(3)),rm $(2)/.kept.whole 2>/dev/null,false); then :; else \
		$(kbuild_make) $(call kbuild_args,,$(2),$(3)) && \
		$(call kept,keep,$(2),$(3)) :; fi && \
	$(if $(call is_asked,$(3)),scripts/unchanged --mark $(2),:)'

.PHONY: kmod kmod-install
kmod:
	@test -e $(KDIR)/Makefile || { echo "make kmod: no kernel headers in $(KDIR):" \
		"install linux-headers-$$(uname -r), or give KDIR=DIR or KERNEL=NAME" >&2; exit 1; }
	$(call say,KMOD,$(KMOD)/ktap.ko)
	$(call kbuild,kmod,$(KMOD),modules)

kmod-install: kmod
	$(call kbuild,kmod,$(KMOD),modules_install)

.PHONY: kunit-modules
kunit-modules:
	$(call say,KUNIT,build/kunit/$(kmod_name))
	$(call kbuild,kunit,build/kunit/$(kmod_name),modules)

# What the end-to-end tests probe.
.PHONY: target-module
target-module:
	$(call say,KMOD,build/target/$(kmod_name)/ktap_target.ko)
	$(call kbuild,user/tests/e2e/mod,build/target/$(kmod_name),modules)

# What keeps the counts of objects that are made with COVERAGE=1.
.PHONY: gcov-module
gcov-module:
	$(call say,KMOD,build/gcov/$(kmod_name)/ktap_gcov.ko)
	$(call kbuild,user/tests/e2e/gcov,build/gcov/$(kmod_name),modules)

# Whose variables they name: with LEVEL=O0, O1, O2 or Os.
.PHONY: names-module
names-module:
	$(call say,KMOD,build/names/$(kmod_name)-$(LEVEL)/ktap_names_$(LEVEL).ko)
	$(call kbuild,user/tests/e2e/names_mod,build/names/$(kmod_name)-$(LEVEL), \
		LEVEL=$(LEVEL) modules)

# --- installing

# MODE:FILE:WHERE of all that is put below DESTDIR. 'uninstall' goes through the same
# lists, so that it removes these files and no others.
pages := $(wildcard Documentation/*.[1-8])
to_install = 755:$(OUT)/ktap:$(BINDIR)/ktap \
	$(foreach page,$(pages),\
	644:$(page):$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	644:Documentation/ktap-json.schema.json:$(DATADIR)/ktap-json.schema.json \
	644:packaging/ktap.bash:$(BASHDIR)/ktap \
	644:packaging/_ktap:$(ZSHDIR)/_ktap \
	644:packaging/ktap.rules:$(UDEVDIR)/60-ktap.rules \
	644:packaging/ktap.sysusers:$(SYSUSERSDIR)/ktap.conf \
	644:$(OUT)/ktap.service:$(UNITDIR)/ktap.service \
	755:$(OUT)/boot:$(LIBEXECDIR)/boot
to_install_target = 755:$(OUT)/ktap-target:$(BINDIR)/ktap-target

# $(call put,LIST) and $(call drop,LIST). Dropping a file that does not exist succeeds.
put = $(Q)set -e; for entry in $(1); do \
		from=$${entry\#*:}; to="$(DESTDIR)$${entry\#\#*:}"; \
		$(if $(silent),,printf '  %-7s %s\n' INSTALL "$$to";) \
		$(INSTALL) -D -m $${entry%%:*} "$${from%%:*}" "$$to"; \
	done
drop = $(Q)rm -f $(foreach entry,$(1),"$(DESTDIR)$(lastword $(subst :, ,$(entry)))")

# $(call drop_dirs,DIR...): directories that belong to ktap alone, if they are empty.
drop_dirs = $(Q)set -e; for dir in $(1); do \
		[ ! -d "$(DESTDIR)$$dir" ] || \
			rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$dir"; \
	done

# They name where others are installed.
named_places := $(OUT)/ktap.service $(OUT)/boot
$(named_places): $(OUT)/%: packaging/%.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@BINDIR@|$(BINDIR)|' -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|' $< >$@

# ktap-target needs musl. Installing fetches nothing: without musl on this machine, and
# without a ktap-target that 'make target' built before, it is skipped.
.PHONY: install install-target uninstall
install: user $(named_places)
	$(Q)! scripts/musl --here $(ARCH_TARGET) >/dev/null || \
		$(MAKE) --no-print-directory target
	$(call put,$(to_install))
	$(Q)if [ -e $(OUT)/ktap-target ]; then \
		$(MAKE) --no-print-directory install-target; \
	else \
		echo "ktap-target is not installed: 'make target' builds it"; \
	fi

install-target:
	$(call put,$(to_install_target))

uninstall:
	$(call drop,$(to_install) $(to_install_target))
	$(call drop_dirs,$(DATADIR) $(LIBEXECDIR))

$(OUT)/libktap.pc: user/libktap.pc.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@PKGS@|$(PKGS)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' $< >$@

# The headers name one another by their rooms: they keep them below ktap/. The tables
# of errors of all rooms are one enumeration, in which the command has its own.
dev_headers = $(filter-out user/tests/% user/cli/% user/target/%,\
	$(wildcard user/*/*.h user/*/*/*.h user/*/*.def user/*/*/*.def)) \
	user/cli/errors.def user/target/errors.def

to_install_dev = 644:$(OUT)/libktap.a:$(LIBDIR)/libktap.a \
	644:$(OUT)/libktap.pc:$(LIBDIR)/pkgconfig/libktap.pc \
	$(foreach header,$(wildcard include/uapi/linux/*.h),\
	644:$(header):$(INCLUDEDIR)/ktap/$(header:include/uapi/%=%)) \
	$(foreach header,$(dev_headers),644:$(header):$(INCLUDEDIR)/ktap/$(header:user/%=%))

# Where headers are, inner directories first: sort puts them after the outer ones.
dev_dirs = $(shell printf '%s\n' $(patsubst %/,%,$(sort $(dir \
	$(filter $(INCLUDEDIR)/%,$(subst :, ,$(to_install_dev)))))) | sort -r) $(INCLUDEDIR)/ktap

.PHONY: install-dev uninstall-dev
install-dev: $(OUT)/libktap.a $(OUT)/libktap.pc
	$(call put,$(to_install_dev))

uninstall-dev:
	$(call drop,$(to_install_dev))
	$(call drop_dirs,$(dev_dirs))

# --- checking

.PHONY: demo kunit check check-full fuzz torture coverage bench bench-names bench-decode
.PHONY: bench-way-out bench-compare bench-plots lint format deb
deb:
	$(Q)scripts/deps build deb
	$(Q)scripts/deb

demo:
	$(Q)scripts/deps build vm
	$(Q)scripts/kernels get debian-6.1
	$(Q)$(MAKE) --no-print-directory user
	$(Q)$(MAKE) --no-print-directory kmod KERNEL=debian-6.1
	$(Q)scripts/demo

kunit:
	$(Q)scripts/kunit

check:
	$(Q)scripts/check

check-full:
	$(Q)scripts/check --full

fuzz:
	$(Q)scripts/deps build fuzz vm kernel
	$(Q)scripts/fuzz $(FUZZ_SECONDS)

# TORTURE='--seconds 600 --seed 7 debug': options and kernels.
torture:
	$(Q)scripts/deps build vm kernel
	$(Q)scripts/torture $(TORTURE)

# COVERAGE_OF='-k debug netlink kunit': kernels and tests.
coverage:
	$(Q)scripts/deps build vm kernel test
	$(Q)scripts/coverage/run $(COVERAGE_OF)

bench:
	$(Q)scripts/deps build vm $(if $(PEERS),bench)
	$(Q)scripts/bench/run $(if $(PEERS),-p $(PEERS)) $(BENCH_KERNELS)

# Whole processes, BENCH_RUNS=7 of each.
bench-names: user
	$(Q)scripts/deps build test
	$(Q)scripts/kernels get debian-6.1 --debuginfo
	$(Q)scripts/bench/names $(if $(BENCH_RUNS),-r $(BENCH_RUNS)) \
		--json $(OUT)/bench-names.jsonl

# BENCH_RECORDS=1000000, BENCH_RUNS=5 of each.
bench-decode: user $(OUT)/bench-decode
	$(Q)scripts/deps build vm bench
	$(Q)scripts/bench/decode $(if $(BENCH_RUNS),-r $(BENCH_RUNS)) \
		$(if $(BENCH_RECORDS),-n $(BENCH_RECORDS)) \
		--json $(OUT)/bench-decode.jsonl

bench-way-out: user
	$(Q)scripts/deps build vm bench
	$(Q)scripts/bench/way-out --json $(OUT)/bench-way-out.jsonl

bench-plots:
	$(Q)scripts/deps build vm bench
	$(Q)scripts/bench/scale $(BENCH_KERNELS)

bench-compare:
	$(Q)scripts/bench/compare $(BENCH_BASE)

lint:
	$(Q)scripts/lint

format:
	$(Q)git ls-files '*.c' '*.h' | xargs clang-format -i

.PHONY: clean
clean:
	rm -rf build

.PHONY: help
help:
	@sed -n 's/^# help: \{0,1\}//p' Makefile

# help: make                    the tool: build/ARCH/ktap and libktap.a
# help: make target             ktap-target, one small static file: build/ARCH/ktap-target
# help: make kmod [KDIR=DIR]    the module for the running kernel, or for DIR
# help: make kmod KERNEL=NAME   the module for a test kernel (scripts/kernels list)
# help: make install            the tools and their pages, below DESTDIR and PREFIX
# help: make install-dev        libktap.a, its headers and libktap.pc: libktap(3)
# help: make install-target     ktap-target alone, which 'make target' built
# help: make uninstall          remove what 'make install' installed
# help: make uninstall-dev      remove what 'make install-dev' installed
# help: make kmod-install       the module, for KDIR, as modules_install does
# help: make deb                Debian packages, in build/deb
# help: make demo               boot a test kernel and trace a function
# help: make unit               unit tests, on this machine
# help: make kunit              in-kernel tests, in a virtual machine
# help: make check              everything that can be tested here, and lint
# help: make check-full         also the slow tests: fuzzing, all benches
# help: make fuzz               fuzz all parsers and the module, FUZZ_SECONDS=60 each
# help: make torture            all kinds of load at once, on sanitizer kernels; TORTURE=
# help: make coverage           branches of kmod/ that no test takes; COVERAGE_OF=
# help: make bench              the cost of a hit, compared with tracefs; BENCH_KERNELS=
# help: make bench PEERS=all    compared with trace-cmd, perf, bpftrace, SystemTap, LTTng too
# help: make bench-compare      fails if hits cost more than in BENCH_BASE=FILE
# help: make bench-plots        what makes a hit more expensive: Documentation/scale-*.svg
# help: make bench-names        the cost of name look-ups, compared with perf
# help: make bench-decode       speed of reading recordings, compared with other tools
# help: make bench-way-out      records lost when CPUs hit at full speed, compared with other tools
# help: make dwarf-count FILE=VMLINUX   which of its variables probes can record
# help: make lint               shellcheck, checkpatch, spelling and phrases
# help: make format             clang-format over the C files: read its diff
# help: make clean              remove build/
# help:
# help: V=1                     show the commands
# help: WERROR=1                a warning is an error
# help: ARCH_TARGET=arm64       cross-build the tool, or ktap-target
# help: MUSL=DIR                for ktap-target: DIR/include and DIR/lib have musl
# help: CFLAGS= LDFLAGS=        yours; the needed ones are added
