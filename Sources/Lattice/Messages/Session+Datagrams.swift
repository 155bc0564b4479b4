import LatticeNode

extension Session {
    /// Bytes of one unreliable message at most: a longer one would hold up others on a slow link.
    public static let datagramBytesMax = Node.datagramBytesMax

    /// How many unreliable messages were sent, came and were dropped, for others too. It can be read after the end as well.
    public var datagramStatistics: DatagramStatistics { messages.datagrams.statistics }

    nonisolated(nonsending) func sendUnreliably(
        _ bytes: [UInt8], to peers: [Peer]
    ) async throws(LatticeError) -> SendReport {
        guard bytes.count <= Self.datagramBytesMax else {
            throw LatticeError(
                .tooLong,
                "the message has \(bytes.count) bytes, and the limit of an unreliable one is \(Self.datagramBytesMax)")
        }
        return await messages.datagrams.send(bytes, to: peers, on: try await running())
    }
}
