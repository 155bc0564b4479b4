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

/* Seconds until so many messages of 1–60,000 bytes have come to another process, each behind its length, and sealed if `is_sealed`. Less
   than 0 on failure. */
double baseline_messages_seconds(int bytes, int count, int is_sealed);

/* Messages a second that come to `readers` processes (1–8) together, written to each in turn. Less than 0 on failure. */
double baseline_fan_out(const baseline_way *way, int readers, int count);

/* Microseconds that each of `count` messages takes from when it was due to the other process, which opens it: `rate` a second, said
   every millisecond. 0 on success. */
int baseline_paced(const baseline_way *way, int count, int rate, double *microseconds);

/* One writes lines at a steady rate, all read them. */
typedef struct {
    int32_t bytes; /* of a line, its signature with them: 128–1,024 */
    int32_t peers; /* 2–BASELINE_CROWD_MAX */
    int32_t rate;  /* lines a second */
    int32_t lines;
    const char *folder; /* for a database of each */
} baseline_crowd_plan;

enum { BASELINE_CROWD_MAX = 256, BASELINE_LINKS_MAX = 64 };

/* Microseconds of processor time a line and peer, where each line comes to each peer over one link: signed once, opened, verified,
   sealed anew for each branch of the tree, put into a table of SQLite, and told as one line of text. Less than 0 on failure. */
double baseline_crowd(const baseline_crowd_plan *plan);

/* Two write lines in turn. */
typedef struct {
    int32_t bytes; /* of a line, its signature with them: 128–1,024 */
    const char *folder; /* for a database of each */
} baseline_chat_plan;

/* Microseconds from a line on the input of one process until the output of the same process shows the reply that the caller gave the
   other: each line is signed, sealed, opened, verified, and committed to SQLite at both ends. 0 on success. */
int baseline_stored_trips(const baseline_chat_plan *plan, int count, double *microseconds);

/* Seconds of processor time of a process with so many links (1–BASELINE_LINKS_MAX), over `seconds`, that asks for a sign of life on each
   of them every `interval` seconds. Less than 0 on failure. */
double baseline_idle(int links, int seconds, int interval);

/* Microseconds from connect to a handshake of the shape of Noise XX: on each side one ephemeral key, three agreements, one signature
   made and one verified, and two texts sealed or opened. 0 on success. */
int baseline_handshakes(int count, double *microseconds);

/* Microseconds of one signature over so many bytes, and of its verification: the median of nine runs over `count` messages (1–4096),
   no two of which are the same. Less than 0 on failure. */
double baseline_sign_microseconds(int bytes, int count);
double baseline_verify_microseconds(int bytes, int count);

#endif
