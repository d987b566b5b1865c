// SPDX-License-Identifier: GPL-2.0
/* The program and the sessions that all attempts share. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

const struct ktap_insn good_prog[3] = { REG(0, 0), STORE(0, 8, 0, NOBIT),
					END() };
const struct ktap_insn stack_prog[3] = { KSTACK(0, 16), STORE(0, 8, 0, NOBIT),
					 END() };

int xioctl(int fd, unsigned long cmd, void *arg)
{
	return ioctl(fd, cmd, arg) < 0 ? -errno : 0;
}

int session_open(void)
{
	struct ktap_session_setup setup = { .subbuf_size = 4096,
					    .ring_size = 16384,
					    .flags = KTAP_SESSION_F_SELF };
	int fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);

	if (fd < 0 || xioctl(fd, KTAP_IOC_SETUP, &setup))
		die("/dev/ktap");
	return fd;
}

int session_attach(int fd, uint32_t id)
{
	struct ktap_session_attach arg = { .id = id };

	return xioctl(fd, KTAP_IOC_ATTACH, &arg);
}

int session_detach(int fd, uint32_t id)
{
	struct ktap_session_attach arg = { .id = id };

	return xioctl(fd, KTAP_IOC_DETACH, &arg);
}
