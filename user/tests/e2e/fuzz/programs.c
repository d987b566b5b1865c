// SPDX-License-Identifier: GPL-2.0
/*
 * Programs in the kernel and here. The verifier, the costs and the interpreter
 * are the module's own files, compiled for user space: what they say of a program
 * is what the module has to say, and what a hit records is what they make of the
 * same arguments over the same memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hit/cost.h"
#include "made_state.h"
#include "programs.h"
#include "ready.h"

#define PARAMETERS	"/sys/module/ktap_image/parameters/"
#define TASK_NAME	"fuzz-programs"

#define BATCH		24
#define RING		(512UL << 10)
#define SUBBUF		(RING / 4)
#define PAGE		4096UL
#define TOLD_MAX	8	/* differences that are shown */
#define ENOUGH_PROGRAMS	100000UL /* by then a run has seen every kind */

static const struct kind kinds[] = {
	{ "kprobe", KTAP_TYPE_KPROBE, .hook = "kprobe" },
	{ "ftrace", KTAP_TYPE_KPROBE, .hook = "ftrace" },
	{ "kretprobe", KTAP_TYPE_KRETPROBE, .is_return = true },
	{ "tracepoint", KTAP_TYPE_TRACEPOINT, .no_regs = true },
	{ "uprobe", KTAP_TYPE_UPROBE, .is_user = true },
	{ "uretprobe", KTAP_TYPE_URETPROBE, .is_user = true,
	  .is_return = true },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/**
 * struct trial - one program
 * @entry: what runs before it, if @nr_entry
 * @refusal: text that it is to be refused with, or NULL
 * @id: of its probe, once it is attached; 0: it is not
 * @len: bytes of its payload, or KTAP_FETCH_FILTERED
 * @strange: its payload says nothing
 */
struct trial {
	struct ktap_insn insns[INSNS_MAX], entry[INSNS_MAX];
	uint32_t nr, nr_entry;
	struct ktap_prog_info info, entry_info;
	const char *refusal;
	uint32_t id;
	int len;
	bool strange;
	uint8_t payload[KTAP_RECORD_MAX + 8];
};

/* struct sums - of all rounds */
static struct sums {
	unsigned long programs, accepted, compared, recorded, strange, full;
	unsigned long wrong;
	unsigned long by_kind[NR_KINDS];
} sums;

static struct trial trials[BATCH];
static struct scene scene;
static struct sock *sock;
static int fd, self;
static volatile struct ktap_ring_consumer *cons;
static volatile const struct ktap_ring_producer *prod;

/* ---- differences --------------------------------------------------------------------- */

static void print_insns(const char *what, const struct ktap_insn *i, uint32_t nr)
{
	for (; nr--; i++)
		printf("#   %s op %u dst %u a %u b %u size %u flags %u off %u imm %#llx\n",
		       what, i->op, i->dst, i->a, i->b, i->size, i->flags, i->off,
		       (unsigned long long)i->imm);
}

static void print_bytes(const char *what, const uint8_t *bytes, int len)
{
	int i;

	printf("#   %s, %d bytes:", what, len);
	for (i = 0; i < len && i < 256; i++)
		printf(" %02x", bytes[i]);
	putchar('\n');
}

/* Something differs. All that there is to know, of the first few. */
static void differs(const struct trial *t, const char *what, const char *got,
		    const char *want)
{
	if (sums.wrong++ >= TOLD_MAX)
		return;
	ok(false, "programs: %s, program %lu: %s", scene.kind->name,
	   sums.programs, what);
	printf("#   in the kernel: %s\n#   here: %s\n", got, want);
	print_insns("entry", t->entry, t->nr_entry);
	print_insns("insn", t->insns, t->nr);
}

static void numbers_differ(const struct trial *t, const char *what,
			   uint64_t got, uint64_t want)
{
	char a[32], b[32];

	if (got == want)
		return;
	snprintf(a, sizeof(a), "%llu", (unsigned long long)got);
	snprintf(b, sizeof(b), "%llu", (unsigned long long)want);
	differs(t, what, a, b);
}

/* ---- what is to come ------------------------------------------------------------------ */

/* Return: why a program is refused, or NULL. */
static const char *expect(const struct ktap_insn *insns, uint32_t nr,
			  const struct ktap_prog_place *place,
			  struct ktap_prog_info *info)
{
	static struct ktap_way ways[INSNS_MAX];
	enum ktap_refusal why;
	uint32_t at;

	memset(info, 0, sizeof(*info));
	why = ktap_verify(insns, nr, place, info, &at);
	if (why)
		return ktap_refusal_text(why);
	ktap_cost_sum(insns, nr, place, info, ways);
	return info->cost > 100000 ? ktap_cost_text(info) : NULL;
}

/* An entry program, if what came out is good for one. */
static void add_entry(struct trial *t, struct chance *c)
{
	const struct ktap_prog_place place =
		ktap_entry_place(scene.kind->is_user);
	struct ktap_prog_info *info = &t->entry_info;

	t->nr_entry = 0;
	if (!scene.kind->is_return || chance_of(c, 20))
		return;
	t->nr_entry = shape_program(c, scene.kind, true, t->entry);
	if (expect(t->entry, t->nr_entry, &place, info) || info->has_filter ||
	    info->record_max - sizeof(struct ktap_rec_head) > KTAP_ENTRY_MAX ||
	    info->nr_strings > KTAP_NR_ENTRY_STRINGS)
		t->nr_entry = 0;
}

static void make(struct trial *t, struct chance *c)
{
	struct ktap_prog_place place = {
		.is_user = scene.kind->is_user,
		.is_return = scene.kind->is_return,
		.no_regs = scene.kind->no_regs,
		.nr_args = scene.kind->no_regs ? KTAP_NR_ARGS : 0,
	};

	add_entry(t, c);
	if (t->nr_entry)
		place.entry = &t->entry_info;
	t->nr = shape_program(c, scene.kind, false, t->insns);
	t->refusal = expect(t->insns, t->nr, &place, &t->info);
	t->id = 0;
	sums.programs++;
}

/* One run here. Return: bytes, or KTAP_FETCH_FILTERED. */
static int run(const struct ktap_insn *insns, uint32_t nr,
	       struct ktap_prog_info *info, const struct ktap_frame *frame,
	       u64 *room)
{
	struct ktap_insn *ready = ready_program(insns, nr);
	int len;

	*room = 0;
	len = ktap_fetch_run(ready, info, frame, (u8 *)(room + 1), room);
	free(ready);
	return len;
}

static void set_regs(struct env_regs *regs)
{
	static const uint8_t args[] = { KTAP_X86_64_DI, KTAP_X86_64_SI,
					KTAP_X86_64_DX, KTAP_X86_64_CX,
					KTAP_X86_64_R8, KTAP_X86_64_R9 };
	uint64_t sum = 0;
	int i;

	memset(regs, 0, sizeof(*regs));
	for (i = 0; i < NR_VALUES; i++) {
		regs->r[args[i]] = scene.values[i];
		sum += scene.values[i];
	}
	regs->r[KTAP_X86_64_AX] = sum;
}

/*
 * The kernel chooses the id of a stack, and knows whether there is a task at an address.
 * Counters go on counting.
 */
static bool is_unknown(const struct ktap_insn *i)
{
	return i->op == KTAP_OP_KSTACK || i->op == KTAP_OP_USTACK || i->op == KTAP_OP_COUNTER ||
	       (i->op == KTAP_OP_STATE_GET && i->flags & KTAP_INSN_F_TASK);
}

static bool has_unknown(const struct trial *t)
{
	for (uint32_t i = 0; i < t->nr; i++)
		if (is_unknown(&t->insns[i]))
			return true;
	return false;
}

static void foresee(struct trial *t)
{
	static u64 room[KTAP_RECORD_MAX / 8 + 16];
	static u64 entry_room[KTAP_RECORD_MAX / 8 + 16];
	struct env_regs regs;
	struct ktap_frame frame = {
		.regs = &regs, .args = scene.values, .nr_args = NR_VALUES,
		.memory = scene.kind->is_user ? ENV_USER : ENV_ANY,
	};

	set_regs(&regs);
	memory_spent = (struct spent){};
	made_state(&t->info);
	if (t->nr_entry) {
		t->entry_info.state = t->info.state;
		run(t->entry, t->nr_entry, &t->entry_info, &frame, entry_room);
		frame.entry = (void *)entry_room;
		frame.entry_info = &t->entry_info;
	}
	t->strange = memory_spent.strange || has_unknown(t);
	memory_spent = (struct spent){};
	t->len = run(t->insns, t->nr, &t->info, &frame, room);
	t->strange |= memory_spent.strange;
	if (t->len > 0)
		memcpy(t->payload, room + 1, t->len);
	if (memory_spent.ps / 1000 > t->info.cost)
		numbers_differ(t, "memory took longer than it may",
			       memory_spent.ps / 1000, t->info.cost);
}

/* ---- probes ---------------------------------------------------------------------------- */

static void check_info(const struct trial *t)
{
	const struct answer *a = request(sock, KTAP_CMD_PROBE_GET,
					 ATTRS(A_U32(KTAP_A_ID, t->id), A_END));

	if (a->error || !a->tb[KTAP_A_COST])
		die("a probe that was made");
	numbers_differ(t, "cost", mnl_attr_get_u64(a->tb[KTAP_A_COST]),
		       t->info.cost);
	numbers_differ(t, "largest record", answer_u32(a, KTAP_A_RECORD_MAX),
		       t->info.record_max);
}

static void ask(struct trial *t, unsigned int nr)
{
	const struct kind *k = scene.kind;
	struct attr attrs[12];
	unsigned int n = 0;
	struct answer *a;
	char name[32];
	uint64_t at = file_offset(hit_args);
	const char *symbol = k->no_regs ? "ktap_image_event" :
					  "ktap_image:ktap_image_args";

	/* each one has a table of its own: those of one group share it */
	snprintf(name, sizeof(name), "own%u:try%u", nr, nr);
	attrs[n++] = (struct attr)A_BIN(KTAP_A_NAME, name, strlen(name) + 1);
	attrs[n++] = (struct attr)A_BIN(KTAP_A_TYPE, &k->type, 4);
	attrs[n++] = (struct attr)A_BIN(KTAP_A_PROG, t->insns,
					t->nr * sizeof(t->insns[0]));
	if (k->is_user) {
		attrs[n++] = (struct attr)A_BIN(KTAP_A_FD, &self, 4);
		attrs[n++] = (struct attr)A_BIN(KTAP_A_OFFSET, &at, 8);
	} else {
		attrs[n++] = (struct attr)A_BIN(KTAP_A_SYMBOL, symbol,
						strlen(symbol) + 1);
	}
	if (k->hook)
		attrs[n++] = (struct attr)A_BIN(KTAP_A_HOOK, k->hook,
						strlen(k->hook) + 1);
	if (t->nr_entry)
		attrs[n++] = (struct attr)A_BIN(KTAP_A_ENTRY_PROG, t->entry,
						t->nr_entry * sizeof(t->entry[0]));
	attrs[n] = (struct attr)A_END;
	a = request(sock, KTAP_CMD_PROBE_NEW, attrs);
	if (a->error && t->refusal && !strcmp(a->text, t->refusal))
		return;
	if (a->error && !t->refusal && (t->info.nr_counters || t->entry_info.nr_counters) &&
	    !strncmp(a->text, "perf ", 5)) {
		t->refusal = "perf lacks a counter, which is not known here";
		return;
	}
	if (a->error || t->refusal)
		differs(t, "one accepts what the other refuses",
			a->error ? a->text : "accepted",
			t->refusal ? t->refusal : "accepted");
	if (!a->error)
		t->id = answer_u32(a, KTAP_A_ID);
}

/* All of them at one place may cost too much together. */
static void attach(struct trial *t)
{
	int error = session_attach(fd, t->id);

	if (!error)
		return;
	if (error != -EDQUOT)
		differs(t, "not attached", strerrorname_np(-error), "attached");
	sums.full++;
	probe_del(sock, t->id);
	t->id = 0;
}

static void begin(struct chance *c)
{
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		struct trial *t = trials + i;

		make(t, c);
		ask(t, i);
		if (!t->id)
			continue;
		sums.accepted++;
		check_info(t);
		if (!t->refusal)
			foresee(t);
		attach(t);
	}
}

