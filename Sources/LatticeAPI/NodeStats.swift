package import LatticeCore
package import LatticeMetrics

/// What a node has open and queued now, and what it has refused since it started.
package struct NodeStats: Hashable, Sendable, Codable {
    /// Neighbours.
    package let links: Int
    /// Connections dialled by others, handshakes included.
    package let incoming: Int
    /// Connections dialled by this peer, unfinished dials included.
    package let outgoing: Int
    /// The incoming ones with an unfinished handshake.
    package let halfOpen: Int
    /// Addresses remembered for their recent handshakes.
    package let addresses: Int
    /// Bytes queued for sealing and writing, over all links.
    package let waitingBytes: Int
    /// Relayed records that wait for busy links.
    package let waitingRecords: Int
    package let refused: RefusalCounts
    /// All metrics as Prometheus reads them; empty if none are collected.
    package var families: [MetricFamily]

    package init(
        links: Int, incoming: Int, outgoing: Int, halfOpen: Int, addresses: Int, waitingBytes: Int, waitingRecords: Int,
        refused: RefusalCounts, families: [MetricFamily] = []
    ) {
        self.links = links
        self.incoming = incoming
        self.outgoing = outgoing
        self.halfOpen = halfOpen
        self.addresses = addresses
        self.waitingBytes = waitingBytes
        self.waitingRecords = waitingRecords
        self.refused = refused
        self.families = families
    }

    /// The running node may be an older version that reports less.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func count(_ key: CodingKeys) throws -> Int { try members.decode(Int.self, forKey: key) }
        self.init(
            links: try count(.links), incoming: try count(.incoming), outgoing: try count(.outgoing),
            halfOpen: try count(.halfOpen), addresses: try count(.addresses), waitingBytes: try count(.waitingBytes),
            waitingRecords: try count(.waitingRecords),
            refused: try members.decode(RefusalCounts.self, forKey: .refused),
            families: try members.decodeIfPresent([MetricFamily].self, forKey: .families) ?? [])
    }
}
