// SPDX-License-Identifier: GPL-2.0
/* A kernel that is locked down while probes are there. There is no way back. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "nlraw.h"

#define TEXT "kernel lockdown forbids kprobes"

static void lock_down(void)
{
	int fd;

	mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL);
	fd = open("/sys/kernel/security/lockdown", O_WRONLY);
	if (fd < 0 || write(fd, "confidentiality", 15) != 15)
		die("/sys/kernel/security/lockdown");
	close(fd);
}

void try_lockdown(void)
{
	struct sock *s = sock_open();
	int id = probe_new(s, "before", 0, 0), fd = session_open();
	int armed = probe_new(s, "armed", 0, 0);
	const struct answer *a;

	is_error(probe_enable(s, armed, true), 0, "lockdown: enabled before");
	lock_down();
	a = request(s, KTAP_CMD_PROBE_NEW,
		    ATTRS(A_STR(KTAP_A_NAME, "after"), GOOD_TYPE, GOOD_PLACE,
			  GOOD_PROG, A_END));
	is_error(a->error, -EPERM, "lockdown: new: error");
	ok(!strcmp(a->text, TEXT), "lockdown: new: \"%s\"", TEXT);
	a = request(s, KTAP_CMD_PROBE_SET,
		    ATTRS(A_U32(KTAP_A_ID, id), A_U8(KTAP_A_ENABLED, 1), A_END));
	is_error(a->error, -EPERM, "lockdown: enable: error");
	ok(!strcmp(a->text, TEXT), "lockdown: enable: \"%s\"", TEXT);
	is_error(session_attach(fd, id), -EPERM, "lockdown: attach");
	is_error(probe_enable(s, armed, false), 0,
		 "lockdown: what was armed can be disarmed");
	is_error(probe_del(s, id), 0, "lockdown: and deleted");
	is_error(probe_del(s, armed), 0, "lockdown: both");
	close(fd);
	sock_close(s);
}
