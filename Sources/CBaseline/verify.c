#include <sodium.h>

#include "CBaseline.h"

int baseline_verified(const uint8_t *rows, const int32_t *lengths, int count) {
    int right = 0;
    for (int index = 0; index < count; index++) {
        if (crypto_sign_verify_detached(rows + 32, rows + 96, (unsigned long long)lengths[index], rows) == 0) right++;
        rows += 96 + lengths[index];
    }
    return right;
}
