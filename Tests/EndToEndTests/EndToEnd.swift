import Testing

/// The program as people use it: its processes, real sockets, real mDNS, terminals.
///
/// Each test has a stage of its own: a folder, ports that the system chooses, and a lab of hosts if it needs one. So they
/// run beside each other; most of their time they wait.
@Suite enum EndToEnd {}
