// SPDX-License-Identifier: GPL-2.0
/*
 * Shows the hits of one probe for some seconds, by libktap alone:
 *
 *	cc -D_GNU_SOURCE trace.c $(pkg-config --cflags --libs libktap) -o trace
 *	./trace 'vfs_read count' 5
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decode/decode.h"
#include "define/define.h"
#include "export/sink.h"
#include "wire/session.h"

static struct ctl *ctl;
static struct definer definer;
static struct definition *def;
static struct session *session;
static struct decoder *decoder;
static struct live *live;
static struct sink *sink;
static struct diag d;

static void must(int err)
{
	if (err >= 0)
		return;
	fprintf(stderr, "trace: %s\n", d.message ? d.message : "cannot write");
	exit(1);
}

/* The probe is transient: the module removes it when this process ends. */
static void define(const char *text)
{
	must(ctl_open(&d, &ctl));
	must(definer_init(&definer, ctl, KTAP_PROBE_F_TRANSIENT, NULL, NULL, &d));
	must(define_compile(&definer, text, &d, &def));
	must(define_add(&definer, def, &d));
}

static void attach(void)
{
	const struct session_options rings = {};
	const struct sink_options text = { .out = stdout };
	struct machine machine;

	must(session_open(&rings, &d, &session));
	machine_from_session(session_setup_info(session), &machine);
	must(decoder_create(&machine, &d, &decoder));
	must(live_create(decoder, NULL, &d, &live));
	must(sink_create(&text, &d, &sink));
	for (struct definition *p = def; p; p = p->next) {
		must(decoder_probe(decoder, p->id, p->spec->name, p->blob,
				   p->blob_size, &d));
		must(session_attach(session, p->id, &d));
	}
}

static int take(void *ctx, unsigned int cpu, uint64_t position, const void *data, size_t size)
{
	return live_batch(live, &(struct datafile_batch){
		.cpu = cpu, .position = position, .data = data, .size = size,
	}, &d);
}

/* What is younger than LIVE_SETTLED_NS may still get company from before it. */
static void show(bool all)
{
	struct ktap_session_state now;

	must(session_state(session, &d, &now));
	decoder_clock(decoder, &now);
	must(session_read(session, take, NULL, &d));
	must(live_flush(live, all ? UINT64_MAX : now.mono - LIVE_SETTLED_NS, sink_event, sink, &d));
	must(sink_flush(sink));
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: trace DEFINITION SECONDS\n", stderr);
		return 2;
	}
	define(argv[1]);
	attach();
	for (int tenths = 10 * atoi(argv[2]); tenths > 0; tenths--) {
		usleep(100000);
		show(false);
	}
	must(session_detach(session, 0, &d));
	show(true);
	sink_destroy(sink);
	live_destroy(live);
	decoder_destroy(decoder);
	session_close(session);
	definition_free(def);
	definer_deinit(&definer);
	ctl_close(ctl);
	return 0;
}
