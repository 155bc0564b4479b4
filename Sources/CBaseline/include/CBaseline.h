/* What bare SQLite, libsodium and TCP do in C, for lattice-bench to measure against. No product links it. */
#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdint.h>

#include "CBaselineMesh.h"

typedef struct baseline baseline;

/* A post as it is put in; pointers are lent for the length of a call. */
typedef struct {
    const uint8_t *id;     /* 32 bytes */
    const uint8_t *author; /* 32 bytes */
    const uint8_t *record;
    int32_t record_length;
    const char *name;
    int32_t name_length;
    const char *text;
    int32_t text_length;
    int64_t created;
    int64_t lifetime;
    int64_t seen;
    int64_t date;
    int64_t expires;
    int64_t cell; /* as the store has it; the bare table has its own */
    int32_t latitude;
    int32_t longitude;
} baseline_post;

/* A post as it is found. */
typedef struct {
    double metres;
    int64_t seq;
    int64_t date;
    int64_t expires;
    int32_t latitude;
    int32_t longitude;
    uint8_t id[32];
    uint8_t author[32];
    char name[64];
    char text[256];
} baseline_found;

/* Opens or makes a file with one table of posts and one index of cells, their coordinates in it. NULL on failure. */
baseline *baseline_open_bare(const char *path);
/* Opens a file that the store has made, to put the same rows into the same tables. NULL on failure. */
baseline *baseline_open_store(const char *path);
void baseline_close(baseline *base);
/* What went wrong last. */
const char *baseline_error(const baseline *base);

/* In one transaction each. 0, or SQLite's code. */
int baseline_insert_bare(baseline *base, const baseline_post *posts, int count);
int baseline_insert_store(baseline *base, const baseline_post *posts, int count);

int baseline_forget_bare(baseline *base, const int64_t *seqs, int count);

/* How many signatures are right; end to end lie a key of 32 bytes, a signature of 64, and a message of each length. */
int baseline_verified(const uint8_t *rows, const int32_t *lengths, int count);

/* The nearest `limit` (at most 100) within `metres` that have not expired, nearest first. How many, or less than nothing. */
int baseline_near(
    baseline *base, int32_t latitude, int32_t longitude, double metres, int64_t now, int limit, baseline_found *found);

/* The same without thinking of how many there are: everything within `metres` is looked at. */
int baseline_near_plain(
    baseline *base, int32_t latitude, int32_t longitude, double metres, int64_t now, int limit, baseline_found *found);

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

#endif
