#pragma once
#include <stdbool.h>
#include <stdint.h>

// Whether this program counts what it asks of the heap. It does not under a sanitizer, which counts by itself.
bool allocations_are_counted(void);

// How often this thread has asked the heap for memory since it began. Exact: every call counts once, whoever makes it.
uint64_t allocations_of_this_thread(void);
