# SPDX-License-Identifier: GPL-2.0
#
# Built in, suites and what they test would share their symbols with ktap, and with
# the other suites: names get another beginning then. Included by a Kbuild that has
# set here, and whose ktap*_kunit-y lists the objects.
names-of := $(if $(KBUILD_EXTMOD),,$(basename $(filter ktap%_kunit.o,$(obj-y))))

ifneq ($(names-of),)
# All names of sources that begin so, functions or not: it is the same for all.
filechk_names = find $(here)/.. -follow -name '*.[ch]' ! -name names.h -exec cat {} + | \
	grep -owE '(ktap|env|rig)_[a-z0-9_]+' | LC_ALL=C sort -u | \
	sed 's/.*/$(pound)define & $(names-of)_&/'

$(obj)/names.h: FORCE
	$(call filechk,names)

clean-files += names.h
ccflags-y += -include $(obj)/names.h
$(addprefix $(obj)/,$($(names-of)-y)): $(obj)/names.h
endif
