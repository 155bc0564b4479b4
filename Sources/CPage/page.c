// Written by tools/page.
#include "CPage.h"

// A compiler that reads the files itself is a hundred times as quick as one that reads them as numbers, and it knows when one has changed.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_1[] = {
#embed "../LatticeHTTP/Page/index.html"
};

static const lattice_page_file files[] = {
    {"index.html", file_1, sizeof file_1},
    {0, 0, 0},
};

const lattice_page_file *lattice_page_files_first(void) { return files; }
