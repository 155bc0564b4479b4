#include "signatures.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "CBaseline.h"

static uint8_t public_key[crypto_sign_PUBLICKEYBYTES], secret_key[crypto_sign_SECRETKEYBYTES];

/* Before any process is made, so that all have the same. */
__attribute__((constructor)) static void make_keys(void) {
    uint8_t seed[crypto_sign_SEEDBYTES] = {7};
    crypto_sign_seed_keypair(public_key, secret_key, seed);
}

void message_sign(uint8_t *message, size_t length) {
    size_t signed_length = length - crypto_sign_BYTES;
    crypto_sign_detached(message + signed_length, NULL, message, signed_length, secret_key);
}

int message_verify(const uint8_t *message, size_t length) {
    size_t signed_length = length - crypto_sign_BYTES;
    return crypto_sign_verify_detached(message + signed_length, message, signed_length, public_key);
}

enum { RUNS = 9, MESSAGES = 4096 };

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Each message is another one, as those of peers are: the time of a verification hangs on the signature, and a processor that is
   shown the same one again and again learns its branches, which saves it 4 %. */
static double median_microseconds(int bytes, int count, int verifies) {
    double runs[RUNS], median = -1;
    size_t length = (size_t)bytes;
    uint8_t *messages;
    if (bytes < 96 || bytes > 1024 || count < 1 || count > MESSAGES) return -1;
    messages = calloc((size_t)count, length);
    if (messages == NULL) return -1;
    for (int index = 0; index < count; index++) {
        memcpy(messages + (size_t)index * length, &index, sizeof index);
        message_sign(messages + (size_t)index * length, length);
    }
    for (int run = 0; run < RUNS; run++) {
        int64_t start = baseline_now();
        for (int index = 0; index < count; index++) {
            uint8_t *message = messages + (size_t)index * length;
            if (!verifies) {
                message_sign(message, length);
            } else if (message_verify(message, length) != 0) {
                goto end;
            }
        }
        runs[run] = (double)(baseline_now() - start) / 1e3 / count;
    }
    qsort(runs, RUNS, sizeof runs[0], by_size);
    median = runs[RUNS / 2];
end:
    free(messages);
    return median;
}

double baseline_sign_microseconds(int bytes, int count) { return median_microseconds(bytes, count, 0); }

double baseline_verify_microseconds(int bytes, int count) { return median_microseconds(bytes, count, 1); }
