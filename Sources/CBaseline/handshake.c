#include <netinet/in.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CBaseline.h"
#include "channel.h"
#include "signatures.h"

/* A key, a sealed key, and a sealed introduction of a name, a port and a signature: about as long as ours. */
enum { KEY = 32, INTRODUCTION = 256 };

typedef struct {
    uint8_t secret[KEY], open[KEY];
} pair;

static void pair_make(pair *made) {
    randombytes_buf(made->secret, KEY);
    crypto_scalarmult_base(made->open, made->secret);
}

/* Three agreements, mixed into one key as a hash of all. */
static int agree(const pair *own, const pair *own_static, const uint8_t *theirs, const uint8_t *theirs_static) {
    uint8_t shared[3][KEY], key[KEY];
    if (crypto_scalarmult(shared[0], own->secret, theirs) != 0 ||
        crypto_scalarmult(shared[1], own->secret, theirs_static) != 0 ||
        crypto_scalarmult(shared[2], own_static->secret, theirs) != 0)
        return -1;
    return crypto_generichash(key, KEY, shared[0], sizeof shared, NULL, 0);
}

/* One side says its ephemeral key first, and its static key and who it is when it knows the other's. */
static int shake(channel *end, const pair *own_static, int begins) {
    uint8_t said[KEY + INTRODUCTION] = {0}, theirs[KEY], *text;
    size_t length;
    pair own;
    pair_make(&own);
    if (begins) {
        if (channel_seal(end, own.open, KEY) != 0 || channel_flush(end) != 0) return -1;
        if (channel_next(end, &text, &length) != 0 || length != KEY) return -1;
        memcpy(theirs, text, KEY);
        if (channel_next(end, &text, &length) != 0) return -1;
    } else {
        if (channel_next(end, &text, &length) != 0 || length != KEY) return -1;
        memcpy(theirs, text, KEY);
        if (channel_seal(end, own.open, KEY) != 0) return -1;
    }
    memcpy(said, own_static->open, KEY);
    if (!begins) {
        message_sign(said, sizeof said);
        if (channel_seal(end, said, sizeof said) != 0 || channel_flush(end) != 0) return -1;
        if (channel_next(end, &text, &length) != 0) return -1;
    }
    if (length != sizeof said || message_verify(text, length) != 0) return -1;
    if (agree(&own, own_static, theirs, text) != 0) return -1;
    if (!begins) return channel_seal(end, said, KEY) != 0 || channel_flush(end) != 0 ? -1 : 0;
    message_sign(said, sizeof said);
    if (channel_seal(end, said, sizeof said) != 0 || channel_flush(end) != 0) return -1;
    // The first word after it: now either side may speak.
    return channel_next(end, &text, &length);
}

static int answer(int listener, const pair *own, int count) {
    for (int index = 0; index < count; index++) {
        channel *end = channel_make(channel_accept(listener));
        int failed = end == NULL || shake(end, own, 0) != 0;
        channel_free(end);
        if (failed) return -1;
    }
    return 0;
}

int baseline_handshakes(int count, double *microseconds) {
    struct sockaddr_in address;
    pair own;
    int status, failed = 0;
    if (sodium_init() < 0) return -1;
    int listener = channel_listen(&address);
    if (listener < 0) return -1;
    pair_make(&own);
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) _exit(answer(listener, &own, count) == 0 ? 0 : 1);
    close(listener);
    for (int index = 0; index < count && !failed; index++) {
        int64_t start = baseline_now();
        channel *end = channel_make(channel_connect(&address));
        failed = end == NULL || shake(end, &own, 1) != 0;
        microseconds[index] = (double)(baseline_now() - start) / 1e3;
        channel_free(end);
    }
    return waitpid(child, &status, 0) < 0 || status != 0 || failed ? -1 : 0;
}
