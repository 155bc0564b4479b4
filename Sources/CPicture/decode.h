/* What each format has to do. */
#ifndef CPICTURE_DECODE_H
#define CPICTURE_DECODE_H

#include "scale.h"

enum CPictureResult jpeg_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);
enum CPictureResult png_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);
enum CPictureResult webp_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/* Opens the sink and gives it every row. The caller closes it. */
enum CPictureResult jpeg_decode(const uint8_t *bytes, size_t count, struct sink *sink);
enum CPictureResult png_decode(const uint8_t *bytes, size_t count, struct sink *sink);
enum CPictureResult webp_decode(const uint8_t *bytes, size_t count, struct sink *sink);

/* Makes RGB of `width` pixels of RGBA over white; both may be the same memory. */
static inline void lay_over_white(const uint8_t *rgba, uint8_t *rgb, size_t width) {
    for (size_t index = 0; index < width; index++, rgba += 4, rgb += 3) {
        unsigned alpha = rgba[3];
        for (int channel = 0; channel < 3; channel++) {
            rgb[channel] = (uint8_t)((rgba[channel] * alpha + 255 * (255 - alpha) + 127) / 255);
        }
    }
}

#endif
