/* Makes rows of RGB smaller, one row after another, in memory of a few rows. */
#ifndef CPICTURE_SCALE_H
#define CPICTURE_SCALE_H

#include <stdbool.h>

#include "CPicture.h"

struct scaler;

/* What a decoder writes to: every view of one picture. */
struct sink {
    const struct CPictureView *views;
    size_t view_count;
    /* The picture as it is stored. */
    uint32_t width, height;
    uint8_t *rgb;
    struct scaler *scalers[CPICTURE_VIEWS_MAX];
};

/* `width` and `height` are those of the rows that come, which a decoder may have made smaller. False without memory. */
bool sink_open(struct sink *sink, uint32_t width, uint32_t height);

/* Rows come from 0 to height - 1, each once; `row` holds width × 3 bytes. */
void sink_take(struct sink *sink, const uint8_t *row, uint32_t index);

/* Whether every pixel of every view is written. */
bool sink_is_complete(const struct sink *sink);

void sink_close(struct sink *sink);

/* How many times as wide and high as needed the picture is, at least 1. Decoders can make it smaller by this factor at
   once without a loss that one sees. */
double sink_excess(const struct sink *sink);

#endif
