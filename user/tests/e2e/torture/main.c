// SPDX-License-Identifier: GPL-2.0
/*
 * usage: torture loops SECONDS SEED [NAME...]
 *        torture fire SECONDS SEED
 *        torture judge EVENTS BEFORE AFTER ROWS [OVERWRITTEN] <RECORDS
 *
 * loops runs all loops that this kernel can do, or those named, at once, and
 * prints for each how often it went round: 'NAME ROUNDS FAILED', or 'NAME
 * cannot', or 'NAME stuck'. judge reads what 'ktap stat --json', 'ktap count --json'
 * and 'ktap script' print, and prints what is wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../tell/tell.h"
#include "torture.h"

#define LOOPS_MAX 64
/* A loop's last round, on a slow machine. */
#define PATIENCE_MS 120000
/*
 * A round is followed by a rest of so many times what it took, so that there is
 * time for the load that is counted, and for the other loops.
 */
#define REST 8
#define REST_MAX_MS 4000
#define TRIES_MAX 20

extern char **environ;

/* ---- what loops share ------------------------------------------------------------ */

bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ssize_t size = strlen(text);
	bool good;

	if (fd < 0)
		return false;
	good = write(fd, text, size) == size;
	close(fd);
	return good;
}

void read_file(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "re");

	if (!f || !fgets(line, size, f))
		line[0] = 0;
	line[strcspn(line, "\n")] = 0;
	if (f)
		fclose(f);
}

bool exists(const char *path)
{
	return !access(path, F_OK);
}

void sleep_ms(unsigned int ms)
{
	struct timespec t = { .tv_sec = ms / 1000,
			      .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int start(const char *const *argv)
{
	posix_spawn_file_actions_t actions;
	pid_t pid = -1;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv,
			 environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	return pid;
}

int await(int pid, unsigned int ms)
{
	long end = now_ms() + ms;
	int status;

	if (pid < 0)
		return -1;
	while (!waitpid(pid, &status, WNOHANG)) {
		if (now_ms() >= end) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			break;
		}
		sleep_ms(10);
	}
	return status;
}

bool run(const char *const *argv)
{
	int pid = start(argv), status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

/* ---- loops ------------------------------------------------------------------------ */

static const struct loop *const tables[] = {
	probe_loops, tool_loops, word_loops, machine_loops, tracer_loops, user_loops,
};

struct score {
	atomic_bool over;
	struct {
		atomic_uint rounds, failed;
	} of[LOOPS_MAX];
};

static struct score *score;

struct runner {
	const struct loop *loop;
	pid_t pid;
	bool stuck;
	int status;
};

static struct runner runners[LOOPS_MAX];
static unsigned int nr_runners;

static void go_round(unsigned int nr, uint64_t seed)
{
	const struct loop *loop = runners[nr].loop;
	struct chance c = chance_seed(seed, loop->name);
	long began, rest;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/torture.%s", loop->name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(fd, 1);
	dup2(fd, 2);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (loop->begin)
		loop->begin(&c);
	/* once at least, however slow the machine is, if it can be done at all */
	while (!score->over ||
	       (!score->of[nr].rounds && score->of[nr].failed < TRIES_MAX)) {
		began = now_ms();
		if (loop->step(&c))
			score->of[nr].rounds++;
		else
			score->of[nr].failed++;
		rest = (now_ms() - began) * REST;
		sleep_ms(rest < REST_MAX_MS ? rest : REST_MAX_MS);
	}
	if (loop->end)
		loop->end();
	fflush(stdout);
	_exit(0);
}

static bool is_wanted(const char *name, char **names)
{
	if (!*names)
		return true;
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

static void start_loops(uint64_t seed, char **names)
{
	const struct loop *loop;
	struct runner *r;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (loop = tables[i]; loop->name; loop++) {
			if (!is_wanted(loop->name, names))
				continue;
			if (loop->can && !loop->can()) {
				printf("%s cannot\n", loop->name);
				continue;
			}
			if (nr_runners == LOOPS_MAX)
				die("too many loops");
			r = &runners[nr_runners++];
			r->loop = loop;
			fflush(stdout);
			r->pid = fork();
			if (r->pid < 0)
				die("fork");
			if (!r->pid)
				go_round(nr_runners - 1, seed);
		}
}

/* Its process is left: where it hangs is for torture.guest to show. */
static void end_loop(struct runner *r, long end)
{
	while (!waitpid(r->pid, &r->status, WNOHANG)) {
		if (now_ms() >= end) {
			r->stuck = true;
			return;
		}
		sleep_ms(20);
	}
}

static int loops(unsigned int seconds, uint64_t seed, char **names)
{
	unsigned int i;
	long end;

	/* a shell has what it starts in the background ignore it */
	signal(SIGINT, SIG_DFL);
	score = mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (score == MAP_FAILED)
		die("mmap");
	start_loops(seed, names);
	/* a file ends it early: what it accompanies may be over */
	for (end = now_ms() + seconds * 1000L;
	     now_ms() < end && !exists("/tmp/torture.enough");)
		sleep_ms(100);
	score->over = true;
	end = now_ms() + PATIENCE_MS;
	for (i = 0; i < nr_runners; i++)
		end_loop(&runners[i], end);
	for (i = 0; i < nr_runners; i++) {
		if (runners[i].stuck)
			printf("%s stuck %d\n", runners[i].loop->name,
			       runners[i].pid);
		else if (runners[i].status)
			printf("%s died %#x\n", runners[i].loop->name,
			       runners[i].status);
		else
			printf("%s %u %u\n", runners[i].loop->name,
			       score->of[i].rounds, score->of[i].failed);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "loops") && argc >= 4)
		return loops(atoi(argv[2]), strtoull(argv[3], NULL, 0),
			     argv + 4);
	if (!strcmp(what, "fire") && argc == 4)
		return fire(atoi(argv[2]), strtoull(argv[3], NULL, 0));
	if (!strcmp(what, "once"))
		return fire_once();
	if (!strcmp(what, "spin") && argc == 3)
		return fire_spin(atoi(argv[2]));
	if (!strcmp(what, "judge") && argc >= 6)
		return judge(argv + 2, argc > 6 ? atol(argv[6]) : -1);
	fputs("usage: torture loops|fire|judge\n", stderr);
	return 2;
}
