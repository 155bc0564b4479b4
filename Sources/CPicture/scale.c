#include "scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two steps along each axis. First whole pixels are added up to cells, so that a view needs 2 to 4 cells for a pixel.
   Then a cubic filter takes its pixels from the cells around their centres. */

enum { CHANNELS = 3 };

/* A sum of 1,024 × 1,024 bytes fits into 32 bits. */
static const uint32_t box_max = 1024;
/* The filter's radius, in cells or in pixels of the view, whichever are wider. */
static const double radius = 2;

/* The cells that a pixel is made of. Both ends only ever grow from pixel to pixel. */
struct span {
    uint32_t first, count;
    size_t weights;
};

struct axis {
    /* Pixels that belong to the view; `box` of them make a cell, the last cell may have fewer. */
    uint32_t begin, end, box, cells;
    uint32_t pixels;
    uint32_t count_max;
    struct span *spans;
    float *weights;
};

struct scaler {
    struct axis x, y;
    uint8_t *rgb;
    uint32_t *sums;
    float *line;
    /* The last count_max lines of cells, with the pixels of the view in x. */
    float *ring;
    /* Pixels of the view, before they are rounded. */
    float *pixels;
    uint32_t rows_in_cell;
    uint32_t next_cell;
    uint32_t next_pixel;
};

static double cubic(double x) {
    x = fabs(x);
    if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
    if (x < 2) return ((-0.5 * x + 2.5) * x - 4) * x + 2;
    return 0;
}

static uint32_t clamped(double value, uint32_t most) {
    if (!(value > 0)) return 0;
    return value < most ? (uint32_t)value : most;
}

static void weigh(const struct span *span, float *weights, double centre, double scale) {
    double sum = 0;
    for (uint32_t index = 0; index < span->count; index++) {
        double weight = cubic((span->first + index + 0.5 - centre) / scale);
        weights[index] = (float)weight;
        sum += weight;
    }
    for (uint32_t index = 0; index < span->count; index++) weights[index] = (float)(weights[index] / sum);
}

/* `from` and `to` are within 0 … `length`, which is what a decoder gives. */
static bool axis_open(struct axis *axis, double from, double to, uint32_t length, uint32_t pixels) {
    axis->begin = clamped(floor(from), length - 1);
    axis->end = clamped(ceil(to), length);
    if (axis->end <= axis->begin) axis->end = axis->begin + 1;
    double ratio = (to - from) / pixels;
    axis->box = clamped(ratio / 2, box_max);
    if (axis->box == 0) axis->box = 1;
    axis->cells = (axis->end - axis->begin + axis->box - 1) / axis->box;
    axis->pixels = pixels;
    double step = ratio / axis->box;
    double scale = step > 1 ? step : 1;
    double start = (from - axis->begin) / axis->box;
    axis->count_max = clamped(2 * radius * scale + 2, axis->cells);
    axis->spans = calloc(pixels, sizeof *axis->spans);
    axis->weights = calloc((size_t)pixels * axis->count_max, sizeof *axis->weights);
    if (axis->spans == NULL || axis->weights == NULL) return false;
    for (uint32_t pixel = 0; pixel < pixels; pixel++) {
        double centre = start + (pixel + 0.5) * step;
        struct span *span = &axis->spans[pixel];
        span->first = clamped(floor(centre - radius * scale), axis->cells - 1);
        uint32_t last = clamped(floor(centre + radius * scale), axis->cells - 1);
        span->count = last - span->first + 1;
        if (span->count > axis->count_max) span->count = axis->count_max;
        span->weights = (size_t)pixel * axis->count_max;
        weigh(span, axis->weights + span->weights, centre, scale);
    }
    return true;
}

static void scaler_free(struct scaler *scaler) {
    if (scaler == NULL) return;
    free(scaler->x.spans);
    free(scaler->x.weights);
    free(scaler->y.spans);
    free(scaler->y.weights);
    free(scaler->sums);
    free(scaler->line);
    free(scaler->ring);
    free(scaler->pixels);
    free(scaler);
}

static struct scaler *scaler_make(
    const struct sink *sink, const struct CPictureView *view, uint32_t width, uint32_t height, uint8_t *rgb) {
    struct scaler *scaler = calloc(1, sizeof *scaler);
    if (scaler == NULL) return NULL;
    double across = (double)width / sink->width;
    double down = (double)height / sink->height;
    scaler->rgb = rgb;
    bool is_open =
        axis_open(&scaler->x, view->left * across, (view->left + view->width) * across, width, view->out_width) &&
        axis_open(&scaler->y, view->top * down, (view->top + view->height) * down, height, view->out_height);
    if (is_open) {
        scaler->sums = calloc((size_t)scaler->x.cells * CHANNELS, sizeof *scaler->sums);
        scaler->line = calloc((size_t)scaler->x.cells * CHANNELS, sizeof *scaler->line);
        scaler->ring = calloc((size_t)scaler->y.count_max * view->out_width * CHANNELS, sizeof *scaler->ring);
        scaler->pixels = calloc((size_t)view->out_width * CHANNELS, sizeof *scaler->pixels);
    }
    if (scaler->sums == NULL || scaler->line == NULL || scaler->ring == NULL || scaler->pixels == NULL) {
        scaler_free(scaler);
        return NULL;
    }
    return scaler;
}

