/* Reconciliation (Negentropy protocol version 1, no frame limit) over two arrays that never change, with the sum of all ids
   before each: a fingerprint of any range costs two loads, so this is what the hashing, the search and the bytes cost. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "CBaseline.h"

struct baseline_set {
    const uint64_t *timestamps;
    const uint8_t *ids;
    int64_t count;
    unsigned __int128 (*sums)[2]; /* of all before a rank: the low half, the high half */
};

typedef struct {
    uint8_t *bytes;
    size_t count, room;
    uint64_t last;
} message;

typedef struct {
    uint64_t timestamp;
    uint8_t prefix[32];
    int length;
} bound;

baseline_set *baseline_set_make(const uint64_t *timestamps, const uint8_t *ids, int64_t count) {
    baseline_set *set = malloc(sizeof *set);
    if (!set) return NULL;
    *set = (baseline_set){timestamps, ids, count, malloc(sizeof(unsigned __int128[2]) * (size_t)(count + 1))};
    if (!set->sums) {
        free(set);
        return NULL;
    }
    set->sums[0][0] = set->sums[0][1] = 0;
    for (int64_t rank = 0; rank < count; rank++) {
        unsigned __int128 halves[2];
        memcpy(halves, ids + rank * 32, 32);
        unsigned __int128 low = set->sums[rank][0] + halves[0];
        set->sums[rank + 1][0] = low;
        set->sums[rank + 1][1] = set->sums[rank][1] + halves[1] + (low < halves[0]);
    }
    return set;
}

void baseline_set_free(baseline_set *set) {
    if (set) free(set->sums);
    free(set);
}

