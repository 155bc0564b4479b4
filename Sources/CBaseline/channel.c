#include "channel.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD = 2, TAG = crypto_aead_chacha20poly1305_ietf_ABYTES };

/* What the key is makes no difference to how long it takes. */
static const uint8_t key[crypto_aead_chacha20poly1305_ietf_KEYBYTES] = {1};

static void without_delay(int descriptor) {
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int channel_listen(struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0) return -1;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof *address;
    if (bind(listener, (struct sockaddr *)address, length) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr *)address, &length) != 0) {
        close(listener);
        return -1;
    }
    return listener;
}

int channel_connect(const struct sockaddr_in *address) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    if (connect(descriptor, (const struct sockaddr *)address, sizeof *address) != 0) {
        close(descriptor);
        return -1;
    }
    without_delay(descriptor);
    return descriptor;
}

int channel_accept(int listener) {
    int descriptor = accept(listener, NULL, NULL);
    if (descriptor >= 0) without_delay(descriptor);
    return descriptor;
}

channel *channel_make(int descriptor) {
    channel *end = descriptor < 0 ? NULL : malloc(sizeof *end);
    if (end == NULL) return NULL;
    end->descriptor = descriptor;
    end->sealed = end->opened = 0;
    end->in_start = end->in_end = end->out_end = 0;
    return end;
}

void channel_free(channel *end) {
    if (end == NULL) return;
    close(end->descriptor);
    free(end);
}

int channel_pair(channel *ends[2]) {
    struct sockaddr_in address;
    int listener = channel_listen(&address);
    ends[0] = ends[1] = NULL;
    if (listener < 0) return -1;
    ends[0] = channel_make(channel_connect(&address));
    if (ends[0] != NULL) ends[1] = channel_make(channel_accept(listener));
    close(listener);
    return ends[1] == NULL ? -1 : 0;
}

static void write_nonce(uint8_t nonce[12], uint64_t number) {
    memset(nonce, 0, 12);
    memcpy(nonce + 4, &number, sizeof number);
}

int channel_seal(channel *end, const uint8_t *text, size_t length) {
    if (end->out_end + HEAD + length + TAG > CHANNEL_BYTES && channel_flush(end) != 0) return -1;
    uint8_t nonce[12];
    write_nonce(nonce, end->sealed++);
    uint8_t *record = end->out + end->out_end;
    size_t sealed = length + TAG;
    record[0] = (uint8_t)(sealed >> 8);
    record[1] = (uint8_t)sealed;
    crypto_aead_chacha20poly1305_ietf_encrypt(record + HEAD, NULL, text, length, NULL, 0, NULL, nonce, key);
    end->out_end += HEAD + sealed;
    return 0;
}

int channel_flush(channel *end) {
    size_t written = 0;
    while (written < end->out_end) {
        ssize_t count = write(end->descriptor, end->out + written, end->out_end - written);
        if (count <= 0) return -1;
        written += (size_t)count;
    }
    end->out_end = 0;
    return 0;
}

int channel_open(channel *end, uint8_t **text, size_t *length) {
    size_t there = end->in_end - end->in_start;
    uint8_t *record = end->in + end->in_start;
    if (there < HEAD) return 0;
    size_t sealed = (size_t)record[0] << 8 | record[1];
    if (there < HEAD + sealed) return 0;
    uint8_t nonce[12];
    write_nonce(nonce, end->opened++);
    if (sealed < TAG || crypto_aead_chacha20poly1305_ietf_decrypt(
                            record + HEAD, NULL, NULL, record + HEAD, sealed, NULL, 0, nonce, key) != 0)
        return -1;
    end->in_start += HEAD + sealed;
    *text = record + HEAD;
    *length = sealed - TAG;
    return 1;
}

int channel_read(channel *end) {
    if (end->in_start > 0) {
        memmove(end->in, end->in + end->in_start, end->in_end - end->in_start);
        end->in_end -= end->in_start;
        end->in_start = 0;
    }
    ssize_t count = read(end->descriptor, end->in + end->in_end, CHANNEL_BYTES - end->in_end);
    if (count > 0) end->in_end += (size_t)count;
    return (int)count;
}

int channel_next(channel *end, uint8_t **text, size_t *length) {
    while (1) {
        int opened = channel_open(end, text, length);
        if (opened != 0) return opened > 0 ? 0 : -1;
        if (channel_read(end) <= 0) return -1;
    }
}
