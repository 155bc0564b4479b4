#include <elf.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

// What dl_iterate_phdr(3) tells. <link.h> declares both only where _GNU_SOURCE is defined, and that would make another `fd_set` of
// the one that other modules have.
struct loaded_object {
    uintptr_t base;
    const char *name;
#if UINTPTR_MAX > UINT32_MAX
    const Elf64_Phdr *headers;
#else
    const Elf32_Phdr *headers;
#endif
    uint16_t count;
};

int each_loaded_object(int (*tell)(struct loaded_object *, size_t, void *), void *context) __asm__("dl_iterate_phdr");
