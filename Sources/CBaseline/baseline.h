#ifndef BASELINE_H
#define BASELINE_H

#include <sqlite3.h>
#include <stdint.h>

/* A file of SQLite with one table of lines and one index of their dates. */
typedef struct {
    sqlite3 *database;
    sqlite3_stmt *insert;
} baseline;

/* NULL on failure. */
baseline *baseline_open(const char *path);
/* In a transaction of its own: the first 32 bytes are id and author, and `text` bytes follow. 0 on success. */
int baseline_insert(baseline *base, const uint8_t *message, int text);
void baseline_close(baseline *base);

#endif
