#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// A file of the page in the browser, and as what it is served.
typedef struct {
    const char *path;
    const unsigned char *bytes;
    size_t count;
    /// The same in the format of gzip (RFC 1952); null if it is not kept so.
    const unsigned char *gzipped;
    size_t gzipped_count;
} lattice_page_file;

/// All of them, one behind the other; the last has no path.
const lattice_page_file *lattice_page_files_first(void);

#endif
