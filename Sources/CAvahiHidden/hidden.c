/* libdns_sd and libavahi-core.a both define avahi_entry_group_free. If the program exported the one of the archive, libdns_sd
   would call it instead of its own and crash. The strictest visibility that any object mentions holds (ELF), so that this
   reference keeps the archive's definition inside the program. */
__attribute__((visibility("hidden"))) extern void avahi_entry_group_free(void);

__attribute__((used, retain)) static void (*const hidden)(void) = avahi_entry_group_free;
