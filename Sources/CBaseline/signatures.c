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

enum { RUNS = 9 };

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_microseconds(int bytes, int count, int verifies) {
    uint8_t message[1024] = {0};
    double runs[RUNS];
    if (bytes < 96 || bytes > (int)sizeof message || count < 1) return -1;
    message_sign(message, (size_t)bytes);
    for (int run = 0; run < RUNS; run++) {
        int64_t start = baseline_now();
        for (int index = 0; index < count; index++) {
            if (!verifies) {
                message[0] = (uint8_t)index;
                message_sign(message, (size_t)bytes);
            } else if (message_verify(message, (size_t)bytes) != 0) {
                return -1;
            }
        }
        runs[run] = (double)(baseline_now() - start) / 1e3 / count;
    }
    qsort(runs, RUNS, sizeof runs[0], by_size);
    return runs[RUNS / 2];
}

double baseline_sign_microseconds(int bytes, int count) { return median_microseconds(bytes, count, 0); }

double baseline_verify_microseconds(int bytes, int count) { return median_microseconds(bytes, count, 1); }
