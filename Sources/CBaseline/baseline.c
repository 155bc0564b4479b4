#include "baseline.h"

#include <stdlib.h>

int baseline_execute(baseline *base, const char *sql) {
    return sqlite3_exec(base->database, sql, NULL, NULL, NULL);
}

int baseline_run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
}

int baseline_prepare(baseline *base, const char *const *sql) {
    for (int index = 0; sql[index] != NULL && index < STATEMENTS_MAX; index++) {
        int code = sqlite3_prepare_v3(
            base->database, sql[index], -1, SQLITE_PREPARE_PERSISTENT, &base->statements[index], NULL);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

baseline *baseline_open(const char *path, const char *schema, const char *const *sql) {
    baseline *base = calloc(1, sizeof *base);
    if (base == NULL) return NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &base->database, flags, NULL) != SQLITE_OK ||
        baseline_execute(base, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8192") != SQLITE_OK ||
        baseline_execute(base, schema) != SQLITE_OK || baseline_prepare(base, sql) != SQLITE_OK) {
        baseline_close(base);
        return NULL;
    }
    return base;
}

void baseline_close(baseline *base) {
    if (base == NULL) return;
    for (int index = 0; index < STATEMENTS_MAX; index++) sqlite3_finalize(base->statements[index]);
    sqlite3_close(base->database);
    free(base);
}

const char *baseline_error(const baseline *base) {
    return base == NULL ? "cannot open it" : sqlite3_errmsg(base->database);
}
