# SPDX-License-Identifier: GPL-2.0
#
# Built in, suites and what they test would share their symbols with ktap, and with
# the other suites: names get another beginning then. Included by a Kbuild that has
# set here, and whose ktap*_kunit-y lists the objects.
here-names := $(dir $(lastword $(MAKEFILE_LIST)))
names-of := $(if $(KBUILD_EXTMOD),,$(basename $(filter ktap%_kunit.o,$(obj-y))))

ifneq ($(names-of),)
# All names of sources that begin so, functions or not: it is the same for all. Not
# what is a macro somewhere, nor labels of assembly, which have names for these suites.
filechk_names = find $(here)/.. -follow -name '*.[ch]' ! -name names.h -exec cat {} + | \
	LC_ALL=C awk -f $(here-names)/names.awk -v of=$(names-of) | LC_ALL=C sort

$(obj)/names.h: FORCE
	$(call filechk,names)

clean-files += names.h
ccflags-y += -include $(obj)/names.h
$(addprefix $(obj)/,$($(names-of)-y)): $(obj)/names.h
endif
