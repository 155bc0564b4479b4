#ifndef CVERSION_H
#define CVERSION_H

/// The commit this program was built from, at most 63 characters; empty where nobody wrote it in.
const char *lattice_commit(void);

#endif
