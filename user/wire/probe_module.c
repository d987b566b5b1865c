// SPDX-License-Identifier: GPL-2.0
/*
 * Loading a probe module. The kernel knows modules by name only, so of two commands that
 * do this at once none may unload the module of the other: an idle module is unloaded with its
 * device open, which one process at a time can have, and after its session was seen to be
 * the one that was found idle.
 */
#include "wire/probe_module.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ktap_image.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/elf_section.h"
#include "base/signature.h"
#include "wire/loaded.h"

#define SUFFIX		".ko"
#define DEVICE		"/dev/ktap-"
#define MODINFO		".modinfo"
#define KMSG		"/dev/kmsg"

/* Of strings; a module has a few hundred bytes of them. */
#define MODINFO_MAX	(64UL << 10)

/*
 * Others may load and unload meanwhile: so often it is tried again, after so long. While
 * the kernel says that the module comes or goes it is tried for longer: to disarm probes
 * can take seconds.
 */
#define TRIES		20
#define TRIES_BUSY	400
#define TRY_US		50000

/* ---- the file ---------------------------------------------------------------------- */

bool probe_module_is_one(const char *word)
{
	size_t length = strlen(word), suffix = strlen(SUFFIX);

	return length > suffix && !strcmp(word + length - suffix, SUFFIX);
}

/* Return: the value of @key among strings KEY=VALUE, or NULL. */
static const char *value_of(const char *info, size_t size, const char *key)
{
	size_t length = strlen(key), n;

	for (; size; info += n, size -= n) {
		n = strnlen(info, size);
		if (n == size)
			return NULL;
		if (!strncmp(info, key, length) && info[length] == '=')
			return info + length + 1;
		n++;
	}
	return NULL;
}

static bool is_name(const char *name)
{
	size_t length = strlen(name);

	return length && length < PROBE_MODULE_NAME_SIZE &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == length;
}

/* The first word of vermagic is the release. */
static void set_release(struct probe_module *m, const char *vermagic)
{
	size_t length = strcspn(vermagic, " ");

	if (length >= sizeof(m->release))
		length = 0;
	memcpy(m->release, vermagic, length);
	m->release[length] = '\0';
}

static bool read_info(struct probe_module *m)
{
	_cleanup_free_ char *info = NULL;
	struct elf_section section;
	const char *name, *vermagic;

	if (!elf_section_find(m->fd, KTAP_IMAGE_SECTION, &section) ||
	    !elf_section_find(m->fd, MODINFO, &section) ||
	    section.size > MODINFO_MAX)
		return false;
	info = malloc(section.size + 1);
	if (!info || pread(m->fd, info, section.size, section.offset) !=
		     (ssize_t)section.size)
		return false;
	name = value_of(info, section.size, "name");
	if (!name || !is_name(name))
		return false;
	snprintf(m->name, sizeof(m->name), "%s", name);
	vermagic = value_of(info, section.size, "vermagic");
	set_release(m, vermagic ? vermagic : "");
	return true;
}

int probe_module_open(const char *path, struct diag *d, struct probe_module *ret)
{
	struct stat st;

	*ret = (struct probe_module){
		.path = path,
		/* opening a FIFO without a writer must not block */
		.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK),
	};
	if (ret->fd < 0 || fstat(ret->fd, &st))
		return diag_set(d, -errno, DIAG_PROBE_MODULE_READ, path,
				strerror(errno));
	if (S_ISREG(st.st_mode) && read_info(ret))
		return 0;
	probe_module_close(ret);
	diag_set(d, -EINVAL, DIAG_PROBE_MODULE_FOREIGN, path);
	diag_hint(d, "'ktap module' makes them");
	return -EINVAL;
}

void probe_module_close(struct probe_module *m)
{
	cleanup_closep(&m->fd);
	m->fd = -1;
}

/* ---- why the kernel refuses ---------------------------------------------------------- */

