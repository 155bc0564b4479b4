#ifndef BASELINE_H
#define BASELINE_H

#include <sqlite3.h>

#include "CBaseline.h"

enum { STATEMENTS_MAX = 16 };

struct baseline {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENTS_MAX];
};

/* Prepares each of a list that ends with NULL. */
int baseline_prepare(baseline *base, const char *const *sql);
baseline *baseline_open(const char *path, const char *schema, const char *const *sql);
int baseline_execute(baseline *base, const char *sql);
/* Steps a statement that gives no rows, and resets it. */
int baseline_run(sqlite3_stmt *statement);

#endif
