#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

int processes_ended(const pid_t *children, int count) {
    int failures = 0, status;
    for (int index = 0; index < count; index++) {
        pid_t pid;
        do pid = waitpid(children[index], &status, 0);
        while (pid < 0 && errno == EINTR);
        if (pid < 0 || status != 0) failures++;
    }
    return failures == 0 ? 0 : -1;
}

void *processes_share(size_t bytes) {
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

void processes_unshare(void *shared, size_t bytes) { munmap(shared, bytes); }

void processes_sleep(int64_t until) {
    struct timespec time = {until / 1000000000, until % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

int64_t processes_worked(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
