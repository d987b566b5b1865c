// SPDX-License-Identifier: GPL-2.0
/* Which events names and globs stand for. */
#include "define/events.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/suggest.h"

bool event_owned(const struct ctl_probe *p)
{
	return p->flags & KTAP_PROBE_F_TRANSIENT;
}

bool event_name_matches(const char *name, const char *pattern)
{
	const char *event = strchr(name, ':');

	return !fnmatch(pattern, name, 0) ||
	       (event && !fnmatch(pattern, event + 1, 0));
}

bool event_matches(const struct ctl_probe *p, const char *pattern)
{
	return !event_owned(p) && event_name_matches(p->name, pattern);
}

static int no_match(const struct ctl_probes *all, const char *pattern,
		    struct diag *d)
{
	struct suggest near;

	suggest_init(&near, pattern, strlen(pattern));
	for (size_t i = 0; i < all->nr; i++) {
		const struct ctl_probe *p = &all->probes[i];

		if (!event_owned(p))
			suggest_try(&near, p->name);
		else if (!strcmp(p->name, pattern))
			return diag_set(d, -EPERM, DIAG_EVENT_OWNED, p->name,
					p->owner_pid);
	}
	diag_set(d, -ENOENT, DIAG_EVENT_MISSING, pattern);
	suggest_hint(&near, "", d);
	diag_hint(d, "'ktap list' shows the events");
	return -ENOENT;
}

int events_choose(const struct ctl_probes *all, const char *const *names,
		  size_t nr, struct diag *d, bool **ret)
{
	_cleanup_free_ bool *chosen = calloc(all->nr + 1, sizeof(*chosen));

	if (!chosen)
		return diag_no_memory(d);
	for (size_t n = 0; n < nr; n++) {
		bool any = false;

		for (size_t i = 0; i < all->nr; i++) {
			if (!event_matches(&all->probes[i], names[n]))
				continue;
			chosen[i] = true;
			any = true;
		}
		if (!any)
			return no_match(all, names[n], d);
	}
	*ret = take_ptr(chosen);
	return 0;
}
