#include "baseline.h"

#include <stdlib.h>

static int execute(baseline *base, const char *sql) {
    return sqlite3_exec(base->database, sql, NULL, NULL, NULL);
}

baseline *baseline_open(const char *path) {
    baseline *base = calloc(1, sizeof *base);
    if (base == NULL) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &base->database, flags, NULL) != SQLITE_OK ||
        execute(base, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192") != SQLITE_OK ||
        execute(
            base,
            "CREATE TABLE IF NOT EXISTS line (seq INTEGER PRIMARY KEY, date INTEGER NOT NULL, expires INTEGER NOT NULL,"
            " id BLOB NOT NULL, author BLOB NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL) STRICT;"
            "CREATE INDEX IF NOT EXISTS line_date ON line (date, expires);") != SQLITE_OK ||
        sqlite3_prepare_v3(
            base->database, "INSERT INTO line (date, expires, id, author, name, text) VALUES (0, 0, ?1, ?2, 'peer', ?3)",
            -1, SQLITE_PREPARE_PERSISTENT, &base->insert, NULL) != SQLITE_OK) {
        baseline_close(base);
        return NULL;
    }
    return base;
}

int baseline_insert(baseline *base, const uint8_t *message, int text) {
    if (execute(base, "BEGIN IMMEDIATE") != SQLITE_OK) return -1;
    sqlite3_bind_blob(base->insert, 1, message, 32, SQLITE_STATIC);
    sqlite3_bind_blob(base->insert, 2, message, 32, SQLITE_STATIC);
    sqlite3_bind_text(base->insert, 3, (const char *)message + 32, text, SQLITE_STATIC);
    int code = sqlite3_step(base->insert);
    sqlite3_reset(base->insert);
    int end = execute(base, code == SQLITE_DONE ? "COMMIT" : "ROLLBACK");
    return code == SQLITE_DONE && end == SQLITE_OK ? 0 : -1;
}

void baseline_close(baseline *base) {
    if (base == NULL) return;
    sqlite3_finalize(base->insert);
    sqlite3_close(base->database);
    free(base);
}
