/* What bare SQLite, libsodium and TCP do in C, for lattice-bench to measure against. No product links it. */
#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdint.h>

#include "CBaselineMesh.h"

/* Items in ascending order with the sums of their ids; what it is made of is lent for as long as it lives. */
typedef struct baseline_set baseline_set;

typedef struct {
    int64_t have; /* in the first and not in the second */
    int64_t need; /* in the second and not in the first */
    int64_t bytes;
    int64_t messages;
} baseline_differences;

/* NULL without memory. */
baseline_set *baseline_set_make(const uint64_t *timestamps, const uint8_t *ids, int64_t count);
void baseline_set_free(baseline_set *set);

/* Negentropy without a frame limit, both sides of it. */
baseline_differences baseline_reconcile(const baseline_set *first, const baseline_set *second);

/* Seconds in which the file `from` comes from one process to another over TCP on loopback, and is on the disk as `to`: in pieces of 32 KiB,
   each sealed, opened, hashed with BLAKE2b and written. Less than 0 on failure. */
double baseline_file_seconds(const char *from, const char *to);

#endif
