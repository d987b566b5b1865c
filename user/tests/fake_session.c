// SPDX-License-Identifier: GPL-2.0
/* A module for tests of sessions: see fake_session.h. */
#include "fake_session.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

struct fake_session module;

static int fake_open(const char *path)
{
	assert_string_equal(path, "/dev/ktap");
	if (module.open_errno) {
		errno = module.open_errno;
		return -1;
	}
	module.opens++;
	return FAKE_FD;
}

static void fake_close(int fd)
{
	assert_int_equal(fd, FAKE_FD);
	module.opens--;
}

static void fake_setup(struct ktap_session_setup *arg)
{
	module.setup = *arg;
	arg->nr_cpus = FAKE_CPUS;
	arg->clock = KTAP_CLOCK_TSC;
	arg->clock_hz = 3000000000;
	arg->session = 9;
}

static void fake_mark(struct ktap_session_mark *arg)
{
	assert_int_equal(arg->flags, 0);
	assert_true(arg->size < sizeof(module.mark));
	memcpy(module.mark, (void *)(uintptr_t)arg->text, arg->size);
	module.mark[arg->size] = '\0';
	arg->marks = (struct ktap_marks){ 1, 2, 3 };
}

static int fake_ioctl(int fd, unsigned long request, void *arg)
{
	struct ktap_session_counts *counts = arg;
	struct ktap_session_attach_many *many;

	assert_int_equal(fd, FAKE_FD);
	if (request == module.fail) {
		errno = module.fail_errno;
		return -1;
	}
	switch (request) {
	case KTAP_IOC_SETUP:
		fake_setup(arg);
		break;
	case KTAP_IOC_STATE:
		*(struct ktap_session_state *)arg = (struct ktap_session_state){
			.raw = 30, .mono = 10, .real = 1000,
			.generation = module.generation, .nr_attached = 2,
		};
		break;
	case KTAP_IOC_ATTACH:
	case KTAP_IOC_DETACH:
		module.attach = *(struct ktap_session_attach *)arg;
		break;
	case KTAP_IOC_ATTACH_MANY:
		many = arg;
		module.attach.id = *(uint32_t *)(uintptr_t)many->ids;
		many->done = many->nr < module.attach_most ? many->nr :
							     module.attach_most;
		break;
	case KTAP_IOC_SCOPE:
		module.scope = *(struct ktap_session_scope *)arg;
		break;
	case KTAP_IOC_RATES:
		module.rates = *(struct ktap_session_rates *)arg;
		break;
	case KTAP_IOC_COUNTS:
		assert_int_equal(counts->cpu, -1);
		counts->counts.hits = 100 + counts->id;
		break;
	case KTAP_IOC_MARK:
		fake_mark(arg);
		break;
	case KTAP_IOC_MARKS:
		*(struct ktap_marks *)arg = (struct ktap_marks){ 7, 8, 9 };
		break;
	default:
		fail_msg("unknown request %#lx", request);
	}
	return 0;
}

static void *fake_map_stacks(size_t size, int prot)
{
	assert_int_equal(size, sysconf(_SC_PAGESIZE));
	assert_int_equal(prot, PROT_READ);
	if (!module.stacks) {
		errno = ENXIO;
		return NULL;
	}
	module.maps++;
	return module.stacks;
}

static void *fake_map(int fd, uint64_t offset, size_t size, int prot)
{
	unsigned int cpu = offset / KTAP_MMAP_STRIDE;
	size_t page = sysconf(_SC_PAGESIZE);

	assert_int_equal(fd, FAKE_FD);
	if (offset == KTAP_MMAP_STACKS)
		return fake_map_stacks(size, prot);
	assert_true(cpu < FAKE_CPUS);
	offset %= KTAP_MMAP_STRIDE;
	if (!(module.cpus & 1u << cpu) || module.map_errno) {
		errno = module.map_errno ? module.map_errno : ENXIO;
		return NULL;
	}
	if (offset == 0)
		assert_int_equal(prot, PROT_READ | PROT_WRITE);
	else
		assert_int_equal(prot, PROT_READ);
	assert_true(offset == 0 ? size == page : offset == page);
	assert_true(offset + size <= 2 * page + FAKE_RING);
	module.maps++;
	return module.ring[cpu] + offset;
}

static void fake_unmap(void *map, size_t size)
{
	module.maps--;
}

const struct session_io fake_io = {
	.open = fake_open,
	.close = fake_close,
	.ioctl = fake_ioctl,
	.map = fake_map,
	.unmap = fake_unmap,
};

struct ktap_ring_producer *fake_producer(unsigned int cpu)
{
	return (void *)(module.ring[cpu] + sysconf(_SC_PAGESIZE));
}

void fake_events(unsigned int cpu, unsigned int n)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct ring_builder *rb = &module.rb[cpu];
	uint64_t payload = cpu;

	while (n--)
		rb_event(rb, 16, 1000 + rb->head, &payload, sizeof(payload));
	rb_lay(rb, module.ring[cpu] + 2 * page, FAKE_RING);
	fake_producer(cpu)->reserve = rb->head;
	fake_producer(cpu)->head = rb->head;
}

int fake_start(void **state)
{
	size_t page = sysconf(_SC_PAGESIZE);
	unsigned int cpu;

	memset(&module, 0, sizeof(module));
	module.cpus = 1 | 4;
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		module.ring[cpu] = calloc(1, 2 * page + FAKE_RING);
		assert_non_null(module.ring[cpu]);
		rb_init(&module.rb[cpu], FAKE_SUBBUF);
		*fake_producer(cpu) = (struct ktap_ring_producer){
			.magic = KTAP_RING_MAGIC,
			.cpu = cpu,
			.size = FAKE_RING,
			.data_offset = page,
			.subbuf_size = FAKE_SUBBUF,
		};
	}
	return 0;
}

int fake_stop(void **state)
{
	unsigned int cpu;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		free(module.ring[cpu]);
		rb_deinit(&module.rb[cpu]);
	}
	return 0;
}
