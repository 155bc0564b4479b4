#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CBaseline.h"
#include "channel.h"
#include "processes.h"
#include "signatures.h"

enum { RELAYS_MAX = 8, READERS_MAX = 8, PER_WRITE = 64 };

int baseline_pin(int processors) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int index = 0; index < processors && index < CPU_SETSIZE; index++) CPU_SET(index, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

int64_t baseline_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int is_right(const baseline_way *way) {
    return way->bytes >= 96 && way->bytes <= MESSAGE_BYTES_MAX && way->relays >= 0 && way->relays <= RELAYS_MAX &&
           way->per_record >= 1 && way->per_record <= PER_RECORD_MAX && sodium_init() >= 0;
}

static int is_verified(const baseline_way *way, const uint8_t *text, size_t length) {
    if (!way->is_signed) return 1;
    for (size_t start = 0; start + (size_t)way->bytes <= length; start += (size_t)way->bytes)
        if (message_verify(text + start, (size_t)way->bytes) != 0) return 0;
    return 1;
}

/* Whole records that were read go on; what they are sealed in is written at once. */
static int pass_on(const baseline_way *way, channel *from, channel *to) {
    uint8_t *text;
    size_t length;
    if (channel_next(from, &text, &length) != 0) return -1;
    int opened = 1;
    while (opened > 0) {
        if (!is_verified(way, text, length) || channel_seal(to, text, length) != 0) return -1;
        opened = channel_open(from, &text, &length);
    }
    return opened < 0 ? -1 : channel_flush(to);
}

/* Takes in so many messages, then says so with one byte. */
static int sink(const baseline_way *way, channel *end, int count) {
    uint8_t *text, done = 1;
    size_t length;
    while (count > 0) {
        if (channel_next(end, &text, &length) != 0 || !is_verified(way, text, length)) return -1;
        count -= (int)(length / (size_t)way->bytes);
    }
    return write(end->descriptor, &done, 1) == 1 ? 0 : -1;
}

static int echo(const baseline_way *way, channel *end, int count) {
    uint8_t *text;
    size_t length;
    for (int index = 0; index < count; index++) {
        if (channel_next(end, &text, &length) != 0 || !is_verified(way, text, length)) return -1;
        if (way->is_signed) message_sign(text, length);
        if (channel_seal(end, text, length) != 0 || channel_flush(end) != 0) return -1;
    }
    return 0;
}

/* A relay of round trips hands one there, and one back. */
static int relay_trips(const baseline_way *way, channel *left, channel *right, int count) {
    for (int index = 0; index < count; index++)
        if (pass_on(way, left, right) != 0 || pass_on(way, right, left) != 0) return -1;
    return 0;
}

/* Until its input ends. The sink's byte comes back by another way. */
static int relay_stream(const baseline_way *way, channel *left, channel *right) {
    while (pass_on(way, left, right) == 0) {}
    return 0;
}

static int messages(const baseline_way *way, channel *const *ends, int readers, int count) {
    uint8_t text[PER_RECORD_MAX * MESSAGE_BYTES_MAX] = {0};
    int in_write = 0, in_record = 0;
    for (int index = 0; index < count; index++) {
        uint8_t *message = text + (size_t)(in_record * way->bytes);
        memcpy(message, &index, sizeof index);
        if (way->is_signed) message_sign(message, (size_t)way->bytes);
        int is_last = index == count - 1;
        if (++in_record == way->per_record || is_last) {
            for (int reader = 0; reader < readers; reader++)
                if (channel_seal(ends[reader], text, (size_t)(in_record * way->bytes)) != 0) return -1;
            in_record = 0;
        }
        if (++in_write == PER_WRITE || is_last) {
            for (int reader = 0; reader < readers; reader++)
                if (channel_flush(ends[reader]) != 0) return -1;
            in_write = 0;
        }
    }
    return 0;
}

/* A chain of processes from here to an echo or a sink; `near` is the first link's end here, `done` the sink's word. */
typedef struct {
    channel *near;
    channel *done;
    pid_t children[RELAYS_MAX + 1];
    int count;
} chain;

static int chain_make(const baseline_way *way, int count, int is_trips, chain *made) {
    channel *links[RELAYS_MAX + 1][2] = {{NULL}};
    memset(made, 0, sizeof *made);
    for (int link = 0; link <= way->relays; link++)
        if (channel_pair(links[link]) != 0) return -1;
    for (int link = 0; link <= way->relays; link++) {
        pid_t pid = fork();
        if (pid < 0) return -1;
        if (pid == 0) {
            // What belongs to others is closed, or nobody's input would end.
            for (int other = 0; other <= way->relays; other++) {
                if (other != link + 1) close(links[other][0]->descriptor);
                if (other != link) close(links[other][1]->descriptor);
            }
            channel *left = links[link][1];
            int failed;
            if (link == way->relays)
                failed = is_trips ? echo(way, left, count) : sink(way, left, count);
            else
                failed = is_trips ? relay_trips(way, left, links[link + 1][0], count)
                                  : relay_stream(way, left, links[link + 1][0]);
            _exit(failed == 0 ? 0 : 1);
        }
        made->children[made->count++] = pid;
    }
    made->near = links[0][0];
    // The sink writes into its own link, whose other end nobody reads but us.
    made->done = links[way->relays][0];
    for (int link = 0; link <= way->relays; link++) {
        channel_free(links[link][1]);
        if (link > 0 && link < way->relays) channel_free(links[link][0]);
    }
    return 0;
}

static int chain_end(chain *made) {
    if (made->done != made->near) channel_free(made->done);
    channel_free(made->near);
    return processes_ended(made->children, made->count);
}

int baseline_round_trips(const baseline_way *way, int count, double *microseconds) {
    chain made;
    uint8_t message[MESSAGE_BYTES_MAX] = {0}, *text;
    size_t length;
    int failed = 0;
    if (!is_right(way) || chain_make(way, count, 1, &made) != 0) return -1;
    for (int index = 0; index < count && failed == 0; index++) {
        int64_t start = baseline_now();
        memcpy(message, &index, sizeof index);
        if (way->is_signed) message_sign(message, (size_t)way->bytes);
        failed = channel_seal(made.near, message, (size_t)way->bytes) != 0 || channel_flush(made.near) != 0 ||
                 channel_next(made.near, &text, &length) != 0 || !is_verified(way, text, length);
        microseconds[index] = (double)(baseline_now() - start) / 1e3;
    }
    return chain_end(&made) != 0 || failed ? -1 : 0;
}

double baseline_stream(const baseline_way *way, int count) {
    chain made;
    uint8_t done;
    if (!is_right(way) || chain_make(way, count, 0, &made) != 0) return -1;
    int64_t start = baseline_now();
    int failed = messages(way, &made.near, 1, count) != 0 || read(made.done->descriptor, &done, 1) != 1;
    double taken = (double)(baseline_now() - start) / 1e9;
    return chain_end(&made) != 0 || failed ? -1 : count / taken;
}

double baseline_fan_out(const baseline_way *way, int readers, int count) {
    channel *near[READERS_MAX], *far[READERS_MAX];
    pid_t children[READERS_MAX];
    uint8_t done;
    if (!is_right(way) || readers < 1 || readers > READERS_MAX) return -1;
    for (int reader = 0; reader < readers; reader++) {
        channel *ends[2];
        if (channel_pair(ends) != 0) return -1;
        near[reader] = ends[0];
        far[reader] = ends[1];
        if ((children[reader] = fork()) < 0) return -1;
        if (children[reader] == 0) _exit(sink(way, far[reader], count) == 0 ? 0 : 1);
        channel_free(far[reader]);
    }
    int64_t start = baseline_now();
    int failed = messages(way, near, readers, count) != 0;
    for (int reader = 0; reader < readers && !failed; reader++)
        failed = read(near[reader]->descriptor, &done, 1) != 1;
    double taken = (double)(baseline_now() - start) / 1e9;
    for (int reader = 0; reader < readers; reader++) channel_free(near[reader]);
    return processes_ended(children, readers) != 0 || failed ? -1 : (double)count * readers / taken;
}

/* How long each took from when it was due, each into its place. */
static int hear(const baseline_way *way, channel *end, int count, double *microseconds) {
    uint8_t *text;
    size_t length;
    for (int index = 0; index < count; index++) {
        int64_t due;
        if (channel_next(end, &text, &length) != 0 || !is_verified(way, text, length)) return -1;
        memcpy(&due, text, sizeof due);
        microseconds[index] = (double)(baseline_now() - due) / 1e3;
    }
    return 0;
}

/* What is due is said at each tick, dated when it was due however late it is said. */
static int pace(const baseline_way *way, channel *end, int count, int rate) {
    uint8_t message[MESSAGE_BYTES_MAX] = {0};
    int64_t began = baseline_now(), due = began;
    for (int said = 0; said < count;) {
        due += 1000000;
        processes_sleep(due);
        int64_t so_far = (due - began) * rate / 1000000000;
        for (; said < count && said < so_far; said++) {
            memcpy(message, &due, sizeof due);
            if (way->is_signed) message_sign(message, (size_t)way->bytes);
            if (channel_seal(end, message, (size_t)way->bytes) != 0) return -1;
            // A signature takes longer than a write: what has one does not wait for the next.
            if (way->is_signed && channel_flush(end) != 0) return -1;
        }
        if (channel_flush(end) != 0) return -1;
    }
    return 0;
}

int baseline_paced(const baseline_way *way, int count, int rate, double *microseconds) {
    channel *ends[2];
    size_t bytes = sizeof(double) * (size_t)count;
    if (!is_right(way) || count < 1 || rate < 1 || channel_pair(ends) != 0) return -1;
    double *shared = processes_share(bytes);
    pid_t child = shared == NULL ? -1 : fork();
    if (child == 0) {
        close(ends[0]->descriptor);
        _exit(hear(way, ends[1], count, shared) == 0 ? 0 : 1);
    }
    channel_free(ends[1]);
    int failed = child < 0 || pace(way, ends[0], count, rate) != 0;
    channel_free(ends[0]);
    if (child > 0) failed |= processes_ended(&child, 1) != 0;
    if (shared == NULL) return -1;
    memcpy(microseconds, shared, bytes);
    processes_unshare(shared, bytes);
    return failed ? -1 : 0;
}
