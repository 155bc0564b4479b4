#include "decode.h"

#include <math.h>
#include <stdlib.h>

#include <webp/decode.h>

/* Of WebPBitstreamFeatures.format. */
enum { FORMAT_LOSSLESS = 2 };

static enum CPictureResult result_of(VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OK: return CPictureResultDone;
    case VP8_STATUS_OUT_OF_MEMORY: return CPictureResultTooManyPixels;
    case VP8_STATUS_UNSUPPORTED_FEATURE: return CPictureResultNotAPicture;
    default: return CPictureResultDamaged;
    }
}

static enum CPictureResult look(const uint8_t *bytes, size_t count, WebPBitstreamFeatures *features) {
    enum CPictureResult result = result_of(WebPGetFeatures(bytes, count, features));
    if (result != CPictureResultDone) return result;
    /* A film is no photo. */
    if (features->has_animation) return CPictureResultNotAPicture;
    return features->width > 0 && features->height > 0 ? CPictureResultDone : CPictureResultDamaged;
}

enum CPictureResult webp_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    WebPBitstreamFeatures features;
    enum CPictureResult result = look(bytes, count, &features);
    if (result != CPictureResultDone) return result;
    *width = (uint32_t)features.width;
    *height = (uint32_t)features.height;
    return CPictureResultDone;
}

static enum CPictureResult decode(
    const uint8_t *bytes, size_t count, struct sink *sink, const WebPBitstreamFeatures *features,
    WebPDecoderConfig *config) {
    /* The decoder of pictures without loss keeps all pixels. */
    uint64_t size = (uint64_t)sink->width * sink->height * 4;
    if (features->format == FORMAT_LOSSLESS && size > CPICTURE_DECODER_BYTES_MAX) return CPictureResultTooManyPixels;
    double excess = sink_excess(sink);
    uint32_t width = (uint32_t)ceil(sink->width / excess);
    uint32_t height = (uint32_t)ceil(sink->height / excess);
    config->options.use_scaling = excess > 1;
    config->options.scaled_width = (int)width;
    config->options.scaled_height = (int)height;
    config->output.colorspace = MODE_RGBA;
    enum CPictureResult result = result_of(WebPDecode(bytes, count, config));
    if (result != CPictureResultDone) return result;
    bool is_scaled = (uint32_t)config->output.width == width && (uint32_t)config->output.height == height;
    if (!is_scaled) return CPictureResultDamaged;
    if (!sink_open(sink, width, height)) return CPictureResultTooManyPixels;
    for (uint32_t index = 0; index < height; index++) {
        uint8_t *row = config->output.u.RGBA.rgba + (ptrdiff_t)index * config->output.u.RGBA.stride;
        lay_over_white(row, row, width);
        sink_take(sink, row, index);
    }
    return CPictureResultDone;
}

enum CPictureResult webp_decode(const uint8_t *bytes, size_t count, struct sink *sink) {
    WebPDecoderConfig config;
    WebPBitstreamFeatures features;
    if (!WebPInitDecoderConfig(&config)) return CPictureResultDamaged;
    enum CPictureResult result = look(bytes, count, &features);
    if (result == CPictureResultDone) result = decode(bytes, count, sink, &features, &config);
    WebPFreeDecBuffer(&config.output);
    return result;
}
