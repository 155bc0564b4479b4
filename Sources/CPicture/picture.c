#include "decode.h"

enum CPictureResult cpicture_measure(
    enum CPictureFormat format, const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    switch (format) {
    case CPictureFormatJPEG: return jpeg_measure(bytes, count, width, height);
    case CPictureFormatPNG: return png_measure(bytes, count, width, height);
    case CPictureFormatWebP: return webp_measure(bytes, count, width, height);
    }
    return CPictureResultNotAPicture;
}

static enum CPictureResult decode(enum CPictureFormat format, const uint8_t *bytes, size_t count, struct sink *sink) {
    switch (format) {
    case CPictureFormatJPEG: return jpeg_decode(bytes, count, sink);
    case CPictureFormatPNG: return png_decode(bytes, count, sink);
    case CPictureFormatWebP: return webp_decode(bytes, count, sink);
    }
    return CPictureResultNotAPicture;
}

/* Whether views lie in the picture and their rows fill the buffer. */
static bool views_fit(const struct sink *sink, size_t rgb_count) {
    size_t sum = 0;
    if (sink->view_count == 0 || sink->view_count > CPICTURE_VIEWS_MAX) return false;
    for (size_t index = 0; index < sink->view_count; index++) {
        const struct CPictureView *view = &sink->views[index];
        if (view->width == 0 || view->width > sink->width || view->left > sink->width - view->width) return false;
        if (view->height == 0 || view->height > sink->height || view->top > sink->height - view->height) return false;
        if (view->out_width == 0 || view->out_width > CPICTURE_VIEW_SIDE_MAX) return false;
        if (view->out_height == 0 || view->out_height > CPICTURE_VIEW_SIDE_MAX) return false;
        sum += (size_t)view->out_width * view->out_height * 3;
    }
    return sum == rgb_count;
}

enum CPictureResult cpicture_decode(
    enum CPictureFormat format, const uint8_t *bytes, size_t count, const struct CPictureView *views, size_t view_count,
    uint8_t *rgb, size_t rgb_count) {
    struct sink sink = {.views = views, .view_count = view_count, .rgb = rgb};
    enum CPictureResult result = cpicture_measure(format, bytes, count, &sink.width, &sink.height);
    if (result != CPictureResultDone) return result;
    if (sink.width > CPICTURE_SIDE_MAX || sink.height > CPICTURE_SIDE_MAX) return CPictureResultTooManyPixels;
    if ((uint64_t)sink.width * sink.height > CPICTURE_PIXELS_MAX) return CPictureResultTooManyPixels;
    if (!views_fit(&sink, rgb_count)) return CPictureResultFull;
    result = decode(format, bytes, count, &sink);
    if (result == CPictureResultDone && !sink_is_complete(&sink)) result = CPictureResultDamaged;
    sink_close(&sink);
    return result;
}
