"""A hook of schemathesis: no faster than an address may ask, so that no answer is only "too many requests"."""

import os
import time

import schemathesis

# An address may write 20 times in a second, and 120 times at once; the checks ask a few times more, which nobody paces. A visitor may
# change two things in a second, and 40 at once.
WRITES_A_SECOND = float(os.environ.get("PACE_WRITES_A_SECOND", "17"))
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")

next_write = time.monotonic()


@schemathesis.hook
def before_call(context, case, kwargs):
    global next_write
    if case.method.upper() in SAFE:
        return
    now = time.monotonic()
    next_write = max(now, next_write) + 1 / WRITES_A_SECOND
    time.sleep(max(0.0, next_write - 1 / WRITES_A_SECOND - now))
