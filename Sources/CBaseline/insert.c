/* The same columns into the same tables and indexes as the store writes for a post that is new. */
#include "baseline.h"

#include <stddef.h>

enum { FIND_PEER, ADD_PEER, ADD_RECORD, ADD_ITEM, ADD_SPOT, ADD_WORDS, ADD_AUTHOR, ADD_KIND };

static const char *const statements[] = {
    "SELECT seq FROM peer WHERE key = ?1",
    "INSERT INTO peer (key) VALUES (?1)",
    "INSERT INTO record (id, kind, author, created, lifetime, topic, seen, date, expires, class, size, bytes)"
    " VALUES (?1, 4, ?2, ?3, ?4, x'', ?5, ?6, ?7, 0, ?8, ?9)",
    "INSERT INTO item (record, kind, author, date, expires, name, text, latitude, longitude, id)"
    " VALUES (?1, 4, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    "INSERT INTO spot (kind, cell, item, latitude, longitude, date, expires) VALUES (4, ?1, ?2, ?3, ?4, ?5, ?6)",
    "INSERT INTO words (rowid, title, text, place) VALUES (?1, '', ?2, '')",
    "INSERT INTO usage_author (author, records, bytes) VALUES (?1, 1, ?2)"
    " ON CONFLICT (author) DO UPDATE SET records = records + 1, bytes = bytes + ?2",
    "INSERT INTO usage_kind (class, kind, records, bytes) VALUES (0, 4, ?1, ?2)"
    " ON CONFLICT (class, kind) DO UPDATE SET records = records + ?1, bytes = bytes + ?2",
    NULL,
};

baseline *baseline_open_store(const char *path) {
    return baseline_open(path, "PRAGMA foreign_keys = ON", statements);
}

static int64_t peer_of(baseline *base, const baseline_post *post) {
    sqlite3_stmt *find = base->statements[FIND_PEER];
    sqlite3_bind_blob(find, 1, post->author, 32, SQLITE_STATIC);
    int64_t seq = sqlite3_step(find) == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;
    sqlite3_reset(find);
    if (seq != 0) return seq;
    sqlite3_stmt *add = base->statements[ADD_PEER];
    sqlite3_bind_blob(add, 1, post->author, 32, SQLITE_STATIC);
    return baseline_run(add) == SQLITE_OK ? sqlite3_last_insert_rowid(base->database) : 0;
}

static int add_record(baseline *base, const baseline_post *post, int64_t author) {
    sqlite3_stmt *record = base->statements[ADD_RECORD];
    sqlite3_bind_blob(record, 1, post->id, 32, SQLITE_STATIC);
    sqlite3_bind_int64(record, 2, author);
    sqlite3_bind_int64(record, 3, post->created);
    sqlite3_bind_int64(record, 4, post->lifetime);
    sqlite3_bind_int64(record, 5, post->seen);
    sqlite3_bind_int64(record, 6, post->date);
    sqlite3_bind_int64(record, 7, post->expires);
    sqlite3_bind_int64(record, 8, post->record_length);
    sqlite3_bind_blob(record, 9, post->record, post->record_length, SQLITE_STATIC);
    return baseline_run(record);
}

static int add_item(baseline *base, const baseline_post *post, int64_t author, int64_t seq) {
    sqlite3_stmt *item = base->statements[ADD_ITEM];
    sqlite3_bind_int64(item, 1, seq);
    sqlite3_bind_int64(item, 2, author);
    sqlite3_bind_int64(item, 3, post->date);
    sqlite3_bind_int64(item, 4, post->expires);
    sqlite3_bind_text(item, 5, post->name, post->name_length, SQLITE_STATIC);
    sqlite3_bind_text(item, 6, post->text, post->text_length, SQLITE_STATIC);
    sqlite3_bind_int64(item, 7, post->latitude);
    sqlite3_bind_int64(item, 8, post->longitude);
    sqlite3_bind_blob(item, 9, post->id, 32, SQLITE_STATIC);
    return baseline_run(item);
}

static int add_spot(baseline *base, const baseline_post *post, int64_t seq) {
    sqlite3_stmt *spot = base->statements[ADD_SPOT];
    sqlite3_bind_int64(spot, 1, post->cell);
    sqlite3_bind_int64(spot, 2, seq);
    sqlite3_bind_int64(spot, 3, post->latitude);
    sqlite3_bind_int64(spot, 4, post->longitude);
    sqlite3_bind_int64(spot, 5, post->date);
    sqlite3_bind_int64(spot, 6, post->expires);
    return baseline_run(spot);
}

static int add_words_and_usage(baseline *base, const baseline_post *post, int64_t author, int64_t seq) {
    sqlite3_stmt *words = base->statements[ADD_WORDS];
    sqlite3_bind_int64(words, 1, seq);
    sqlite3_bind_text(words, 2, post->text, post->text_length, SQLITE_STATIC);
    int code = baseline_run(words);
    if (code != SQLITE_OK) return code;
    sqlite3_stmt *usage = base->statements[ADD_AUTHOR];
    sqlite3_bind_int64(usage, 1, author);
    sqlite3_bind_int64(usage, 2, post->record_length);
    return baseline_run(usage);
}

int baseline_insert_store(baseline *base, const baseline_post *posts, int count) {
    int64_t bytes = 0;
    int code = baseline_execute(base, "BEGIN IMMEDIATE");
    for (int index = 0; index < count && code == SQLITE_OK; index++) {
        const baseline_post *post = &posts[index];
        int64_t author = peer_of(base, post);
        code = add_record(base, post, author);
        int64_t seq = sqlite3_last_insert_rowid(base->database);
        if (code == SQLITE_OK) code = add_item(base, post, author, seq);
        if (code == SQLITE_OK) code = add_spot(base, post, seq);
        if (code == SQLITE_OK) code = add_words_and_usage(base, post, author, seq);
        bytes += post->record_length;
    }
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(base->statements[ADD_KIND], 1, count);
        sqlite3_bind_int64(base->statements[ADD_KIND], 2, bytes);
        code = baseline_run(base->statements[ADD_KIND]);
    }
    int end = baseline_execute(base, code == SQLITE_OK ? "COMMIT" : "ROLLBACK");
    return code == SQLITE_OK ? end : code;
}
