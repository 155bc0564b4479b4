#include "CVersion.h"

// In a section of its own: `tools/lattice` writes the commit into the linked program. A flag of the compiler would compile everything
// anew with each commit.
__attribute__((section(".lattice_commit"), used)) static const volatile char commit[64] = "";

const char *lattice_commit(void) {
    return (const char *)commit;
}
