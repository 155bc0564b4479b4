/* A file that one process gives and another takes: each piece is sealed, opened, hashed and written. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CBaseline.h"
#include "channel.h"
#include "processes.h"

enum { PIECE_BYTES = 1 << 15 };

static int give(channel *link, const char *path) {
    uint8_t piece[PIECE_BYTES];
    ssize_t count;
    int file = open(path, O_RDONLY | O_CLOEXEC), failed = file < 0;
    while (!failed && (count = read(file, piece, sizeof piece)) != 0)
        failed = count < 0 || channel_seal(link, piece, (size_t)count) != 0 || channel_flush(link) != 0;
    if (file >= 0) close(file);
    return failed ? -1 : 0;
}

static int take(channel *link, const char *path, int64_t bytes) {
    uint8_t *piece, hash[crypto_generichash_BYTES];
    size_t length;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), failed = file < 0;
    for (int64_t done = 0; done < bytes && !failed; done += (int64_t)length) {
        failed = channel_next(link, &piece, &length) != 0 || length == 0 ||
                 crypto_generichash(hash, sizeof hash, piece, length, NULL, 0) != 0 ||
                 pwrite(file, piece, length, (off_t)done) != (ssize_t)length;
    }
    if (!failed) failed = fdatasync(file) != 0;
    if (file >= 0) close(file);
    return failed ? -1 : 0;
}

double baseline_file_seconds(const char *from, const char *to) {
    struct stat facts;
    channel *ends[2];
    pid_t children[2];
    int begun = 0, failed = 0;
    if (sodium_init() < 0 || stat(from, &facts) != 0 || channel_pair(ends) != 0) return -1;
    int64_t start = baseline_now();
    for (; begun < 2 && !failed; begun++) {
        if ((children[begun] = fork()) == 0) {
            close(ends[1 - begun]->descriptor);
            _exit(begun == 0 ? give(ends[0], from) != 0 : take(ends[1], to, facts.st_size) != 0);
        }
        failed = children[begun] < 0;
    }
    for (int end = 0; end < 2; end++) channel_free(ends[end]);
    return processes_ended(children, begun) != 0 || failed ? -1 : (double)(baseline_now() - start) / 1e9;
}
