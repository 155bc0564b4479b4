/* The search near, by hand: cells of Hilbert's curve in one index that holds the coordinates too, rings that widen by the
   density found, exact distances, one row fetched for each that is shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"

enum { BITS = 31, SIDE_MAX = 6, RANGES_MAX = SIDE_MAX * SIDE_MAX, LIMIT_MAX = 100 };
enum { ADD, SCAN, PROBE, FETCH, BEGIN, COMMIT, FORGET };

static const double earth = 6371008.8;
static const double radians = 3.14159265358979323846 / 180e7;

typedef struct {
    int64_t first, last;
} range;

typedef struct {
    double metres;
    int64_t seq;
} candidate;

static const char *const statements[] = {
    "INSERT INTO post (cell, latitude, longitude, date, expires, id, author, name, text)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    "SELECT seq, latitude, longitude, expires FROM post WHERE cell BETWEEN ?1 AND ?2",
    "SELECT cell FROM post WHERE cell >= ?1 ORDER BY cell LIMIT 1 OFFSET ?2",
    "SELECT date, expires, latitude, longitude, id, author, name, text FROM post WHERE seq = ?1",
    "BEGIN",
    "COMMIT",
    "DELETE FROM post WHERE seq = ?1",
    NULL,
};

baseline *baseline_open_bare(const char *path) {
    return baseline_open(
        path,
        "CREATE TABLE IF NOT EXISTS post (seq INTEGER PRIMARY KEY, cell INTEGER NOT NULL, latitude INTEGER NOT NULL,"
        " longitude INTEGER NOT NULL, date INTEGER NOT NULL, expires INTEGER NOT NULL, id BLOB NOT NULL,"
        " author BLOB NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL) STRICT;"
        "CREATE INDEX IF NOT EXISTS post_cell ON post (cell, latitude, longitude, expires);",
        statements);
}

/* Where a square of `bits` bits a side stands on Hilbert's curve. */
static int64_t curve(int bits, uint32_t x, uint32_t y) {
    uint64_t distance = 0;
    for (int bit = bits - 1; bit >= 0; bit--) {
        uint32_t right = x >> bit & 1, up = y >> bit & 1;
        distance = distance << 2 | ((3 * right) ^ up);
        if (up == 0) {
            if (right) x = ~x, y = ~y;
            uint32_t swap = x;
            x = y, y = swap;
        }
    }
    return (int64_t)distance;
}

static uint32_t column(int64_t longitude) { return (uint32_t)((longitude + 1800000000) >> 1); }
static uint32_t row(int64_t latitude) { return (uint32_t)(latitude + 900000000); }

int baseline_insert_bare(baseline *base, const baseline_post *posts, int count) {
    sqlite3_stmt *add = base->statements[ADD];
    int code = baseline_execute(base, "BEGIN IMMEDIATE");
    for (int index = 0; index < count && code == SQLITE_OK; index++) {
        const baseline_post *post = &posts[index];
        sqlite3_bind_int64(add, 1, curve(BITS, column(post->longitude), row(post->latitude)));
        sqlite3_bind_int64(add, 2, post->latitude);
        sqlite3_bind_int64(add, 3, post->longitude);
        sqlite3_bind_int64(add, 4, post->date);
        sqlite3_bind_int64(add, 5, post->expires);
        sqlite3_bind_blob(add, 6, post->id, 32, SQLITE_STATIC);
        sqlite3_bind_blob(add, 7, post->author, 32, SQLITE_STATIC);
        sqlite3_bind_text(add, 8, post->name, post->name_length, SQLITE_STATIC);
        sqlite3_bind_text(add, 9, post->text, post->text_length, SQLITE_STATIC);
        code = baseline_run(add);
    }
    int end = baseline_execute(base, code == SQLITE_OK ? "COMMIT" : "ROLLBACK");
    return code == SQLITE_OK ? end : code;
}

int baseline_forget_bare(baseline *base, const int64_t *seqs, int count) {
    int code = baseline_run(base->statements[BEGIN]);
    for (int index = 0; index < count && code == SQLITE_OK; index++) {
        sqlite3_bind_int64(base->statements[FORGET], 1, seqs[index]);
        code = baseline_run(base->statements[FORGET]);
    }
    int end = baseline_execute(base, code == SQLITE_OK ? "COMMIT" : "ROLLBACK");
    return code == SQLITE_OK ? end : code;
}

static int by_first(const void *left, const void *right) {
    int64_t a = ((const range *)left)->first, b = ((const range *)right)->first;
    return (a > b) - (a < b);
}

/* Squares of the largest size of which at most SIDE_MAX lie across the circle, those that touch it, neighbours joined. */
static int cover(int32_t latitude, int32_t longitude, double metres, range *ranges) {
    double scale = cos(latitude * radians);
    double high = metres / (earth * radians), wide = high / scale;
    uint32_t left = column(longitude - (int64_t)wide - 2), right = column(longitude + (int64_t)wide + 2);
    uint32_t low = row(latitude - (int64_t)high - 2), top = row(latitude + (int64_t)high + 2);
    int shift = 0;
    while ((right >> shift) - (left >> shift) >= SIDE_MAX || (top >> shift) - (low >> shift) >= SIDE_MAX) shift++;
    double x = column(longitude), y = row(latitude);
    int count = 0;
    for (uint32_t j = low >> shift; j <= top >> shift; j++) {
        for (uint32_t i = left >> shift; i <= right >> shift; i++) {
            double west = (double)((uint64_t)i << shift), south = (double)((uint64_t)j << shift), side = ldexp(1, shift);
            double dx = fmax(fmax(west - x, x - west - side), 0) * 2 * scale;
            double dy = fmax(fmax(south - y, y - south - side), 0);
            if (dx * dx + dy * dy > (high + 4) * (high + 4) * 1.0001) continue;
            int64_t cell = curve(BITS - shift, i, j);
            ranges[count++] = (range){cell << 2 * shift, ((cell + 1) << 2 * shift) - 1};
        }
    }
    qsort(ranges, (size_t)count, sizeof *ranges, by_first);
    int joined = 0;
    for (int index = 1; index < count; index++) {
        if (ranges[index].first == ranges[joined].last + 1) ranges[joined].last = ranges[index].last;
        else ranges[++joined] = ranges[index];
    }
    return count == 0 ? 0 : joined + 1;
}

