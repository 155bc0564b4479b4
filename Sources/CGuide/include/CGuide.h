#ifndef CGUIDE_H
#define CGUIDE_H

#include <stddef.h>

/// An article of the guide, as Markdown.
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} lattice_guide_article;

/// All of them in the order of their names; the last has no name.
const lattice_guide_article *lattice_guide_articles_first(void);

#endif
