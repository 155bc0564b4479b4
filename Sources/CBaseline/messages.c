/* Messages to another process over one connection: as they are, or each sealed. */
#include <string.h>
#include <unistd.h>

#include "CBaseline.h"
#include "channel.h"
#include "processes.h"

enum { LENGTH_BYTES = 2, LARGEST = 60000 };

static int put(channel *link, const uint8_t *message, size_t bytes, int is_sealed) {
    if (is_sealed) return channel_seal(link, message, bytes);
    if (link->out_end + LENGTH_BYTES + bytes > CHANNEL_BYTES && channel_flush(link) != 0) return -1;
    uint8_t *head = link->out + link->out_end;
    head[0] = (uint8_t)(bytes >> 8);
    head[1] = (uint8_t)bytes;
    memcpy(head + LENGTH_BYTES, message, bytes);
    link->out_end += LENGTH_BYTES + bytes;
    return 0;
}

static int next(channel *link, uint8_t **message, size_t *length, int is_sealed) {
    if (is_sealed) return channel_next(link, message, length);
    while (1) {
        uint8_t *head = link->in + link->in_start;
        size_t there = link->in_end - link->in_start;
        if (there >= LENGTH_BYTES) {
            *length = (size_t)head[0] << 8 | head[1];
            *message = head + LENGTH_BYTES;
            if (there >= LENGTH_BYTES + *length) {
                link->in_start += LENGTH_BYTES + *length;
                return 0;
            }
        }
        if (channel_read(link) <= 0) return -1;
    }
}

/* Takes them all, then sends one byte. */
static int hear(channel *link, size_t bytes, int count, int is_sealed) {
    uint8_t *message, done = 1;
    size_t length;
    for (int index = 0; index < count; index++)
        if (next(link, &message, &length, is_sealed) != 0 || length != bytes) return -1;
    return write(link->descriptor, &done, 1) == 1 ? 0 : -1;
}

double baseline_messages_seconds(int bytes, int count, int is_sealed) {
    static const uint8_t message[LARGEST];
    channel *ends[2];
    uint8_t done;
    if (bytes < 1 || bytes > LARGEST || count < 1 || sodium_init() < 0 || channel_pair(ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]->descriptor);
        _exit(hear(ends[1], (size_t)bytes, count, is_sealed) == 0 ? 0 : 1);
    }
    channel_free(ends[1]);
    int64_t start = baseline_now();
    int failed = child < 0;
    for (int index = 0; index < count && !failed; index++) failed = put(ends[0], message, (size_t)bytes, is_sealed) != 0;
    failed = failed || channel_flush(ends[0]) != 0 || read(ends[0]->descriptor, &done, 1) != 1;
    double taken = (double)(baseline_now() - start) / 1e9;
    channel_free(ends[0]);
    if (child > 0) failed |= processes_ended(&child, 1) != 0;
    return failed ? -1 : taken;
}
