#include "decode.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

/* libpng leaves by longjmp from inside its calls. Each function with setjmp has pointers alone, which do not change;
   what has to be freed lies in `struct reader`, and that belongs to its caller. */

/* What a chunk other than pixels may take, unpacked. None that is read needs more than a palette. */
static const size_t chunk_bytes_max = 1 << 20;

struct reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    enum CPictureResult result;
    /* A row, or all of them if they come in passes. */
    uint8_t *rows;
};

_Noreturn static void leave(struct reader *reader, enum CPictureResult result) {
    reader->result = result;
    png_longjmp(reader->png, 1);
}

_Noreturn static void on_error(png_structp png, png_const_charp message) {
    (void)message;
    leave(png_get_error_ptr(png), CPictureResultDamaged);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep bytes, size_t count) {
    struct reader *reader = png_get_io_ptr(png);
    if (count > reader->count) leave(reader, CPictureResultDamaged);
    memcpy(bytes, reader->bytes, count);
    reader->bytes += count;
    reader->count -= count;
}

/* Chunks about anything but pixels are passed over unread. */
static void pass_over_metadata(png_structp png) {
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
    static const png_byte names[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0"
                                    "sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
#endif
}

static bool reader_open(struct reader *reader) {
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
    if (reader->png == NULL) return false;
    reader->info = png_create_info_struct(reader->png);
    return reader->info != NULL;
}

static void reader_close(struct reader *reader) {
    free(reader->rows);
    if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
}

static void read_header(struct reader *reader) {
    png_set_read_fn(reader->png, reader, on_read);
    /* Sides beyond ours are our caller's to refuse. */
    png_set_user_limits(reader->png, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_chunk_malloc_max(reader->png, chunk_bytes_max);
    pass_over_metadata(reader->png);
    png_read_info(reader->png, reader->info);
}

static void try_header(struct reader *reader) {
    if (setjmp(png_jmpbuf(reader->png)) == 0) read_header(reader);
}

enum CPictureResult png_measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height) {
    struct reader reader = {.bytes = bytes, .count = count};
    if (!reader_open(&reader)) {
        reader_close(&reader);
        return CPictureResultTooManyPixels;
    }
    try_header(&reader);
    *width = png_get_image_width(reader.png, reader.info);
    *height = png_get_image_height(reader.png, reader.info);
    reader_close(&reader);
    return reader.result;
}

/* Eight bits a channel, RGB or RGBA. Returns the channels. */
static size_t make_plain(struct reader *reader) {
    png_structp png = reader->png;
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    size_t channels = png_get_channels(png, reader->info);
    size_t width = png_get_image_width(png, reader->info);
    bool is_plain = channels == 3 || channels == 4;
    if (!is_plain || png_get_rowbytes(png, reader->info) != width * channels) {
        leave(reader, CPictureResultDamaged);
    }
    return channels;
}

static void give(struct sink *sink, uint8_t *row, size_t channels, uint32_t index) {
    if (channels == 4) lay_over_white(row, row, sink->width);
    sink_take(sink, row, index);
}

static void read_rows(struct reader *reader, struct sink *sink) {
    read_header(reader);
    bool is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
    size_t channels = make_plain(reader);
    size_t length = sink->width * channels;
    size_t size = is_interlaced ? length * sink->height : length;
    reader->rows = size > CPICTURE_DECODER_BYTES_MAX ? NULL : calloc(size, 1);
    if (reader->rows == NULL || !sink_open(sink, sink->width, sink->height)) {
        leave(reader, CPictureResultTooManyPixels);
    }
    if (!is_interlaced) {
        for (uint32_t index = 0; index < sink->height; index++) {
            png_read_row(reader->png, reader->rows, NULL);
            give(sink, reader->rows, channels, index);
        }
        return;
    }
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (uint32_t index = 0; index < sink->height; index++) {
            png_read_row(reader->png, reader->rows + index * length, NULL);
        }
    }
    for (uint32_t index = 0; index < sink->height; index++) give(sink, reader->rows + index * length, channels, index);
}

static void try_rows(struct reader *reader, struct sink *sink) {
    if (setjmp(png_jmpbuf(reader->png)) == 0) read_rows(reader, sink);
}

enum CPictureResult png_decode(const uint8_t *bytes, size_t count, struct sink *sink) {
    struct reader reader = {.bytes = bytes, .count = count};
    if (!reader_open(&reader)) {
        reader_close(&reader);
        return CPictureResultTooManyPixels;
    }
    try_rows(&reader, sink);
    reader_close(&reader);
    return reader.result;
}