static void put(message *out, const void *bytes, size_t count) {
    if (out->count + count > out->room) {
        out->room = (out->count + count) * 2;
        out->bytes = realloc(out->bytes, out->room);
        if (!out->bytes) abort();
    }
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

static size_t encode(uint8_t *to, uint64_t value) {
    uint8_t digits[10];
    size_t count = 0;
    do {
        digits[count++] = value & 127;
        value >>= 7;
    } while (value);
    for (size_t index = 0; index < count; index++)
        to[index] = digits[count - 1 - index] | (index + 1 < count ? 128 : 0);
    return count;
}

static uint64_t decode(const uint8_t **from) {
    uint64_t value = 0;
    for (;;) {
        uint8_t digit = *(*from)++;
        value = value << 7 | (digit & 127);
        if (digit < 128) return value;
    }
}

static void put_range(message *out, const bound *end, uint8_t mode) {
    uint8_t bytes[48];
    size_t count = encode(bytes, end->timestamp == UINT64_MAX ? 0 : end->timestamp - out->last + 1);
    out->last = end->timestamp;
    bytes[count++] = (uint8_t)end->length;
    memcpy(bytes + count, end->prefix, (size_t)end->length);
    count += (size_t)end->length;
    bytes[count++] = mode;
    put(out, bytes, count);
}

static void fingerprint(const baseline_set *set, int64_t lower, int64_t upper, uint8_t hash[32]) {
    uint8_t bytes[48];
    unsigned __int128 halves[2] = {
        set->sums[upper][0] - set->sums[lower][0],
        set->sums[upper][1] - set->sums[lower][1] - (set->sums[upper][0] < set->sums[lower][0])};
    memcpy(bytes, halves, 32);
    crypto_hash_sha256(hash, bytes, 32 + encode(bytes + 32, (uint64_t)(upper - lower)));
}

static int64_t rank_of(const baseline_set *set, int64_t low, const bound *end) {
    int64_t high = set->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        uint64_t timestamp = set->timestamps[middle];
        int before = timestamp != end->timestamp ? timestamp < end->timestamp
                                                 : memcmp(set->ids + middle * 32, end->prefix, 32) < 0;
        if (before) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void put_ids(message *out, const baseline_set *set, int64_t lower, int64_t upper, const bound *end) {
    uint8_t bytes[10];
    put_range(out, end, 2);
    put(out, bytes, encode(bytes, (uint64_t)(upper - lower)));
    put(out, set->ids + lower * 32, (size_t)(upper - lower) * 32);
}

static void split(message *out, const baseline_set *set, int64_t lower, int64_t upper, const bound *end) {
    int64_t count = upper - lower, start = lower;
    if (count < 32) {
        put_ids(out, set, lower, upper, end);
        return;
    }
    for (int64_t part = 0; part < 16; part++) {
        int64_t stop = start + count / 16 + (part < count % 16);
        bound next = *end;
        if (stop < upper) {
            const uint8_t *last = set->ids + (stop - 1) * 32, *first = last + 32;
            next = (bound){.timestamp = set->timestamps[stop]};
            if (set->timestamps[stop - 1] == next.timestamp) {
                while (last[next.length] == first[next.length]) next.length++;
                next.length++;
                memcpy(next.prefix, first, (size_t)next.length);
            }
        }
        uint8_t hash[32];
        fingerprint(set, start, stop, hash);
        put_range(out, &next, 1);
        put(out, hash, 16);
        start = stop;
    }
}

static int by_bytes(const void *left, const void *right) { return memcmp(left, right, 32); }

static void compare(
    const baseline_set *set, int64_t lower, int64_t upper, const uint8_t *ids, size_t count, baseline_differences *found) {
    uint8_t *theirs = malloc(count * 32 + 1);
    if (!theirs) abort();
    memcpy(theirs, ids, count * 32);
    qsort(theirs, count, 32, by_bytes);
    int64_t common = 0;
    for (int64_t rank = lower; rank < upper; rank++)
        if (bsearch(set->ids + rank * 32, theirs, count, 32, by_bytes)) common++;
    found->have += upper - lower - common;
    found->need += (int64_t)count - common;
    free(theirs);
}

static void answer(
    const baseline_set *set, int initiator, const message *in, message *out, baseline_differences *found) {
    const uint8_t *from = in->bytes + 1, *end = in->bytes + in->count;
    uint64_t last = 0;
    int64_t lower = 0;
    bound before = {0};
    int skips = 0;
    out->count = 0;
    out->last = 0;
    put(out, "\x61", 1);
    while (from < end) {
        bound until = {0};
        uint64_t distance = decode(&from);
        until.timestamp = last = distance ? last + distance - 1 : UINT64_MAX;
        until.length = (int)decode(&from);
        memcpy(until.prefix, from, (size_t)until.length);
        from += until.length;
        uint64_t mode = decode(&from);
        int64_t upper = rank_of(set, lower, &until);
        size_t count = mode == 2 ? decode(&from) : 0;
        uint8_t hash[32];
        if (mode == 1) fingerprint(set, lower, upper, hash);
        if (mode == 0 || (mode == 1 && memcmp(hash, from, 16) == 0) || (mode == 2 && initiator)) {
            if (mode == 2) compare(set, lower, upper, from, count, found);
            skips = 1;
        } else {
            if (skips) put_range(out, &before, 0);
            skips = 0;
            if (mode == 1) split(out, set, lower, upper, &until);
            else put_ids(out, set, lower, upper, &until);
        }
        from += mode == 1 ? 16 : count * 32;
        lower = upper;
        before = until;
    }
}

baseline_differences baseline_reconcile(const baseline_set *first, const baseline_set *second) {
    baseline_differences found = {0};
    message question = {0}, reply = {0};
    bound everything = {.timestamp = UINT64_MAX};
    put(&question, "\x61", 1);
    split(&question, first, 0, first->count, &everything);
    while (question.count > 1) {
        answer(second, 0, &question, &reply, &found);
        found.bytes += (int64_t)(question.count + reply.count);
        found.messages += 2;
        answer(first, 1, &reply, &question, &found);
    }
    free(question.bytes);
    free(reply.bytes);
    return found;
}
