// SPDX-License-Identifier: GPL-2.0
/*
 * Coming and going of the module. An open session holds a reference on it, so
 * at exit only probes are left to remove.
 */
#include <linux/module.h>

#include "chardev.h"
#include "clock.h"
#include "finish.h"
#include "ftrace.h"
#include "guard.h"
#include "modules.h"
#include "netlink.h"
#include "probe.h"
#include "scope.h"
#include "scratch.h"
#include "session.h"
#include "tracepoint.h"
#include "watchpoint.h"

static void delete_probes(void)
{
	mutex_lock(&ktap_lock);
	ktap_probes_delete_all();
	mutex_unlock(&ktap_lock);
}

static int __init ktap_init(void)
{
	int err;

	ktap_clock_init();
	ktap_scope_init();
	err = ktap_modules_init();
	if (err)
		goto err_modules;
	err = ktap_session_init();
	if (err)
		goto err_session;
	err = ktap_watchpoint_init();
	if (err)
		goto err_watchpoint;
	err = ktap_tracepoint_init();
	if (err)
		goto err_tracepoint;
	err = ktap_netlink_init();
	if (err)
		goto err_netlink;
	/* the last: a session that somebody opens holds the module */
	err = ktap_chardev_init();
	if (err)
		goto err_chardev;
	return 0;

err_chardev:
	ktap_netlink_exit();
	delete_probes();
err_netlink:
	ktap_tracepoint_exit();
err_tracepoint:
	ktap_watchpoint_exit();
err_watchpoint:
	ktap_session_exit();
err_session:
	ktap_modules_exit();
err_modules:
	ktap_scope_exit();
	return err;
}

static void __exit ktap_exit(void)
{
	ktap_guard_exit();
	ktap_chardev_exit();
	ktap_netlink_exit();
	ktap_session_exit();
	delete_probes();
	ktap_modules_exit();
	ktap_ftrace_exit();
	ktap_finish_exit();
	ktap_tracepoint_exit();
	ktap_watchpoint_exit();
	ktap_scope_exit();
	ktap_scratch_exit();
}

module_init(ktap_init);
module_exit(ktap_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ktap: dynamic probes without tracefs or BPF");
MODULE_VERSION(KTAP_MODULE_VERSION);
