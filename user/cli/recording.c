// SPDX-License-Identifier: GPL-2.0
#include "cli/recording.h"

#include <errno.h>

#include "cli/account.h"
#include "cli/maps.h"
#include "cli/say.h"

static const char *name_of(const struct datafile *f, uint32_t id)
{
	for (size_t i = 0; i < f->nr_probes; i++) {
		if (f->probes[i].id == id)
			return f->probes[i].name;
	}
	return "?";
}

static void print_accounting(const struct datafile *f)
{
	struct table t;

	account_table(&t);
	for (size_t i = 0; i < f->nr_totals; i++) {
		const struct datafile_total *total = &f->totals[i];
		const struct account a = {
			.name = name_of(f, total->id), .cpu = -1,
			.counts = total->counts, .missed = total->missed,
		};

		account_row(&t, &a);
	}
	table_print(&t, stderr);
	table_deinit(&t);
}

uint64_t recording_overwritten(const struct datafile *f, const struct decode_summary *summary)
{
	uint64_t recorded = 0;

	for (size_t i = 0; i < f->nr_totals; i++)
		recorded += f->totals[i].counts.recorded;
	return f->machine.overwrite && recorded > summary->total ? recorded - summary->total : 0;
}

static void print_losses(const struct datafile *f,
			 const struct decode_summary *summary)
{
	struct ktap_counts sum = { 0 };
	uint64_t missed = 0, unfollowed = 0;

	for (size_t i = 0; i < f->nr_totals; i++) {
		account_add(&sum, &f->totals[i].counts);
		missed += f->totals[i].missed;
		unfollowed += f->totals[i].unfollowed;
	}
	account_losses(&sum, missed, unfollowed);
	maps_note_other(&sum, "");
	marks_losses(&f->marks);
	if (f->stopped == DATAFILE_LOCKDOWN)
		say_note("kernel lockdown (confidentiality) was raised: the recording stopped there");
	if (recording_overwritten(f, summary))
		say_note("%llu older records were overwritten",
			 (unsigned long long)recording_overwritten(f, summary));
	if (f->machine.overwrite && f->marks.recorded > summary->marks)
		say_note("%llu older marks were overwritten",
			 (unsigned long long)(f->marks.recorded - summary->marks));
}

int recording_end(const char *path, const struct datafile *f,
		  const struct decode_summary *summary, bool verbose,
		  struct diag *d)
{
	if (verbose)
		print_accounting(f);
	print_losses(f, summary);
	/* what can be told of a whole file only */
	if (!f->complete)
		return diag_set(d, -EBADMSG, DIAG_RECORDING_CUT, path,
				(unsigned long long)f->cut_at, f->cut_reason);
	if (summary->damaged)
		return diag_set(d, -EBADMSG, DIAG_RECORDING_DAMAGED, path,
				(unsigned long long)summary->damaged);
	return 0;
}
