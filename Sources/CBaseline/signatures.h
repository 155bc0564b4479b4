#ifndef SIGNATURES_H
#define SIGNATURES_H

#include <stddef.h>
#include <stdint.h>

/* The last 64 of so many bytes sign the others, by a key that both sides have. */
void message_sign(uint8_t *message, size_t length);
int message_verify(const uint8_t *message, size_t length);

#endif