/* ---- hits ------------------------------------------------------------------------------ */

__attribute__((noipa)) long hit_args(long a, long b, long c, long d, long e,
				     long f)
{
	return a + b + c + d + e + f;
}

static void hit(void)
{
	const u64 *v = scene.values;
	char text[128];
	int to;

	if (scene.kind->is_user) {
		hit_args(v[0], v[1], v[2], v[3], v[4], v[5]);
		return;
	}
	snprintf(text, sizeof(text), "%llx %llx %llx %llx %llx %llx", v[0], v[1], v[2],
		 v[3], v[4], v[5]);
	to = open(PARAMETERS "pass", O_WRONLY | O_CLOEXEC);
	if (to < 0 || write(to, text, strlen(text)) != (ssize_t)strlen(text))
		die(PARAMETERS "pass");
	close(to);
}

/* The record of a probe, or NULL. @tail: where records that were not seen begin. */
static const struct ktap_rec_head *find_record(uint32_t id, uint64_t tail)
{
	const uint8_t *data = (const uint8_t *)prod + prod->data_offset;
	uint64_t head = __atomic_load_n(&prod->head, __ATOMIC_ACQUIRE);

	while (tail < head) {
		const struct ktap_rec_head *r = (const void *)(data + tail % RING);

		if (r->id == id)
			return r;
		tail += r->size ? r->size : SUBBUF - tail % SUBBUF;
	}
	return NULL;
}

