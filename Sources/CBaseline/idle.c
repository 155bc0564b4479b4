/* A process that only sees to it that its links are alive. */
#include <poll.h>
#include <unistd.h>

#include "CBaseline.h"
#include "channel.h"
#include "processes.h"

enum { PING = 16 };

/* Answers whatever comes on any of them, until one ends. */
static int answer_all(channel *const *ends, int links) {
    struct pollfd polled[BASELINE_LINKS_MAX];
    uint8_t *text;
    size_t length;
    for (int link = 0; link < links; link++) polled[link] = (struct pollfd){ends[link]->descriptor, POLLIN, 0};
    while (poll(polled, (nfds_t)links, -1) > 0) {
        for (int link = 0; link < links; link++) {
            if (polled[link].revents == 0) continue;
            if (channel_next(ends[link], &text, &length) != 0) return 0;
            if (channel_seal(ends[link], text, length) != 0 || channel_flush(ends[link]) != 0) return -1;
        }
    }
    return -1;
}

/* As peers do that are not in step: each link at a time of its own. */
static int ping_all(channel *const *ends, int links, int seconds, int interval) {
    uint8_t ping[PING] = {0}, *text;
    size_t length;
    int64_t began = baseline_now(), step = (int64_t)interval * 1000000000 / links;
    for (int64_t index = 0; index * step < (int64_t)seconds * 1000000000; index++) {
        channel *end = ends[index % links];
        processes_sleep(began + index * step);
        if (channel_seal(end, ping, PING) != 0 || channel_flush(end) != 0 || channel_next(end, &text, &length) != 0)
            return -1;
    }
    return 0;
}

double baseline_idle(int links, int seconds, int interval) {
    channel *near[BASELINE_LINKS_MAX] = {NULL}, *far[BASELINE_LINKS_MAX] = {NULL};
    int failed = links < 1 || links > BASELINE_LINKS_MAX || seconds < 1 || interval < 1 || sodium_init() < 0;
    int64_t *worked = processes_share(sizeof *worked);
    pid_t children[2] = {-1, -1};
    int begun = 0;
    if (failed || worked == NULL) return -1;
    for (int link = 0; link < links && !failed; link++) {
        channel *ends[2];
        failed = channel_pair(ends) != 0;
        near[link] = ends[0];
        far[link] = ends[1];
    }
    for (; begun < 2 && !failed; begun++) {
        if ((children[begun] = fork()) < 0) break;
        if (children[begun] > 0) continue;
        channel **own = begun == 0 ? far : near, **theirs = begun == 0 ? near : far;
        for (int link = 0; link < links; link++) close(theirs[link]->descriptor);
        int64_t start = processes_worked();
        int code = begun == 0 ? answer_all(own, links) : ping_all(own, links, seconds, interval);
        if (begun == 1) *worked = processes_worked() - start;
        _exit(code == 0 ? 0 : 1);
    }
    for (int link = 0; link < links; link++) {
        channel_free(near[link]);
        channel_free(far[link]);
    }
    failed |= begun < 2 || processes_ended(children, begun) != 0;
    double taken = (double)*worked / 1e9;
    processes_unshare(worked, sizeof *worked);
    return failed ? -1 : taken;
}
