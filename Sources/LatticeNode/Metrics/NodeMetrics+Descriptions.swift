package import LatticeMetrics

extension NodeMetrics {
    static let lagName = "lattice_event_loop_lag_seconds"

    /// All that a node tells, in words.
    package static let descriptions: [MetricDescription] = [
        .init("lattice_links", "Neighbours that a link leads to."),
        .init("lattice_connections", "Connections by who began them, handshakes and dials included."),
        .init("lattice_half_open", "Connections that others began and whose handshake is not over."),
        .init("lattice_handshake_addresses", "Addresses that are remembered to have begun a handshake lately."),
        .init("lattice_waiting_bytes", "Bytes that wait to be sealed and written, of all links together."),
        .init(
            "lattice_queue_depth",
            "What waits: records for busy links (backlog), to be stored (keep) and to be sent to who asked for them (supply), "
                + "and steps of comparisons (compare)."),
        .init("lattice_queue_age_seconds", "How long that has waited in a queue which waits there for the longest."),
        .init("lattice_frames_received_total", "Frames of the mesh that came, by what the protocol calls them."),
        .init("lattice_frames_sent_total", "Frames of the mesh that were sent, by what the protocol calls them."),
        .init(
            "lattice_records_total",
            "Records taken in, each once: said here, heard from others, or fetched because they were lacking."),
        .init("lattice_refused_total", "What was turned down, by the reason."),
        .init("lattice_sync_caught_up", "1 if nothing is known to be missing that others have."),
        .init("lattice_sync_missing", "Records that are known to be missing here."),
        .init("lattice_sync_comparisons_total", "Comparisons with neighbours that came to their end."),
        .init("lattice_store_records", "Records that are kept."),
        .init("lattice_store_bytes", "Bytes of the records that are kept."),
        .init("lattice_store_quota_bytes", "Bytes of records that may be kept."),
        .init("lattice_store_file_bytes", "Bytes of the file that they are kept in."),
        .init("lattice_store_expired_total", "Records whose time was over, since the store was made."),
        .init("lattice_store_evicted_total", "Records that made way for others, since the store was made."),
        .init(
            lagName, "How long work that is due waited for its turn on the loop of the node; looked at once a second.",
            bounds: MetricDescription.secondsBounds),
    ]
}
