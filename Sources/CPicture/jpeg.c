#include "decode.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

/* libjpeg leaves by longjmp from inside its calls. Each function with setjmp has pointers alone, which do not change;
   what they point to belongs to its caller, which frees the library's own state. Nothing else is taken in between. */

/* Each is a line of work for a message that nobody reads. */
static const unsigned warnings_max = 1000;

struct trouble {
    struct jpeg_error_mgr base;
    jmp_buf back;
    enum CPictureResult result;
    unsigned warnings;
};

struct decoder {
    struct jpeg_decompress_struct cinfo;
    struct jpeg_progress_mgr progress;
    struct trouble trouble;
};

_Noreturn static void leave(struct trouble *trouble, enum CPictureResult result) {
    trouble->result = result;
    longjmp(trouble->back, 1);
}

_Noreturn static void on_error(j_common_ptr cinfo) {
    struct trouble *trouble = (struct trouble *)cinfo->err;
    switch (cinfo->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: leave(trouble, CPictureResultTooManyPixels);
    default: leave(trouble, CPictureResultDamaged);
    }
}

static void on_message(j_common_ptr cinfo, int level) {
    struct trouble *trouble = (struct trouble *)cinfo->err;
    if (level >= 0) return;
    /* Parts of the picture are missing: the file was cut off. */
    if (cinfo->err->msg_code == JWRN_HIT_MARKER) leave(trouble, CPictureResultDamaged);
    trouble->warnings += 1;
    if (trouble->warnings > warnings_max) leave(trouble, CPictureResultDamaged);
}

static void say_nothing(j_common_ptr cinfo) { (void)cinfo; }

static void on_progress(j_common_ptr cinfo) {
    j_decompress_ptr decoder = (j_decompress_ptr)cinfo;
    if (decoder->input_scan_number > CPICTURE_SCANS_MAX) {
        leave((struct trouble *)cinfo->err, CPictureResultTooSlow);
    }
}

static void trouble_open(struct trouble *trouble) {
    jpeg_std_error(&trouble->base);
    trouble->base.error_exit = on_error;
    trouble->base.emit_message = on_message;
    trouble->base.output_message = say_nothing;
}

/* Ends with the header read. Leaves by longjmp. */
static void read_header(struct decoder *decoder, const uint8_t *bytes, size_t count) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    jpeg_create_decompress(cinfo);
    cinfo->mem->max_memory_to_use = CPICTURE_DECODER_BYTES_MAX;
    decoder->progress.progress_monitor = on_progress;
    cinfo->progress = &decoder->progress;
    jpeg_mem_src(cinfo, bytes, count);
    jpeg_read_header(cinfo, TRUE);
    if (cinfo->arith_code || cinfo->data_precision != 8) {
        leave(&decoder->trouble, CPictureResultNotAPicture);
    }
}

static void try_header(struct decoder *decoder, const uint8_t *bytes, size_t count) {
    if (setjmp(decoder->trouble.back) == 0) read_header(decoder, bytes, count);
}

enum CPictureResult jpeg_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    struct decoder decoder = {0};
    trouble_open(&decoder.trouble);
    decoder.cinfo.err = &decoder.trouble.base;
    try_header(&decoder, bytes, count);
    *width = decoder.cinfo.image_width;
    *height = decoder.cinfo.image_height;
    jpeg_destroy_decompress(&decoder.cinfo);
    return decoder.trouble.result;
}

/* Eighths of the size at which to decode. The library is fast with powers of two. */
static unsigned eighths(const struct sink *sink) {
    double excess = sink_excess(sink);
    if (excess >= 8) return 1;
    if (excess >= 4) return 2;
    return excess >= 2 ? 4 : 8;
}

/* Without a colour profile this is all that can be known about printing inks. Adobe's programs write them inverted. */
static void inks_to_rgb(uint8_t *row, uint32_t width, bool is_inverted) {
    const uint8_t *inks = row;
    for (uint32_t index = 0; index < width; index++, inks += 4, row += 3) {
        unsigned black = is_inverted ? inks[3] : 255u - inks[3];
        for (int channel = 0; channel < 3; channel++) {
            unsigned ink = is_inverted ? inks[channel] : 255u - inks[channel];
            row[channel] = (uint8_t)((ink * black + 127) / 255);
        }
    }
}

