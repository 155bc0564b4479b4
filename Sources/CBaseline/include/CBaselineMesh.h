/* What TCP on loopback and libsodium take by themselves, each peer a process: the limits of a mesh. */
#ifndef CBASELINE_MESH_H
#define CBASELINE_MESH_H

#include <stdint.h>

/* Messages as they go from process to process. */
typedef struct {
    int32_t bytes;      /* 96–1,024; a signed one carries its 64 bytes of signature in them */
    int32_t is_signed;  /* signed where it begins, verified wherever it comes */
    int32_t relays;     /* processes between the first and the last, which open and seal anew: 0–8 */
    int32_t per_record; /* messages sealed together, 1–64 */
} baseline_way;

/* Keeps the calling thread, and what it starts, to the first so many processors. 0, or an error of the system. */
int baseline_pin(int processors);

/* Nanoseconds of CLOCK_MONOTONIC, which all processes share. */
int64_t baseline_now(void);

/* Microseconds of each round trip: there, and another message back. 0 on success. */
int baseline_round_trips(const baseline_way *way, int count, double *microseconds);

/* Messages a second from the first to the last process, 64 to one write. Less than 0 on failure. */
double baseline_stream(const baseline_way *way, int count);

/* Messages a second that come to `readers` processes (1–8) together, written to each in turn. Less than 0 on failure. */
double baseline_fan_out(const baseline_way *way, int readers, int count);

/* Microseconds from connect to a handshake of the shape of Noise XX: on each side one ephemeral key, three agreements, one signature
   made and one verified, and two texts sealed or opened. 0 on success. */
int baseline_handshakes(int count, double *microseconds);

/* Microseconds of one signature over so many bytes, and of its verification: the median of nine runs over `count` messages (1–4096),
   no two of which are the same. Less than 0 on failure. */
double baseline_sign_microseconds(int bytes, int count);
double baseline_verify_microseconds(int bytes, int count);

#endif
