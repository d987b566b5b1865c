/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTAP_SYSCALL_H
#define KTAP_SYSCALL_H

#include "core/probe.h"

/*
 * Each of the two tracepoints has one prototype, which the probe functions match. So this
 * backend works on kernels with kCFI too.
 */
#if !defined(CONFIG_TRACEPOINTS) || !defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS)
#define KTAP_LACKS_SYSCALLS \
	"this kernel has no tracepoints of system calls: CONFIG_TRACEPOINTS, CONFIG_HAVE_SYSCALL_TRACEPOINTS"
#else
#define KTAP_LACKS_SYSCALLS	NULL
#define KTAP_HAVE_SYSCALLS	1
#endif

#ifdef KTAP_HAVE_SYSCALLS
extern const struct ktap_backend ktap_syscall_backend;
extern const struct ktap_backend ktap_sysret_backend;

u32 ktap_syscall_nr(const struct ktap_probe *p);
#endif

#endif /* KTAP_SYSCALL_H */
