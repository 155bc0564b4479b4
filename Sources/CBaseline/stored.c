/* Two processes that chat: each line is signed, sealed, opened, verified, and put into a file of SQLite at both ends. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CBaseline.h"
#include "baseline.h"
#include "channel.h"
#include "processes.h"
#include "signatures.h"

/* What a person types arrives on one pipe, what she reads leaves on the other. */
typedef struct {
    channel *link;
    int typed[2], shown[2];
    pid_t child;
} speaker;

typedef struct {
    baseline *base;
    speaker *at;
    size_t bytes;
} chat;

static int keep(const chat *own, const uint8_t *message) {
    return baseline_insert(own->base, message, (int)own->bytes - 32 - crypto_sign_BYTES);
}

static int say(const chat *own, uint8_t *message) {
    char line[MESSAGE_BYTES_MAX];
    ssize_t count = read(own->at->typed[0], line, sizeof line);
    if (count <= 0 || (size_t)count > own->bytes - 32 - crypto_sign_BYTES) return -1;
    memcpy(message + 32, line, (size_t)count);
    message_sign(message, own->bytes);
    if (keep(own, message) != 0 || channel_seal(own->at->link, message, own->bytes) != 0) return -1;
    return channel_flush(own->at->link);
}

/* Shown first, then stored: the reader need not wait for the file. */
static int hear(const chat *own) {
    char line[64 + MESSAGE_BYTES_MAX];
    uint8_t *message;
    size_t length;
    if (channel_next(own->at->link, &message, &length) != 0 || length != own->bytes ||
        message_verify(message, length) != 0)
        return -1;
    int text = (int)own->bytes - 32 - crypto_sign_BYTES;
    int count = snprintf(line, sizeof line, "{\"event\":\"message\",\"text\":\"%.*s\"}\n", text, (char *)message + 32);
    if (write(own->at->shown[1], line, (size_t)count) != count) return -1;
    return keep(own, message);
}

static int converse(speaker *at, int begins, int bytes, int count, const char *path) {
    uint8_t message[MESSAGE_BYTES_MAX];
    chat own = {.base = baseline_open(path), .at = at, .bytes = (size_t)bytes};
    int failed = own.base == NULL;
    memset(message, begins ? 'a' : 'b', sizeof message);
    for (int index = 0; index < count && !failed; index++) {
        memcpy(message, &index, sizeof index);
        failed = begins ? say(&own, message) != 0 || hear(&own) != 0 : hear(&own) != 0 || say(&own, message) != 0;
    }
    baseline_close(own.base);
    return failed;
}

/* Whatever belongs to others is closed, or nobody's input would end. */
static void end_with(speaker *one) {
    close(one->link->descriptor);
    for (int end = 0; end < 2; end++) {
        close(one->typed[end]);
        close(one->shown[end]);
    }
}

/* The line that one types is read by the other. */
static int trip(const speaker *from, const speaker *to, const char *line, size_t length) {
    char shown[2 * MESSAGE_BYTES_MAX];
    if (write(from->typed[1], line, length) != (ssize_t)length) return -1;
    return read(to->shown[0], shown, sizeof shown) > 0 ? 0 : -1;
}

int baseline_stored_trips(const baseline_chat_plan *plan, int count, double *microseconds) {
    speaker both[2] = {{0}};
    channel *ends[2];
    pid_t children[2];
    char line[MESSAGE_BYTES_MAX], path[4096];
    size_t length = (size_t)plan->bytes - 32 - crypto_sign_BYTES;
    int begun = 0, failed = 0;
    if (plan->bytes < 128 || plan->bytes > MESSAGE_BYTES_MAX || count < 1 || sodium_init() < 0) return -1;
    if (channel_pair(ends) != 0) return -1;
    for (int one = 0; one < 2; one++) {
        both[one].link = ends[one];
        if (pipe(both[one].typed) != 0 || pipe(both[one].shown) != 0) return -1;
    }
    for (; begun < 2 && !failed; begun++) {
        if ((children[begun] = fork()) == 0) {
            end_with(&both[1 - begun]);
            close(both[begun].typed[1]);
            snprintf(path, sizeof path, "%s/%d.sqlite", plan->folder, begun);
            _exit(converse(&both[begun], begun == 0, plan->bytes, count, path) == 0 ? 0 : 1);
        }
        failed = children[begun] < 0;
    }
    for (int one = 0; one < 2; one++) {
        close(both[one].typed[0]);
        close(both[one].shown[1]);
        channel_free(ends[one]);
    }
    memset(line, 'x', sizeof line);
    for (int index = 0; index < count && !failed; index++) {
        int64_t start = baseline_now();
        failed = trip(&both[0], &both[1], line, length) != 0 || trip(&both[1], &both[0], line, length) != 0;
        microseconds[index] = (double)(baseline_now() - start) / 1e3;
    }
    for (int one = 0; one < 2; one++) {
        close(both[one].typed[1]);
        close(both[one].shown[0]);
    }
    return processes_ended(children, begun) != 0 || failed ? -1 : 0;
}