static int open_log(void)
{
	int fd = open(KMSG, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* "PRIORITY,NUMBER,TIME,FLAGS;TEXT\n", then lines that begin with a blank. */
static char *text_of(char *record)
{
	char *text = strchr(record, ';');

	if (!text)
		return NULL;
	text++;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

/* The next line of the log. Return: NULL: there is none. */
static char *next_line(int log, char *record, size_t size)
{
	ssize_t n;

	for (;;) {
		n = log < 0 ? 0 : read(log, record, size - 1);
		/* EPIPE: records were overwritten before they were read */
		if (n < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (n <= 0)
			return NULL;
		record[n] = '\0';
		return text_of(record);
	}
}

/* That it taints the kernel is said of each module, and is no reason. */
static bool tells_why(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at && at[strlen(name)] == ':' && !strstr(text, "taint");
}

/* @log: at the end of the log before the module was loaded */
static void hint_log(int log, const struct probe_module *m, struct diag *d)
{
	char record[8192], *text;

	do
		text = next_line(log, record, sizeof(record));
	while (text && !tells_why(text, m->name));
	if (text)
		diag_hint(d, "the kernel's log says: %s", text);
}

static const char *reason(int err)
{
	switch (err) {
	case ENOEXEC:
		return "it was made for another kernel, or for another build of ktap.ko";
	/* a symbol; or an event of perf, in its initialization */
	case ENOENT:
		return "it was made for another kernel, or for another build of ktap.ko, or it reads a counter that this machine lacks";
	case EPERM:
		return "this needs CAP_SYS_MODULE, and the sysctl kernel.modules_disabled must be 0";
	case EINVAL:
		return "it was made for another build of ktap.ko, or its probes or parameters are refused";
	default:
		return strerror(err);
	}
}

/* ---- signatures ------------------------------------------------------------------- */

#define SIGN "ktap module --sign-key KEY.pem --sign-cert CERT.pem"

static bool is_signed(const struct probe_module *m)
{
	char end[sizeof(SIGNATURE_MARK) - 1];
	struct stat st;

	return !fstat(m->fd, &st) && st.st_size > (off_t)sizeof(end) &&
	       pread(m->fd, end, sizeof(end), st.st_size - sizeof(end)) ==
		       sizeof(end) &&
	       !memcmp(end, SIGNATURE_MARK, sizeof(end));
}

static bool is_of_signature(int err)
{
	char mode[32];

	if (err == EPERM)
		return locked_down(mode, sizeof(mode));
	return err == EKEYREJECTED || err == ENOKEY || err == EBADMSG || err == ENOPKG;
}

/* struct rejection - why the kernel does not accept a signature, and what to do */
struct rejection {
	const char *why;
	const char *hint;
};

/*
 * The error is the same for a foreign key and for a changed module, but the kernel logs only
 * the former. It names no module there: before 6.1 it does not know the name yet.
 */
static struct rejection judge(int err, int log)
{
	char record[8192], *text;

	if (err == EPERM)
		return (struct rejection){
			"this needs CAP_SYS_MODULE, and kernel lockdown wants a signature with a key that it trusts",
			"sign it: " SIGN,
		};
	while ((text = next_line(log, record, sizeof(record)))) {
		if (strstr(text, "unavailable key"))
			return (struct rejection){
				"it does not trust the key that the module is signed with",
				"sign it with another: " SIGN,
			};
		if (strstr(text, "unsupported crypto"))
			return (struct rejection){
				"it does not have the algorithm that the module is signed with",
				"sign it with another: ktap module --sign-hash=sha256|sha384|sha512",
			};
	}
	if (log < 0)
		return (struct rejection){
			"it does not trust the key that the module is signed with, or the module was changed after that",
			"the kernel's log has the reason: dmesg | tail",
		};
	return (struct rejection){
		"it was changed after it was signed",
		"copy it again, or make it again",
	};
}

static int explain_signature(const struct probe_module *m, int err, int log,
			     struct diag *d)
{
	const struct rejection none = {
		"it is not signed, and this kernel takes only modules that are signed with a key that it trusts",
		"sign it: " SIGN,
	};
	struct rejection r = is_signed(m) ? judge(err, log) : none;

	diag_set(d, -err, DIAG_PROBE_MODULE_REFUSED, m->path, r.why);
	diag_hint(d, "%s", r.hint);
	return -err;
}

static int explain(const struct probe_module *m, int err, int log,
		   struct diag *d)
{
	struct utsname u;

	if (is_of_signature(err))
		return explain_signature(m, err, log, d);
	uname(&u);
	if (err == ENOEXEC && m->release[0] && strcmp(m->release, u.release))
		diag_set(d, -err, DIAG_PROBE_MODULE_KERNEL, m->path, m->release,
			 u.release);
	else
		diag_set(d, -err, DIAG_PROBE_MODULE_REFUSED, m->path,
			 reason(err));
	hint_log(log, m, d);
	if (err != EPERM)
		diag_hint(d, "the kernel's log has the reason: dmesg | tail");
	return -err;
}

/* ---- the device ---------------------------------------------------------------------- */

static int open_device(const struct probe_module *m)
{
	char path[sizeof(DEVICE) + PROBE_MODULE_NAME_SIZE];
	int fd;

	snprintf(path, sizeof(path), DEVICE "%s", m->name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int probe_module_tie(struct probe_module *m, struct diag *d)
{
	struct ktap_module_tie tie = { 0 };
	int fd = open_device(m), err;

	/* another command may be looking whether it is idle */
	for (int i = 0; fd == -EBUSY && i < TRIES; i++) {
		usleep(TRY_US);
		fd = open_device(m);
	}
	if (fd < 0)
		return diag_set(d, fd, DIAG_PROBE_MODULE_DEVICE, m->name,
				strerror(-fd));
	err = ioctl(fd, KTAP_IOC_TIE, &tie) ? -errno : 0;
	m->session = tie.session;
	if (!err)
		return fd;
	close(fd);
	return diag_set(d, err, DIAG_PROBE_MODULE_TIE, m->name, strerror(-err));
}

/* ---- the module ---------------------------------------------------------------------- */

/* Return: 0 or a negative errno. */
static int insert(const struct probe_module *m,
		  const struct probe_module_params *p)
{
	uint64_t ring_kb = p->ring_size >> 10;
	char params[128];
	int length;

	/* 0 would be the default */
	if (p->ring_size && !ring_kb)
		ring_kb = 1;
	length = snprintf(params, sizeof(params), "tied=1 mode=%s ring_kb=%llu pid=%d",
			  p->overwrite ? "overwrite" : "keep",
			  (unsigned long long)ring_kb, p->pid);
	/* older modules do not know it */
	if (p->nr_rows)
		snprintf(params + length, sizeof(params) - length, " rows=%llu",
			 (unsigned long long)p->nr_rows);
	return syscall(SYS_finit_module, m->fd, params, 0) ? -errno : 0;
}

/* struct found - the session of a module that is loaded */
struct found {
	uint64_t session;
	enum ktap_module_state state;
	pid_t pid;
};

/* Return: 1; 0: there is no such probe module; a negative errno. */
static int find(struct ctl *ctl, const char *name, struct diag *d,
		struct found *ret)
{
	struct ctl_sessions all;
	int err, found = 0;

	err = ctl_sessions_get(ctl, d, &all);
	if (err)
		return err;
	for (size_t i = 0; i < all.nr; i++) {
		const struct ctl_session *s = &all.sessions[i];

		if (!s->module || strcmp(s->module, name) ||
		    s->state == KTAP_MODULE_REMOVED)
			continue;
		*ret = (struct found){ s->session, s->state, s->pid };
		found = 1;
	}
	ctl_sessions_deinit(&all);
	return found;
}

static int unload(const struct probe_module *m, struct diag *d)
{
	int err = syscall(SYS_delete_module, m->name, O_NONBLOCK) ? -errno : 0;

	if (!err || err == -ENOENT)
		return 0;
	return diag_set(d, err, DIAG_PROBE_MODULE_UNLOAD, m->name,
			strerror(-err));
}

int probe_module_unload(struct ctl *ctl, const struct probe_module *m,
			struct diag *d)
{
	struct found f;
	int ret = m->session ? find(ctl, m->name, d, &f) : 1;

	if (ret > 0 && m->session && f.session != m->session)
		ret = 0;
	return ret > 0 ? unload(m, d) : ret;
}

static bool is_alive(pid_t pid)
{
	return pid && (!kill(pid, 0) || errno != ESRCH);
}

static int in_use(const struct probe_module *m, pid_t pid, struct diag *d)
{
	_cleanup_fclose_ FILE *f = NULL;
	char path[64], comm[64] = "?";

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "re");
	if (f && fgets(comm, sizeof(comm), f))
		comm[strcspn(comm, "\n")] = '\0';
	return diag_set(d, -EBUSY, DIAG_PROBE_MODULE_IN_USE, m->name, comm, pid);
}

/* Return: 1: it was unloaded; 0: it is another one by now; a negative errno. */
static int unload_left(struct ctl *ctl, const struct probe_module *m,
		       const struct found *left, struct diag *d)
{
	_cleanup_close_ int fd = open_device(m);
	struct found now;
	int ret;

	if (fd < 0)
		return 0;
	ret = find(ctl, m->name, d, &now);
	if (ret <= 0 || now.session != left->session)
		return ret < 0 ? ret : 0;
	ret = unload(m, d);
	return ret ? ret : 1;
}

static int others(const struct probe_module *m, struct diag *d)
{
	diag_set(d, -EBUSY, DIAG_PROBE_MODULE_LOADED, m->name);
	diag_hint(d, "rmmod %s", m->name);
	return -EBUSY;
}

/*
 * A module of that name is loaded. Without a session it is no probe module, or it is
 * being removed. Return: as unload_left().
 */
static int make_way(struct ctl *ctl, const struct probe_module *m,
		    struct diag *d)
{
	struct found f;
	int ret;

	ret = find(ctl, m->name, d, &f);
	if (ret <= 0)
		return ret;
	/* what is left of a command that was killed may be unloaded */
	if ((f.state == KTAP_MODULE_IDLE || f.state == KTAP_MODULE_WAITS) &&
	    !is_alive(f.pid))
		return unload_left(ctl, m, &f, d);
	return f.state == KTAP_MODULE_ARMED ? others(m, d) : in_use(m, f.pid, d);
}

/*
 * Since Linux 6.5 finit_module() of a file that another process is loading waits, and
 * returns what the other gets: 0, too. The owner of the session says whose it is. (Where
 * that is a process of another PID namespace, it looks dead, and the session is ours.)
 * Return: 1: it is ours; 0: it is not; a negative errno.
 */
static int claim(struct ctl *ctl, struct probe_module *m, struct diag *d)
{
	struct found f;
	int ret = find(ctl, m->name, d, &f);

	if (ret <= 0)
		return ret;
	if (f.pid != getpid() && is_alive(f.pid))
		return 0;
	m->session = f.session;
	return 1;
}

int probe_module_load(struct ctl *ctl, struct probe_module *m,
		      const struct probe_module_params *params, struct diag *d)
{
	_cleanup_close_ int log = open_log();
	int err = -EEXIST, ret = 0, made;

	for (int i = 0; i < (err == -EBUSY ? TRIES_BUSY : TRIES); i++) {
		err = insert(m, params);
		made = err ? 0 : claim(ctl, m, d);
		if (made)
			return made < 0 ? made : ret;
		if (!err)
			err = -EEXIST;
		/* EBUSY: a module of that name comes or goes, since Linux 6.1 */
		if (err != -EEXIST && err != -EBUSY)
			break;
		made = err == -EEXIST ? make_way(ctl, m, d) : 0;
		if (made < 0)
			return made;
		if (made)
			ret = 1;
		else
			usleep(TRY_US);
	}
	return err == -EEXIST ? others(m, d) : explain(m, -err, log, d);
}