static void read_rows(struct decoder *decoder, struct sink *sink) {
    j_decompress_ptr cinfo = &decoder->cinfo;
    bool has_inks = cinfo->num_components == 4;
    cinfo->out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
    cinfo->scale_num = eighths(sink);
    cinfo->scale_denom = 8;
    cinfo->do_fancy_upsampling = cinfo->scale_num == 8;
    cinfo->do_block_smoothing = FALSE;
    jpeg_start_decompress(cinfo);
    if (!sink_open(sink, cinfo->output_width, cinfo->output_height)) {
        leave(&decoder->trouble, CPictureResultTooManyPixels);
    }
    JSAMPARRAY rows = cinfo->mem->alloc_sarray(
        (j_common_ptr)cinfo, JPOOL_IMAGE, cinfo->output_width * (JDIMENSION)cinfo->output_components, 1);
    while (cinfo->output_scanline < cinfo->output_height) {
        uint32_t index = cinfo->output_scanline;
        if (jpeg_read_scanlines(cinfo, rows, 1) != 1) leave(&decoder->trouble, CPictureResultDamaged);
        if (has_inks) inks_to_rgb(rows[0], cinfo->output_width, cinfo->saw_Adobe_marker);
        sink_take(sink, rows[0], index);
    }
}

static void try_rows(struct decoder *decoder, const uint8_t *bytes, size_t count, struct sink *sink) {
    if (setjmp(decoder->trouble.back) != 0) return;
    read_header(decoder, bytes, count);
    read_rows(decoder, sink);
}

enum CPictureResult jpeg_decode(const uint8_t *bytes, size_t count, struct sink *sink) {
    struct decoder decoder = {0};
    trouble_open(&decoder.trouble);
    decoder.cinfo.err = &decoder.trouble.base;
    try_rows(&decoder, bytes, count, sink);
    jpeg_destroy_decompress(&decoder.cinfo);
    return decoder.trouble.result;
}

/* Writes into a buffer that is never enlarged. */
struct encoder {
    struct jpeg_compress_struct cinfo;
    struct jpeg_destination_mgr destination;
    struct trouble trouble;
};

static void on_begin(j_compress_ptr cinfo) { (void)cinfo; }

static boolean on_full(j_compress_ptr cinfo) { leave((struct trouble *)cinfo->err, CPictureResultFull); }

static void on_end(j_compress_ptr cinfo) { (void)cinfo; }

static void try_writing(struct encoder *encoder, const uint8_t *rgb, uint32_t width, uint32_t height, int quality) {
    if (setjmp(encoder->trouble.back) != 0) return;
    j_compress_ptr cinfo = &encoder->cinfo;
    jpeg_create_compress(cinfo);
    cinfo->dest = &encoder->destination;
    cinfo->image_width = width;
    cinfo->image_height = height;
    cinfo->input_components = 3;
    cinfo->in_color_space = JCS_RGB;
    jpeg_set_defaults(cinfo);
    jpeg_set_quality(cinfo, quality, TRUE);
    cinfo->optimize_coding = TRUE;
    jpeg_start_compress(cinfo, TRUE);
    while (cinfo->next_scanline < height) {
        /* The library only reads it, but does not say so. */
        JSAMPROW row = (JSAMPROW)(uintptr_t)(rgb + (size_t)cinfo->next_scanline * width * 3);
        jpeg_write_scanlines(cinfo, &row, 1);
    }
    jpeg_finish_compress(cinfo);
}

enum CPictureResult cpicture_encode(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, uint8_t *jpeg, size_t capacity, size_t *count) {
    struct encoder encoder = {0};
    trouble_open(&encoder.trouble);
    encoder.cinfo.err = &encoder.trouble.base;
    encoder.destination.next_output_byte = jpeg;
    encoder.destination.free_in_buffer = capacity;
    encoder.destination.init_destination = on_begin;
    encoder.destination.empty_output_buffer = on_full;
    encoder.destination.term_destination = on_end;
    try_writing(&encoder, rgb, width, height, quality);
    *count = capacity - encoder.destination.free_in_buffer;
    jpeg_destroy_compress(&encoder.cinfo);
    return encoder.trouble.result;
}
