// SPDX-License-Identifier: GPL-2.0
/*
 * Loops of programs that have probes on them and come to odd ends. What they
 * call is not counted: they are killed, and their code goes under their feet.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../nlraw/nlraw.h"
#include "../../../../kunit/insn.h"
#include "../tell/tell.h"
#include "torture.h"

#define COPY "/tmp/torture.copy"

static struct sock *sock;

static void begin(struct chance *c)
{
	(void)c;
	sock = sock_open();
}

static int make(const char *name, uint32_t type, int fd, uint64_t offset)
{
	static const struct ktap_insn prog[] = {
		REG(0, 0),
		FAULTS(8, 0),
		STRING(0, 24, 8, USER),
		END(),
	};
	struct answer *a =
		request(sock, KTAP_CMD_PROBE_NEW,
			ATTRS(A_BIN(KTAP_A_NAME, name, strlen(name) + 1),
			      A_U32(KTAP_A_TYPE, type), A_U32(KTAP_A_FD, fd),
			      A_U64(KTAP_A_OFFSET, offset),
			      A_BIN(KTAP_A_PROG, prog, sizeof(prog)), A_END));

	return a->error ? a->error : (int)answer_u32(a, KTAP_A_ID);
}

/* ---- a file whose code is probed, is cut, and is gone ------------------------------ */

static bool copy_self(void)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to;
	struct stat st;
	off_t at = 0;
	bool good;

	unlink(COPY);
	to = open(COPY, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	good = from >= 0 && to >= 0 && !fstat(from, &st);
	while (good && at < st.st_size)
		good = sendfile(to, from, &at, st.st_size - at) > 0;
	close(from);
	close(to);
	return good;
}

/*
 * The child maps the code of the copy where it can be executed, which puts
 * breakpoints in, and takes it away again.
 */
static void map_and_unmap(void)
{
	long page = sysconf(_SC_PAGESIZE);
	uint64_t at = file_offset((void *)u_torture) & -page;
	int fd = open(COPY, O_RDONLY | O_CLOEXEC);
	int i;

	for (i = 0; fd >= 0 && i < 50; i++) {
		void *code = mmap(NULL, page, PROT_READ | PROT_EXEC,
				  MAP_PRIVATE, fd, at);

		if (code == MAP_FAILED)
			break;
		mprotect(code, page, PROT_READ);
		mprotect(code, page, PROT_READ | PROT_EXEC);
		munmap(code, page);
	}
	_exit(0);
}

static bool cut_file(struct chance *c)
{
	int fd, ids[2], i;
	bool good;
	pid_t pid;

	fd = copy_self() ? open(COPY, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	ids[0] = make("cut", KTAP_TYPE_UPROBE, fd, file_offset((void *)u_torture));
	ids[1] = make("cut-return", KTAP_TYPE_URETPROBE, fd,
		      file_offset((void *)u_deep));
	good = ids[0] > 0 && ids[1] > 0;
	for (i = 0; i < 2; i++)
		if (ids[i] > 0)
			probe_enable(sock, ids[i], true);
	if (chance_below(c, 2))
		good &= RUN(COPY, "spin", "20");
	pid = fork();
	if (!pid)
		map_and_unmap();
	sleep_ms(chance_below(c, 50));
	good &= !truncate(COPY, 4096 * chance_below(c, 3));
	unlink(COPY);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	for (i = 0; i < 2; i++)
		if (ids[i] > 0)
			good &= !probe_del(sock, ids[i]);
	close(fd);
	return good;
}

/* ---- forks, and deaths in the middle of calls ----------------------------------------- */

#define SPIN "/root/spin"

/* What is run by that name is this program: its functions are probed too. */
static void begin_forks(struct chance *c)
{
	int fd = open(SPIN, O_RDONLY | O_CLOEXEC);
	int id;

	begin(c);
	id = make("forks", KTAP_TYPE_UPROBE, fd, file_offset((void *)u_torture));
	probe_enable(sock, id, true);
	id = make("forks-return", KTAP_TYPE_URETPROBE, fd,
		  file_offset((void *)u_deep));
	probe_enable(sock, id, true);
	close(fd);
}

static bool forks(struct chance *c)
{
	const char *const spin[] = { SPIN, "spin", "300", NULL };
	pid_t pids[3];
	int i;

	for (i = 0; i < 3; i++)
		pids[i] = start(spin);
	sleep_ms(chance_below(c, 300));
	for (i = 0; i < 3; i++)
		if (pids[i] > 0) {
			kill(pids[i], chance_below(c, 2) ? SIGKILL : SIGTERM);
			waitpid(pids[i], NULL, 0);
		}
	return pids[0] > 0;
}

/* ---- memory that comes late ------------------------------------------------------------ */

static void begin_late(struct chance *c)
{
	(void)c;
	RUN("ktap", "add", "-x", "/root/late",
	    "late_text=l_string s=+0(%di):ustring");
	RUN("ktap", "enable", "late_text");
}

static bool call_late(struct chance *c)
{
	static const char *const ways[] = { "0", "20", "200", "never" };
	const char *const argv[] = { "/root/late", ways[chance_below(c, 4)],
				     NULL };

	if (chance_below(c, 3))
		return run(argv);
	return await(start(argv), chance_below(c, 300)) != -1;
}

static bool can_late(void)
{
	return exists("/root/late");
}

const struct loop user_loops[] = { { "cut", NULL, begin, cut_file, NULL },
				   { "forks", NULL, begin_forks, forks, NULL },
				   { "late", can_late, begin_late, call_late, NULL },
				   { NULL, NULL, NULL, NULL, NULL } };
