package import LatticeMetrics

extension NodeMetrics {
    static let lagName = "lattice_event_loop_lag_seconds"

    package static let descriptions: [MetricDescription] = [
        .init("lattice_links", "Linked neighbours."),
        .init("lattice_connections", "Connections by who opened them, handshakes and dials included."),
        .init("lattice_half_open", "Incoming connections with an unfinished handshake."),
        .init("lattice_handshake_addresses", "Addresses that started a handshake recently."),
        .init("lattice_waiting_bytes", "Bytes waiting to be sealed and written, on all links."),
        .init(
            "lattice_queue_depth",
            "Waiting work: records for busy links (backlog), records to store (keep), records to send on request (serve), "
                + "and comparison steps (compare)."),
        .init("lattice_queue_age_seconds", "Age of the oldest entry in each queue."),
        .init("lattice_frames_received_total", "Mesh frames received, by type."),
        .init("lattice_frames_sent_total", "Mesh frames sent, by type."),
        .init(
            "lattice_records_total",
            "Records accepted, each once: written here, heard from others, or fetched because they were missing."),
        .init("lattice_refused_total", "What was refused, by reason."),
        .init("lattice_sync_caught_up", "1 if no record is known to be missing."),
        .init("lattice_sync_missing", "Records known to be missing here."),
        .init("lattice_sync_comparisons_total", "Completed comparisons with neighbours."),
        .init("lattice_store_records", "Stored records."),
        .init("lattice_store_bytes", "Bytes of stored records."),
        .init("lattice_store_quota_bytes", "Storage quota in bytes of records."),
        .init("lattice_store_file_bytes", "Size of the store file in bytes."),
        .init("lattice_store_expired_total", "Records that expired since the store was created."),
        .init("lattice_store_evicted_total", "Records evicted to make space since the store was created."),
        .init("lattice_bridge_records_total", "What became of records that bridges brought in or sent out."),
        .init("lattice_bridge_retries_total", "Records that bridges sent to a broker again."),
        .init("lattice_bridge_connected", "Bridges beside this node that reach their broker."),
        .init(
            "lattice_bridge_behind", "Records that bridges have still to bring in or send out, as far as it is known."),
        .init(
            lagName, "Delay of due work on the event loop of the node, sampled once a second.",
            bounds: MetricDescription.secondsBounds),
    ]
}