/* A program of registers alone clears nothing between what it stores. */
static bool is_told(const struct trial *t, uint32_t at)
{
	const struct ktap_insn *i;

	if (!t->info.simple || at >= t->info.fixed_size)
		return true;
	for (i = t->insns; i < t->insns + t->nr; i++)
		if (i->op == KTAP_OP_STORE && at - i->off < i->size)
			return true;
	return false;
}

static bool is_same(const struct trial *t, const uint8_t *got, int len)
{
	int i;

	if (len != t->len)
		return false;
	for (i = 0; i < len; i++)
		if (got[i] != t->payload[i] && is_told(t, i))
			return false;
	return true;
}

static void compare_bytes(const struct trial *t, const struct ktap_rec_head *r)
{
	int len = r->size - sizeof(*r);
	unsigned long before = sums.wrong;

	sums.recorded++;
	if (is_same(t, (const void *)(r + 1), len))
		return;
	differs(t, "another payload", "below", "below");
	if (before >= TOLD_MAX)
		return;
	print_bytes("in the kernel", (const void *)(r + 1), len);
	print_bytes("here", t->payload, t->len);
}

static void compare(const struct trial *t, uint64_t tail)
{
	const struct ktap_rec_head *r = find_record(t->id, tail);
	struct ktap_session_counts counts = { .id = t->id, .cpu = -1 };
	const struct ktap_counts *n = &counts.counts;

	if (xioctl(fd, KTAP_IOC_COUNTS, &counts))
		die("counts");
	numbers_differ(t, "hits", n->hits, 1);
	numbers_differ(t, "fates", n->filtered + n->recorded + n->counted + n->lost_full, 1);
	if (n->lost_full || t->refusal)
		return;
	if (t->strange) {
		sums.strange++;
		return;
	}
	sums.compared++;
	sums.by_kind[scene.kind - kinds]++;
	numbers_differ(t, "filtered", n->filtered,
		       t->len == KTAP_FETCH_FILTERED);
	numbers_differ(t, "there is a record", !!r, n->recorded);
	if (r && t->len >= 0)
		compare_bytes(t, r);
}

