import Testing

/// The program as people use it: its processes, real sockets, real mDNS, terminals.
///
/// One test after the other: each takes both processors for itself, and a lab's daemons are not hurried.
@Suite(.serialized) enum EndToEnd {}
