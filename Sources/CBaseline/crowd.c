/* Processes in a tree: what a line costs each of them at the least, however many they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CBaseline.h"
#include "baseline.h"
#include "channel.h"
#include "processes.h"
#include "signatures.h"

/* With the one it hangs on each has eight links, as a peer of ours has. */
enum { BRANCHES = 7 };

/* How long all have to be ready before the first line, in nanoseconds. */
static const int64_t settling = 1000000000;

typedef struct {
    channel *up; /* NULL at the root, who writes */
    channel *down[BRANCHES];
    int branches;
    int told;
} place;

/* One transaction and one line of text each, as whoever keeps lines and shows them has. */
static int keep_and_tell(baseline *base, const baseline_crowd_plan *plan, const uint8_t *message, int told) {
    char line[64 + MESSAGE_BYTES_MAX];
    const char *text = (const char *)message + 32;
    int length = plan->bytes - 32 - crypto_sign_BYTES;
    if (baseline_insert(base, message, length) != 0) return -1;
    int count = snprintf(line, sizeof line, "{\"event\":\"message\",\"text\":\"%.*s\"}\n", length, text);
    return write(told, line, (size_t)count) == count ? 0 : -1;
}

static int member(const baseline_crowd_plan *plan, const place *at, const char *path, int64_t *worked) {
    uint8_t own[MESSAGE_BYTES_MAX], *message = own;
    size_t length = (size_t)plan->bytes;
    baseline *base = baseline_open(path);
    int failed = base == NULL;
    memset(own, 'x', sizeof own);
    int64_t start = processes_worked(), began = baseline_now() + settling;
    for (int index = 0; index < plan->lines && !failed; index++) {
        if (at->up == NULL) {
            processes_sleep(began + (int64_t)index * 1000000000 / plan->rate);
            memcpy(own, &index, sizeof index);
            message_sign(own, length);
        } else {
            failed = channel_next(at->up, &message, &length) != 0 || length != (size_t)plan->bytes ||
                     message_verify(message, length) != 0;
        }
        for (int branch = 0; branch < at->branches && !failed; branch++)
            failed = channel_seal(at->down[branch], message, length) != 0 || channel_flush(at->down[branch]) != 0;
        if (!failed) failed = keep_and_tell(base, plan, message, at->told);
    }
    *worked = processes_worked() - start;
    baseline_close(base);
    return failed;
}

/* What all have told, until the last of them ends. */
static int64_t lines_told(int told) {
    char chunk[1 << 16];
    int64_t lines = 0;
    ssize_t count;
    while ((count = read(told, chunk, sizeof chunk)) > 0)
        for (ssize_t index = 0; index < count; index++) lines += chunk[index] == '\n';
    return lines;
}

/* Each end of a link belongs to one process: whoever else holds it would keep it open. */
static void close_others(channel *(*links)[2], int peers, int number) {
    for (int link = 1; link < peers; link++) {
        if (link != number) close(links[link][1]->descriptor);
        if ((link - 1) / BRANCHES != number) close(links[link][0]->descriptor);
    }
}

static pid_t begin(const baseline_crowd_plan *plan, channel *(*links)[2], int number, int told[2], int64_t *worked) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    char path[4096];
    place at = {.up = number == 0 ? NULL : links[number][1], .told = told[1]};
    for (int below = number * BRANCHES + 1; below <= number * BRANCHES + BRANCHES && below < plan->peers; below++)
        at.down[at.branches++] = links[below][0];
    close(told[0]);
    close_others(links, plan->peers, number);
    snprintf(path, sizeof path, "%s/%d.sqlite", plan->folder, number);
    _exit(member(plan, &at, path, worked) == 0 ? 0 : 1);
}

double baseline_crowd(const baseline_crowd_plan *plan) {
    channel *links[BASELINE_CROWD_MAX][2] = {{NULL}};
    pid_t children[BASELINE_CROWD_MAX];
    int told[2], begun = 0, failed = 0;
    int64_t lines = 0, sum = 0;
    size_t bytes = sizeof(int64_t) * BASELINE_CROWD_MAX;
    if (plan->peers < 2 || plan->peers > BASELINE_CROWD_MAX || plan->bytes < 128 || plan->bytes > MESSAGE_BYTES_MAX ||
        plan->rate < 1 || sodium_init() < 0 || pipe(told) != 0)
        return -1;
    int64_t *worked = processes_share(bytes);
    failed = worked == NULL;
    for (int link = 1; link < plan->peers && !failed; link++) failed = channel_pair(links[link]) != 0;
    for (; begun < plan->peers && !failed; begun++)
        failed = (children[begun] = begin(plan, links, begun, told, worked + begun)) < 0;
    close(told[1]);
    for (int link = 1; link < plan->peers; link++)
        for (int end = 0; end < 2; end++) channel_free(links[link][end]);
    lines = lines_told(told[0]);
    close(told[0]);
    failed |= processes_ended(children, begun) != 0 || lines != (int64_t)plan->peers * plan->lines;
    for (int number = 0; number < begun; number++) sum += worked[number];
    if (worked != NULL) processes_unshare(worked, bytes);
    return failed ? -1 : (double)sum / 1e3 / (double)lines;
}
