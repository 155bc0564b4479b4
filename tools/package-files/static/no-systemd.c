// D-Bus takes over sockets from systemd where it serves. Lattice only asks a bus, so this part of systemd stays outside.
int sd_listen_fds(int unset_environment) {
    (void)unset_environment;
    return 0;
}

int sd_is_socket(int descriptor, int family, int type, int listening) {
    (void)descriptor, (void)family, (void)type, (void)listening;
    return 0;
}
