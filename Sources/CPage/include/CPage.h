#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

/// A file of the page in the browser, and as what it is served.
typedef struct {
    const char *path;
    const unsigned char *bytes;
    size_t count;
} lattice_page_file;

/// All of them, one behind the other; the last has no path.
const lattice_page_file *lattice_page_files_first(void);

#endif
