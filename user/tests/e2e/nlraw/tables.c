// SPDX-License-Identifier: GPL-2.0
/* Tables of unwind information: what is refused, what leads hits astray, and how they end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nlraw.h"
#include "../../../../kunit/insn.h"

static const struct ktap_insn ustack_prog[3] = { USTACK(0, KTAP_STACK_FRAMES_MAX),
						 STORE(0, 8, 0, NOBIT), END() };

static uint32_t pcs[3] = { 0, 1, 0xffffffff };
static uint16_t rows[3] = { 0, 1, 0 };
static struct ktap_user_rule rules[2] = {
	{ .kind = KTAP_USER_RULE_SP, .cfa = 1, .ra = -1 },
	{ .kind = KTAP_USER_RULE_FP, .cfa = -32768, .fp = 32767, .ra = 1 },
};

static struct ktap_session_table good(void)
{
	return (struct ktap_session_table){
		.fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC),
		.nr_rows = 3, .nr_rules = 2, .pcs = (uintptr_t)pcs,
		.rows = (uintptr_t)rows, .rules = (uintptr_t)rules,
	};
}

static void refused(int fd, struct ktap_session_table t, int error, const char *what)
{
	is_error(xioctl(fd, KTAP_IOC_USER_TABLE, &t), -error, "tables: %s", what);
}

static void try_refused(int fd)
{
	struct ktap_session_table t = good(), bad = t;

	bad.fd = -1;
	refused(fd, bad, EBADF, "no file");
	bad.fd = fd;
	refused(fd, bad, EINVAL, "a device");
	bad = t;
	bad.fd = open("/", O_RDONLY | O_CLOEXEC);
	refused(fd, bad, EINVAL, "a directory");
	close(bad.fd);
	bad.fd = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	refused(fd, bad, EBADF, "a path");
	close(bad.fd);
	bad = t;
	bad.nr_rows = KTAP_USER_ROWS_MAX + 1;
	refused(fd, bad, EINVAL, "too many rows");
	bad.nr_rows = ~0U;
	refused(fd, bad, EINVAL, "2^32 - 1 rows");
	bad = t;
	bad.nr_rules = KTAP_USER_RULES_MAX + 1;
	refused(fd, bad, EINVAL, "too many rules");
	bad.nr_rules = 0;
	refused(fd, bad, EINVAL, "no rules");
	bad.nr_rules = 1;
	refused(fd, bad, EINVAL, "a rule that is not there");
	bad = t;
	bad.pcs = 0;
	refused(fd, bad, EFAULT, "no offsets");
	bad = t;
	bad.rows = ~0ULL << 47;
	refused(fd, bad, EFAULT, "rows in the kernel");
	bad = t;
	bad.nr_rows = KTAP_USER_ROWS_MAX;
	refused(fd, bad, EFAULT, "rows beyond the memory");
	pcs[2] = 1;
	refused(fd, t, EINVAL, "an offset twice");
	pcs[2] = 0;
	refused(fd, t, EINVAL, "offsets that descend");
	pcs[2] = 0xffffffff;
	rules[1].kind = __KTAP_USER_RULES;
	refused(fd, t, EINVAL, "a kind that does not exist");
	rules[1].kind = KTAP_USER_RULE_FP;
	rules[1].reserved = 1;
	refused(fd, t, EINVAL, "something reserved");
	rules[1].reserved = 0;
	refused(fd, t, 0, "a good one");
	refused(fd, t, 0, "and again");
	close(t.fd);
}

/* ---- tables that are wrong ---- */

