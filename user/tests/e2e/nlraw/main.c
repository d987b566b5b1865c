// SPDX-License-Identifier: GPL-2.0
/* nlraw: a table of attempts. */
#include <stdlib.h>

#include "nlraw.h"

static const struct attempt attempts[] = {
	{ "messages", try_messages },
	{ "programs", try_programs },
	{ "costs", try_costs },
	{ "places", try_places },
	{ "returns", try_returns },
	{ "frames", try_frames },
	{ "hooks", try_hooks },
	{ "blobs", try_blobs },
	{ "lifetimes", try_lifetimes },
	{ "armed", try_armed },
	{ "groups", try_groups },
	{ "many", try_many },
	{ "ids", try_all_ids },
	{ "crowd", try_crowd },
	{ "rights", try_rights },
	{ "who", try_who },
	{ "device", try_device },
	{ "maps", try_maps },
	{ "tables", try_tables },
	{ "tails", try_tails },
	{ "shortage", try_shortage },
	{ "coming", try_coming },
	{ "memory", try_memory },
	{ "many-long", try_many_long },
	{ "fill", try_fill },
	{ "scopes", try_scopes },
	{ "lockdown", try_lockdown },
	{}
};

bool is_brief(void)
{
	return getenv("NLRAW_BRIEF");
}

unsigned int fewer(unsigned int nr)
{
	return is_brief() ? nr / 4 : nr;
}

int main(int argc, char **argv)
{
	return tell_main(argc, argv, attempts);
}