static void end(void)
{
	uint64_t tail = cons->tail;
	unsigned int i;

	if (session_detach(fd, 0))
		die("detach");
	for (i = 0; i < BATCH; i++) {
		if (!trials[i].id)
			continue;
		compare(trials + i, tail);
		probe_del(sock, trials[i].id);
	}
	cons->tail = prod->head;
}

/* ---- rounds ------------------------------------------------------------------------------ */

static uint64_t parameter(const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned long long value;

	if (!f || fscanf(f, "%llu", &value) != 1)
		die(path);
	fclose(f);
	return value;
}

static void open_session(void)
{
	struct ktap_session_setup setup = {
		.subbuf_size = SUBBUF, .ring_size = RING,
		.flags = KTAP_SESSION_F_SELF,
	};

	fd = open("/dev/ktap", O_RDWR | O_CLOEXEC);
	if (fd < 0 || xioctl(fd, KTAP_IOC_SETUP, &setup))
		die("/dev/ktap");
	cons = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	prod = mmap(NULL, PAGE + RING, PROT_READ, MAP_SHARED, fd, PAGE);
	if (cons == MAP_FAILED || prod == MAP_FAILED)
		die("mmap");
}

static void set_task(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set) ||
	    prctl(PR_SET_NAME, TASK_NAME))
		die("task");
	env_set_task(getpid(), getpid(), TASK_NAME);
	env_world.ctx[KTAP_CTX_TGID] = getpid();
	env_world.ctx[KTAP_CTX_TID] = getpid();
}

