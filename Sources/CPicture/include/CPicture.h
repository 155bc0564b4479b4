/* Pictures of strangers: JPEG, PNG and WebP become small rows of RGB, and rows of RGB become JPEG without metadata.
   Also the child process in which that happens. */
#ifndef CPICTURE_H
#define CPICTURE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum __attribute__((enum_extensibility(closed))) CPictureFormat {
    CPictureFormatJPEG,
    CPictureFormatPNG,
    CPictureFormatWebP,
};

enum __attribute__((enum_extensibility(closed))) CPictureResult {
    CPictureResultDone,
    CPictureResultNotAPicture,
    CPictureResultDamaged,
    /* More pixels than the memory for one picture holds. */
    CPictureResultTooManyPixels,
    /* So many passes over the picture that it would take too long. */
    CPictureResultTooSlow,
    /* The buffer of an encoder is full. */
    CPictureResultFull,
};

enum {
    /* Width and height, in pixels; formats cannot say more than 65,535, and WebP no more than 16,383. */
    CPICTURE_SIDE_MAX = 16384,
    CPICTURE_PIXELS_MAX = 64 << 20,
    CPICTURE_VIEWS_MAX = 2,
    CPICTURE_VIEW_SIDE_MAX = 2048,
    /* Of decoders that keep a whole picture. */
    CPICTURE_DECODER_BYTES_MAX = 192 << 20,
    /* Passes of a progressive JPEG; encoders make about ten. */
    CPICTURE_SCANS_MAX = 100,
};

/* A part of a picture as it is stored, and the size that it gets. Sides are 1 to CPICTURE_VIEW_SIDE_MAX. */
struct CPictureView {
    uint32_t left, top, width, height;
    uint32_t out_width, out_height;
};

/* Reads the size from the headers. Takes no memory for pixels. */
enum CPictureResult cpicture_measure(
    enum CPictureFormat format, const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height);

/* Decodes once. `rgb` gets the rows of each view, one view after another, and holds exactly those bytes. Transparent
   pixels become white. On any other result than Done its bytes mean nothing. */
enum CPictureResult cpicture_decode(
    enum CPictureFormat format, const uint8_t *bytes, size_t count, const struct CPictureView *views, size_t view_count,
    uint8_t *rgb, size_t rgb_count);

/* A baseline JPEG of `width` × `height` RGB pixels, at most CPICTURE_VIEW_SIDE_MAX a side. `quality` is 1 to 100. */
enum CPictureResult cpicture_encode(
    const uint8_t *rgb, uint32_t width, uint32_t height, int quality, uint8_t *jpeg, size_t capacity, size_t *count);

/* Limits this process for good: memory beyond what it has now, processor time, no new descriptor, file, process or
   privilege. It ends with the thread that started it. Where the system filters calls, only those about memory, its
   open descriptors and its end remain.
   Returns 0, or the errno of the limit that could not be set. */
int cpicture_confine(uint64_t memory_bytes, uint32_t processor_seconds);

/* Starts a program with one argument, without environment. `descriptor` becomes its standard input and output;
   it gets no other but /dev/null for errors. Returns 0 or an errno. */
int cpicture_spawn(const char *program, const char *argument, int descriptor, pid_t *child);

#endif