static void random_table(struct ktap_session_table *t)
{
	for (size_t i = 0; i < 2; i++)
		rules[i] = (struct ktap_user_rule){
			.kind = random() % __KTAP_USER_RULES, .cfa = random(),
			.fp = random() % 3 ? 0 : random(), .ra = random() % 2 ? -1 : random(),
		};
	pcs[1] = 1 + random() % 0xfffffffe;
	t->fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static uint32_t new_probe(struct sock *s)
{
	const struct attr attrs[] = {
		A_STR(KTAP_A_NAME, "tables"), A_STR(KTAP_A_SYMBOL, "vfs_read"), GOOD_TYPE,
		A_BIN(KTAP_A_PROG, ustack_prog, sizeof(ustack_prog)), {}
	};
	const struct answer *a = request(s, KTAP_CMD_PROBE_NEW, attrs);

	is_error(a->error, 0, "tables: a probe with a user stack");
	return answer_u32(a, KTAP_A_ID);
}

static void hit_astray(uint32_t id)
{
	int null = open("/dev/zero", O_RDONLY | O_CLOEXEC), fd, bad = 0;
	unsigned int nr = fewer(300);
	struct ktap_session_table t;
	char c;

	for (unsigned int i = 0; i < nr; i++) {
		fd = session_open();
		t = good();
		close(t.fd);
		random_table(&t);
		bad += xioctl(fd, KTAP_IOC_USER_TABLE, &t) != 0;
		bad += session_attach(fd, id) != 0;
		bad += read(null, &c, 1) != 1;
		close(t.fd);
		close(fd);
	}
	close(null);
	ok(!bad, "tables: %u that are wrong lead nowhere", nr);
}

/* ---- two sessions, one table ---- */

static uint32_t flags_of(int fd, uint32_t file)
{
	struct ktap_user_file one = { 0 };
	struct ktap_session_files arg = {
		.files = (uintptr_t)&one, .room = 1, .from = file,
	};

	if (xioctl(fd, KTAP_IOC_USER_FILES, &arg) || arg.nr != 1 || one.file != file)
		return ~0U;
	return one.flags;
}

static void try_shared(void)
{
	struct ktap_session_files arg = { 0 };
	int a = session_open(), b = session_open(), c = session_open();
	struct ktap_session_table t = good(), u = t, other = t;

	other.fd = open("/bin/busybox", O_RDONLY | O_CLOEXEC);
	is_error(xioctl(c, KTAP_IOC_USER_FILES, &arg), -ENOENT, "tables: files of a session without");
	is_error(xioctl(a, KTAP_IOC_USER_TABLE, &t), 0, "tables: of one session");
	set_limit("ring_total_max", 1);
	is_error(xioctl(b, KTAP_IOC_USER_TABLE, &u), 0,
		 "tables: and of another, which need not pay for it");
	refused(b, other, ENOSPC, "one that is not there is paid for");
	set_limit("ring_total_max", 0);
	ok(t.file && t.file == u.file, "tables: one file has one number");
	u.nr_rows = 0;
	is_error(xioctl(c, KTAP_IOC_USER_TABLE, &u), 0, "tables: a number only");
	close(other.fd);
	close(a);
	ok(flags_of(c, t.file) == KTAP_USER_FILE_F_TABLE, "tables: the second session keeps it");
	close(b);
	ok(flags_of(c, t.file) == 0, "tables: it ends with the last one");
	close(c);
	close(t.fd);
}

/* ---- a file that changes after its table was made ---- */

static void try_changed(void)
{
	int fd = session_open(), file = open("changes", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct ktap_session_table t = good(), number;
	void *map;

	close(t.fd);
	t.fd = file;
	if (ftruncate(file, 4096))
		die("changes");
	number = t;
	number.nr_rows = 0;
	is_error(xioctl(fd, KTAP_IOC_USER_TABLE, &number), 0, "tables: a number");
	if (ftruncate(file, 8192))
		die("changes");
	t.file = number.file;
	refused(fd, t, ESTALE, "of what the file was");
	ok(flags_of(fd, number.file) == 0, "tables: what it was has none");
	t.file = 0;
	is_error(xioctl(fd, KTAP_IOC_USER_TABLE, &t), 0, "tables: of what it is");
	ok(t.file != number.file, "tables: that has another number");
	number.file = t.file;
	is_error(xioctl(fd, KTAP_IOC_USER_TABLE, &number), 0, "tables: and keeps it");
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	number.file = 0;
	is_error(xioctl(fd, KTAP_IOC_USER_TABLE, &number), 0, "tables: of one that is mapped");
	if (map == MAP_FAILED || ftruncate(file, 12288))
		die("changes");
	is_error(xioctl(fd, KTAP_IOC_USER_TABLE, &number), 0,
		 "tables: a change of one that is mapped for writing");
	munmap(map, 4096);
	unlink("changes");
	close(file);
	close(fd);
}

void try_tables(void)
{
	struct sock *s = sock_open();
	int fd = session_open();
	uint32_t id;

	srandom(1);
	try_refused(fd);
	close(fd);
	try_shared();
	try_changed();
	id = new_probe(s);
	hit_astray(id);
	probe_del(s, id);
	sock_close(s);
}
