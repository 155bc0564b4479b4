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
    struct jpeg_decompress_struct library;
    struct jpeg_progress_mgr progress;
    struct trouble trouble;
};

_Noreturn static void leave(struct trouble *trouble, enum CPictureResult result) {
    trouble->result = result;
    longjmp(trouble->back, 1);
}

_Noreturn static void on_error(j_common_ptr library) {
    struct trouble *trouble = (struct trouble *)library->err;
    switch (library->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: leave(trouble, CPictureResultTooManyPixels);
    default: leave(trouble, CPictureResultDamaged);
    }
}

static void on_message(j_common_ptr library, int level) {
    struct trouble *trouble = (struct trouble *)library->err;
    if (level >= 0) return;
    /* Parts of the picture are missing: the file was cut off. */
    if (library->err->msg_code == JWRN_HIT_MARKER) leave(trouble, CPictureResultDamaged);
    trouble->warnings += 1;
    if (trouble->warnings > warnings_max) leave(trouble, CPictureResultDamaged);
}

static void say_nothing(j_common_ptr library) { (void)library; }

static void on_progress(j_common_ptr library) {
    j_decompress_ptr decoder = (j_decompress_ptr)library;
    if (decoder->input_scan_number > CPICTURE_SCANS_MAX) {
        leave((struct trouble *)library->err, CPictureResultTooSlow);
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
    j_decompress_ptr library = &decoder->library;
    jpeg_create_decompress(library);
    library->mem->max_memory_to_use = CPICTURE_DECODER_BYTES_MAX;
    decoder->progress.progress_monitor = on_progress;
    library->progress = &decoder->progress;
    jpeg_mem_src(library, bytes, count);
    jpeg_read_header(library, TRUE);
    if (library->arith_code || library->data_precision != 8) {
        leave(&decoder->trouble, CPictureResultNotAPicture);
    }
}

static void try_header(struct decoder *decoder, const uint8_t *bytes, size_t count) {
    if (setjmp(decoder->trouble.back) == 0) read_header(decoder, bytes, count);
}

enum CPictureResult jpeg_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    struct decoder decoder = {0};
    trouble_open(&decoder.trouble);
    decoder.library.err = &decoder.trouble.base;
    try_header(&decoder, bytes, count);
    *width = decoder.library.image_width;
    *height = decoder.library.image_height;
    jpeg_destroy_decompress(&decoder.library);
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
    j_decompress_ptr library = &decoder->library;
    bool has_inks = library->num_components == 4;
    library->out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
    library->scale_num = eighths(sink);
    library->scale_denom = 8;
    library->do_fancy_upsampling = library->scale_num == 8;
    library->do_block_smoothing = FALSE;
    jpeg_start_decompress(library);
    if (!sink_open(sink, library->output_width, library->output_height)) {
        leave(&decoder->trouble, CPictureResultTooManyPixels);
    }
    JSAMPARRAY rows = library->mem->alloc_sarray(
        (j_common_ptr)library, JPOOL_IMAGE, library->output_width * (JDIMENSION)library->output_components, 1);
    while (library->output_scanline < library->output_height) {
        uint32_t index = library->output_scanline;
        if (jpeg_read_scanlines(library, rows, 1) != 1) leave(&decoder->trouble, CPictureResultDamaged);
        if (has_inks) inks_to_rgb(rows[0], library->output_width, library->saw_Adobe_marker);
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
    decoder.library.err = &decoder.trouble.base;
    try_rows(&decoder, bytes, count, sink);
    jpeg_destroy_decompress(&decoder.library);
    return decoder.trouble.result;
}

/* Writes into a buffer that is never enlarged. */
struct encoder {
    struct jpeg_compress_struct library;
    struct jpeg_destination_mgr destination;
    struct trouble trouble;
};

static void on_begin(j_compress_ptr library) { (void)library; }

static boolean on_full(j_compress_ptr library) { leave((struct trouble *)library->err, CPictureResultFull); }

static void on_end(j_compress_ptr library) { (void)library; }

static void try_writing(struct encoder *encoder, const uint8_t *rgb, uint32_t width, uint32_t height, int quality) {
    if (setjmp(encoder->trouble.back) != 0) return;
    j_compress_ptr library = &encoder->library;
    jpeg_create_compress(library);
    library->dest = &encoder->destination;
    library->image_width = width;
    library->image_height = height;
    library->input_components = 3;
    library->in_color_space = JCS_RGB;
    jpeg_set_defaults(library);
    jpeg_set_quality(library, quality, TRUE);
    library->optimize_coding = TRUE;
    jpeg_start_compress(library, TRUE);
    while (library->next_scanline < height) {
        /* The library only reads it, but does not say so. */
        JSAMPROW row = (JSAMPROW)(uintptr_t)(rgb + (size_t)library->next_scanline * width * 3);
        jpeg_write_scanlines(library, &row, 1);
    }
    jpeg_finish_compress(library);
}

enum CPictureResult cpicture_encode(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, uint8_t *jpeg, size_t capacity, size_t *count) {
    struct encoder encoder = {0};
    trouble_open(&encoder.trouble);
    encoder.library.err = &encoder.trouble.base;
    encoder.destination.next_output_byte = jpeg;
    encoder.destination.free_in_buffer = capacity;
    encoder.destination.init_destination = on_begin;
    encoder.destination.empty_output_buffer = on_full;
    encoder.destination.term_destination = on_end;
    try_writing(&encoder, rgb, width, height, quality);
    *count = capacity - encoder.destination.free_in_buffer;
    jpeg_destroy_compress(&encoder.library);
    return encoder.trouble.result;
}