static double distance(int32_t latitude, int32_t longitude, double cosine, int64_t otherLatitude, int64_t otherLongitude) {
    double north = sin((double)(otherLatitude - latitude) * radians / 2);
    double east = sin((double)(otherLongitude - longitude) * radians / 2);
    double square = north * north + cosine * cos((double)otherLatitude * radians) * east * east;
    return 2 * earth * asin(sqrt(fmin(square, 1)));
}

static int put(candidate *best, int count, int limit, candidate fresh) {
    if (count == limit && fresh.metres >= best[count - 1].metres) return count;
    int index = count < limit ? count++ : count - 1;
    for (; index > 0 && best[index - 1].metres > fresh.metres; index--) best[index] = best[index - 1];
    best[index] = fresh;
    return count;
}

/* Offers what is further than `inner` and not further than `outer`. */
static int scan(
    baseline *base, int32_t latitude, int32_t longitude, double inner, double outer, int64_t now, int limit,
    candidate *best, int count) {
    range ranges[RANGES_MAX];
    int many = cover(latitude, longitude, outer, ranges);
    double cosine = cos(latitude * radians);
    sqlite3_stmt *rows = base->statements[SCAN];
    for (int index = 0; index < many; index++) {
        sqlite3_bind_int64(rows, 1, ranges[index].first);
        sqlite3_bind_int64(rows, 2, ranges[index].last);
        while (sqlite3_step(rows) == SQLITE_ROW) {
            double metres =
                distance(latitude, longitude, cosine, sqlite3_column_int64(rows, 1), sqlite3_column_int64(rows, 2));
            if (metres <= inner || metres > outer || sqlite3_column_int64(rows, 3) <= now) continue;
            count = put(best, count, limit, (candidate){metres, sqlite3_column_int64(rows, 0)});
        }
        sqlite3_reset(rows);
    }
    return count;
}

static double first_ring(baseline *base, int32_t latitude, int32_t longitude, int limit, double metres) {
    int64_t here = curve(BITS, column(longitude), row(latitude)), there = -1;
    sqlite3_stmt *probe = base->statements[PROBE];
    sqlite3_bind_int64(probe, 1, here);
    sqlite3_bind_int64(probe, 2, limit);
    if (sqlite3_step(probe) == SQLITE_ROW) there = sqlite3_column_int64(probe, 0);
    sqlite3_reset(probe);
    if (there < 0) return metres;
    double unit = earth * radians;
    double area = (double)(there - here) * unit * unit * 2 * cos(latitude * radians);
    return fmin(metres, sqrt(1.6 * area / 3.14159265358979323846) + 0.1);
}

static void fetch(baseline *base, candidate from, baseline_found *found) {
    sqlite3_stmt *row = base->statements[FETCH];
    sqlite3_bind_int64(row, 1, from.seq);
    if (sqlite3_step(row) == SQLITE_ROW) {
        found->metres = from.metres;
        found->seq = from.seq;
        found->date = sqlite3_column_int64(row, 0);
        found->expires = sqlite3_column_int64(row, 1);
        found->latitude = sqlite3_column_int(row, 2);
        found->longitude = sqlite3_column_int(row, 3);
        memcpy(found->id, sqlite3_column_blob(row, 4), 32);
        memcpy(found->author, sqlite3_column_blob(row, 5), 32);
        sqlite3_snprintf(sizeof found->name, found->name, "%s", sqlite3_column_text(row, 6));
        sqlite3_snprintf(sizeof found->text, found->text, "%s", sqlite3_column_text(row, 7));
    }
    sqlite3_reset(row);
}

int baseline_near(
    baseline *base, int32_t latitude, int32_t longitude, double metres, int64_t now, int limit, baseline_found *found) {
    candidate best[LIMIT_MAX];
    if (limit > LIMIT_MAX || baseline_run(base->statements[BEGIN]) != SQLITE_OK) return -1;
    int count = 0;
    double inner = -1, outer = first_ring(base, latitude, longitude, limit, metres);
    for (;;) {
        int before = count;
        count = scan(base, latitude, longitude, inner, outer, now, limit, best, count);
        if (count == limit || outer >= metres) break;
        double factor = sqrt(1.6 * limit / fmax(count - before, 1));
        inner = outer;
        outer = fmin(metres, outer * fmin(4, fmax(1.5, factor)) + 0.1);
    }
    for (int index = 0; index < count; index++) fetch(base, best[index], &found[index]);
    return baseline_run(base->statements[COMMIT]) == SQLITE_OK ? count : -1;
}

int baseline_near_plain(
    baseline *base, int32_t latitude, int32_t longitude, double metres, int64_t now, int limit, baseline_found *found) {
    candidate best[LIMIT_MAX];
    if (limit > LIMIT_MAX || baseline_run(base->statements[BEGIN]) != SQLITE_OK) return -1;
    int count = scan(base, latitude, longitude, -1, metres, now, limit, best, 0);
    for (int index = 0; index < count; index++) fetch(base, best[index], &found[index]);
    return baseline_run(base->statements[COMMIT]) == SQLITE_OK ? count : -1;
}