static void add_row(struct scaler *scaler, const uint8_t *row) {
    const struct axis *x = &scaler->x;
    uint32_t *sum = scaler->sums;
    for (uint32_t begin = x->begin; begin < x->end; begin += x->box, sum += CHANNELS) {
        uint32_t end = x->end - begin < x->box ? x->end : begin + x->box;
        uint32_t red = 0, green = 0, blue = 0;
        for (const uint8_t *pixel = row + (size_t)begin * CHANNELS, *last = row + (size_t)end * CHANNELS; pixel < last;
             pixel += CHANNELS) {
            red += pixel[0];
            green += pixel[1];
            blue += pixel[2];
        }
        sum[0] += red;
        sum[1] += green;
        sum[2] += blue;
    }
}

/* Cells of this line from the sums of its rows. */
static void finish_line(struct scaler *scaler) {
    const struct axis *x = &scaler->x;
    for (uint32_t cell = 0; cell < x->cells; cell++) {
        uint32_t begin = x->begin + cell * x->box;
        uint32_t width = x->end - begin < x->box ? x->end - begin : x->box;
        float share = 1.0f / ((float)width * (float)scaler->rows_in_cell);
        for (uint32_t channel = 0; channel < CHANNELS; channel++) {
            size_t index = (size_t)cell * CHANNELS + channel;
            scaler->line[index] = (float)scaler->sums[index] * share;
        }
    }
    memset(scaler->sums, 0, (size_t)x->cells * CHANNELS * sizeof *scaler->sums);
}

static void filter_line(const struct scaler *scaler, float *out) {
    const struct axis *x = &scaler->x;
    for (uint32_t pixel = 0; pixel < x->pixels; pixel++, out += CHANNELS) {
        const struct span *span = &x->spans[pixel];
        const float *weights = x->weights + span->weights;
        const float *cell = scaler->line + (size_t)span->first * CHANNELS;
        float red = 0, green = 0, blue = 0;
        for (uint32_t index = 0; index < span->count; index++, cell += CHANNELS) {
            red += weights[index] * cell[0];
            green += weights[index] * cell[1];
            blue += weights[index] * cell[2];
        }
        out[0] = red;
        out[1] = green;
        out[2] = blue;
    }
}

static uint8_t rounded(float value) {
    if (!(value > 0)) return 0;
    return value < 254.5f ? (uint8_t)(value + 0.5f) : 255;
}

static void write_pixels(struct scaler *scaler) {
    const struct axis *y = &scaler->y;
    size_t length = (size_t)scaler->x.pixels * CHANNELS;
    const struct span *span = &y->spans[scaler->next_pixel];
    const float *weights = y->weights + span->weights;
    float *sums = scaler->pixels;
    memset(sums, 0, length * sizeof *sums);
    for (uint32_t index = 0; index < span->count; index++) {
        const float *line = scaler->ring + ((span->first + index) % y->count_max) * length;
        float weight = weights[index];
        for (size_t column = 0; column < length; column++) sums[column] += weight * line[column];
    }
    uint8_t *out = scaler->rgb + scaler->next_pixel * length;
    for (size_t column = 0; column < length; column++) out[column] = rounded(sums[column]);
    scaler->next_pixel += 1;
}

static void scaler_take(struct scaler *scaler, const uint8_t *row, uint32_t index) {
    const struct axis *y = &scaler->y;
    if (index < y->begin || index >= y->end) return;
    add_row(scaler, row);
    scaler->rows_in_cell += 1;
    if (scaler->rows_in_cell < y->box && index + 1 < y->end) return;
    finish_line(scaler);
    filter_line(scaler, scaler->ring + (size_t)(scaler->next_cell % y->count_max) * scaler->x.pixels * CHANNELS);
    scaler->rows_in_cell = 0;
    scaler->next_cell += 1;
    while (scaler->next_pixel < y->pixels) {
        const struct span *span = &y->spans[scaler->next_pixel];
        if (span->first + span->count > scaler->next_cell) return;
        write_pixels(scaler);
    }
}

bool sink_open(struct sink *sink, uint32_t width, uint32_t height) {
    uint8_t *rgb = sink->rgb;
    for (size_t index = 0; index < sink->view_count; index++) {
        const struct CPictureView *view = &sink->views[index];
        sink->scalers[index] = scaler_make(sink, view, width, height, rgb);
        if (sink->scalers[index] == NULL) return false;
        rgb += (size_t)view->out_width * view->out_height * CHANNELS;
    }
    return true;
}

void sink_take(struct sink *sink, const uint8_t *row, uint32_t index) {
    for (size_t view = 0; view < sink->view_count; view++) scaler_take(sink->scalers[view], row, index);
}

bool sink_is_complete(const struct sink *sink) {
    for (size_t view = 0; view < sink->view_count; view++) {
        const struct scaler *scaler = sink->scalers[view];
        if (scaler == NULL || scaler->next_pixel < scaler->y.pixels) return false;
    }
    return true;
}

void sink_close(struct sink *sink) {
    for (size_t view = 0; view < sink->view_count; view++) {
        scaler_free(sink->scalers[view]);
        sink->scalers[view] = NULL;
    }
}

double sink_excess(const struct sink *sink) {
    /* What is left for the filter. */
    const double reserve = 1.5;
    double least = CPICTURE_SIDE_MAX;
    for (size_t index = 0; index < sink->view_count; index++) {
        const struct CPictureView *view = &sink->views[index];
        least = fmin(least, fmin((double)view->width / view->out_width, (double)view->height / view->out_height));
    }
    return fmax(1, least / reserve);
}
