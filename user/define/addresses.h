/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names behind the addresses in records: which are wanted, and for a
 * recording those that occur in it.
 */
#ifndef KTAP_DEFINE_ADDRESSES_H
#define KTAP_DEFINE_ADDRESSES_H

#include "base/address_set.h"
#include "decode/decode.h"
#include "place/cgroups.h"
#include "place/ksyms.h"
#include "record/datafile.h"
#include "wire/ctl.h"

/**
 * enum names_wanted - what the numbers in records stand for, as bits
 * @WANTS_SYMBOLS: addresses
 * @WANTS_CGROUPS: control groups
 */
enum names_wanted {
	WANTS_SYMBOLS = 1 << 0,
	WANTS_CGROUPS = 1 << 1,
};

/**
 * wanted_names() - which names the records of a probe need
 * @blob: the probe's encoded layout
 * @size: bytes
 *
 * Return: WANTS_*; 0 also where the layout cannot be decoded.
 */
unsigned int wanted_names(const void *blob, size_t size);

/**
 * wanted_load() - read names of the running system
 * @wanted: WANTS_*
 * @ctl: see running_symbols()
 * @d: on failure
 * @ret: on success; NULL where @wanted is 0; release with ksyms_free()
 *
 * Return: 0, -ENOMEM, or what reading the symbols met.
 */
int wanted_load(unsigned int wanted, struct ctl *ctl, struct diag *d,
		struct ksyms **ret);

/* struct address_place - where an address of 8 bytes or 4, or a control group, is in a payload */
struct address_place {
	uint16_t offset;
	uint8_t size;
	bool is_cgroup;
};

/* struct address_places - where in a probe's payload they are */
struct address_places {
	struct address_place *place;
	size_t nr;
};

/**
 * struct addresses - those that a recording has so far
 * @places: by id of the probe
 * @nr_places: ids that it has room for; 0: there are none to find
 * @subbuf_size: bytes
 * @ks: names them; NULL: there are only control groups to name
 * @cgroups: name those; or NULL
 * @last: the one that was met last
 * @seen: those that were met
 * @named: hashes of their lines in the recording
 * @is_shared: an address has had two names, one after the other: a reader shows the first
 * @seen_cgroups: likewise
 * @lines: names of those that are new
 * @writer: recording
 * @ctl: see running_symbols()
 */
struct addresses {
	struct address_places *places;
	size_t nr_places;
	uint32_t subbuf_size;
	struct ksyms *ks;
	struct cgroups *cgroups;
	uint64_t last;
	struct address_set seen;
	struct address_set named;
	bool is_shared;
	struct address_set seen_cgroups;
	struct buf lines;
	struct datafile_writer *writer;
	struct ctl *ctl;
};

/**
 * addresses_begin() - name the addresses of a recording
 * @a: addresses; release with addresses_deinit()
 * @m: the machine that is recorded
 * @w: the recording
 * @ctl: see running_symbols(); has to stay open as long as @a is used
 */
void addresses_begin(struct addresses *a, const struct machine *m,
		     struct datafile_writer *w, struct ctl *ctl);

/**
 * addresses_probe() - from here on the addresses in records of a probe are named
 * @a: addresses
 * @id: of the probe
 * @blob: its encoded layout
 * @size: bytes
 * @d: on failure
 *
 * The first probe with addresses makes it read the kernel's symbols, which may take long.
 *
 * Return: 0, -ENOMEM, or what reading the symbols met.
 */
int addresses_probe(struct addresses *a, uint32_t id, const void *blob,
		    size_t size, struct diag *d);

/**
 * addresses_more() - name the frames of user stacks as well
 * @a: addresses, after addresses_probe() for each probe
 * @more: see ksyms_more()
 */
void addresses_more(struct addresses *a, const struct ksyms_more *more);

/**
 * addresses_stacks() - write the names that stacks, which were written, have new
 * @a: addresses
 * @stacks: as KTAP_DATA_STACKS has them
 * @size: bytes
 * @d: on failure
 *
 * Return: 0, -ENOMEM, or what writing met.
 */
int addresses_stacks(struct addresses *a, const void *stacks, size_t size,
		     struct diag *d);

/**
 * addresses_batch() - write the names of the addresses that are new in a batch
 * @a: addresses
 * @b: batch, which was written to the recording before
 * @d: on failure
 *
 * Bytes that are no record end the search without an error.
 *
 * Return: 0, -ENOMEM, or the error of writing.
 */
int addresses_batch(struct addresses *a, const struct datafile_batch *b,
		    struct diag *d);

/**
 * addresses_payload() - write the names of the addresses that are new in a payload
 * @a: addresses
 * @id: of its probe
 * @payload: payload of a record, or the key of a row
 * @size: bytes
 * @d: on failure
 *
 * Return: as addresses_batch().
 */
int addresses_payload(struct addresses *a, uint32_t id, const void *payload,
		      size_t size, struct diag *d);

/**
 * addresses_deinit() - release what was collected, and the symbols
 * @a: addresses, or zeros; must not be used any more
 *
 * The recording stays open: it is the caller's.
 */
void addresses_deinit(struct addresses *a);

#endif /* KTAP_DEFINE_ADDRESSES_H */
