#ifndef PROCESSES_H
#define PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Waits for all of them. 0 if each ended well. */
int processes_ended(const pid_t *children, int count);

/* Memory full of zeros that processes made from now on write to in common. NULL on failure. */
void *processes_share(size_t bytes);
void processes_unshare(void *shared, size_t bytes);

/* Sleeps until a time of baseline_now. */
void processes_sleep(int64_t until);

/* Nanoseconds that all processors worked for this process. */
int64_t processes_worked(void);

#endif