static void one_round(struct chance *c)
{
	int i;

	scene.kind = kinds + chance_below(c, NR_KINDS);
	for (i = 0; i < NR_VALUES; i++)
		scene.values[i] = memory_address(c);
	begin(c);
	hit();
	end();
}

static void print(const struct order *o)
{
	unsigned int i;

	printf("# programs: seed %llu: %lu programs, %lu accepted, %lu compared:",
	       (unsigned long long)o->seed, sums.programs, sums.accepted,
	       sums.compared);
	for (i = 0; i < NR_KINDS; i++)
		printf(" %s %lu,", kinds[i].name, sums.by_kind[i]);
	printf(" %lu records; %lu read what only the kernel knows, %lu cost too much together\n",
	       sums.recorded, sums.strange, sums.full);
}

/*
 * A slow machine may not get to all kinds in the time of a short run: the run continues
 * until it did, within a bound that no working module comes near.
 */
static bool is_too_early(const struct order *o)
{
	unsigned int i;

	for (i = 0; i < NR_KINDS; i++)
		if (!sums.by_kind[i])
			return !o->count && sums.programs < ENOUGH_PROGRAMS;
	return false;
}

void fuzz_programs(const struct order *o)
{
	struct chance c = chance_seed(o->seed, "programs");
	uint64_t memory;
	unsigned int i;

	sock = sock_open();
	memory = memory_now(sock);
	sock_quiet(sock, 60);
	self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	memory_open(parameter(PARAMETERS "image"));
	set_task();
	open_session();
	while (go_on(o, sums.programs) || is_too_early(o))
		one_round(&c);
	print(o);
	is(sums.wrong, 0, "programs: what the kernel does is what is done here");
	for (i = 0; i < NR_KINDS; i++)
		ok(sums.by_kind[i], "programs: some were compared, of a %s",
		   kinds[i].name);
	ok(sums.accepted * 5 >= sums.programs && sums.strange * 5 <= sums.accepted,
	   "programs: enough of them were good for it");
	munmap((void *)cons, PAGE);
	munmap((void *)prod, PAGE + RING);
	close(fd);
	is_clean(sock, memory, "programs");
	sock_close(sock);
}
