// Stands for each function of Foundation that reads the tables of languages, calendars and time zones, which packages leave out. What
// lattice writes for people it formats by itself, so nothing comes here; what does is an error in lattice.
#include <stdlib.h>
#include <unistd.h>

_Noreturn void no_languages(void) {
    static const char text[] = "lattice: Fatal error: a table of languages was asked for, and packages have none\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    abort();
}
