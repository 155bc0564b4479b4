#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>
#include <stdint.h>
#include <sodium.h>

/* A read takes so much; a record with its head is shorter. */
enum { CHANNEL_BYTES = 1 << 18, MESSAGE_BYTES_MAX = 1024, PER_RECORD_MAX = 64 };

/* One end of a TCP connection on which each record is sealed on its own. */
typedef struct {
    int descriptor;
    uint64_t sealed, opened;
    size_t in_start, in_end, out_end;
    uint8_t in[CHANNEL_BYTES], out[CHANNEL_BYTES];
} channel;

/* Both ends. NULL in `ends` on failure. */
int channel_pair(channel *ends[2]);
channel *channel_make(int descriptor);
void channel_free(channel *end);

/* Puts a record behind what waits to be written. */
int channel_seal(channel *end, const uint8_t *text, size_t length);
int channel_flush(channel *end);
/* The next whole record of what was read, opened where it lies; 0 if there is none, less than 0 if it is forged. */
int channel_open(channel *end, uint8_t **text, size_t *length);
/* Reads once. How many bytes; 0 at the end. */
int channel_read(channel *end);
/* Reads until there is a record, and opens it. 0 on success. */
int channel_next(channel *end, uint8_t **text, size_t *length);

/* A listening socket on 127.0.0.1 and its address; less than 0 on failure. */
struct sockaddr_in;
int channel_listen(struct sockaddr_in *address);
int channel_connect(const struct sockaddr_in *address);
int channel_accept(int listener);

#endif
