// SPDX-License-Identifier: GPL-2.0
/*
 * Module init and exit. An open session holds a reference on the module, so only probes
 * are left to remove at exit.
 */
#include <linux/module.h>

#include "backend/ftrace.h"
#include "backend/timer.h"
#include "backend/tracepoint.h"
#include "backend/watchpoint.h"
#include "core/arming.h"
#include "core/chardev.h"
#include "core/counters.h"
#include "core/lockdown.h"
#include "core/modules.h"
#include "core/netlink.h"
#include "core/probe.h"
#include "core/scope.h"
#include "core/session.h"
#include "core/sweep.h"
#include "hit/clock.h"
#include "hit/guard.h"
#include "hit/scratch.h"
#include "hit/user_wait.h"

/* No more requests can arrive. Waits for the ones that are queued. */
static void delete_probes(void)
{
	ktap_probes_delete_all();
	ktap_sweep_exit();
	ktap_arming_exit();
	ktap_probes_exit();
}

static int __init ktap_init(void)
{
	int err;

	ktap_clock_init();
	ktap_guard_init();
	err = ktap_scratch_init();
	if (err)
		return err;
	err = ktap_counters_init();
	if (err)
		goto err_counters;
	err = ktap_arming_init();
	if (err)
		goto err_arming;
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
	err = ktap_timer_init();
	if (err)
		goto err_timer;
	err = ktap_tracepoint_init();
	if (err)
		goto err_tracepoint;
	err = ktap_netlink_init();
	if (err)
		goto err_netlink;
	/* the last step: from here on an open session holds the module */
	err = ktap_chardev_init();
	if (err)
		goto err_chardev;
	return 0;

err_chardev:
	/* requests may have created and armed probes already */
	ktap_lockdown_exit();
	ktap_sweep_stop();
	ktap_netlink_exit();
	ktap_probes_delete_all();
err_netlink:
	ktap_tracepoint_exit();
err_tracepoint:
	ktap_timer_exit();
err_timer:
	ktap_watchpoint_exit();
err_watchpoint:
	ktap_session_exit();
err_session:
	ktap_modules_exit();
err_modules:
	delete_probes();
	ktap_ftrace_exit();
	ktap_scope_exit();
	ktap_user_wait_exit();
err_arming:
	ktap_counters_exit();
err_counters:
	ktap_scratch_exit();
	return err;
}

static void __exit ktap_exit(void)
{
	ktap_sweep_stop();
	ktap_lockdown_exit();
	ktap_chardev_exit();
	ktap_netlink_exit();
	ktap_session_exit();
	delete_probes();
	ktap_modules_exit();
	ktap_ftrace_exit();
	ktap_tracepoint_exit();
	ktap_timer_exit();
	ktap_watchpoint_exit();
	ktap_scope_exit();
	ktap_user_wait_exit();
	ktap_counters_exit();
	ktap_scratch_exit();
}

module_init(ktap_init);
module_exit(ktap_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ktap: dynamic probes without tracefs or BPF");
MODULE_VERSION(KTAP_MODULE_VERSION);
