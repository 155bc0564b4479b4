package import LatticeCore

/// Announced while our own name is still being probed, which takes a second (RFC 6762 section 8.1): the same service
/// under a name that ends with our id. That name is unique and needs no probing, so newcomers find us by it meanwhile.
package struct EarlyAnnouncement: Hashable, Sendable {
    struct Record: Hashable, Sendable {
        let name: DNSName
        let type: DNSRecordType
        /// Whether nobody else has a record of this name and type.
        let isUnique: Bool
        /// The wire format; names in it are uncompressed.
        let data: [UInt8]
    }

    /// How much longer it stays after our own name is announced: long enough for others to look that one up, so that
    /// they do not lose us.
    static let overlap = DiscoveryMachine.overlap
    /// The TTL in seconds. Short, because a killed process sends no goodbye.
    static let secondsToLive: UInt32 = 10

    let records: [Record]

    /// - Parameters:
    ///   - host: its address records are already announced.
    ///   - source: the announcing source. Each has its own name, because under `auto` both may run for a while with
    ///     different hosts.
    init(_ advertisement: Advertisement, host: DNSName, by source: Sighting.Source) {
        let type = DNSName(text: Advertisement.serviceType + ".local")
        let ending = Self.ending(advertisement.peer, by: source)
        var label = advertisement.name.label(ending: ending)
        // If the first character of the name does not fit, nothing is left of it.
        if label == ending { label.removeFirst() }
        let name = DNSName([Array(label.utf8)] + type.labels)
        let port = [UInt8(advertisement.port >> 8), UInt8(truncatingIfNeeded: advertisement.port)]
        records = [
            Record(name: type, type: .ptr, isUnique: false, data: name.wire),
            // Priority and weight are 0, because there is only one host for this service.
            Record(name: name, type: .srv, isUnique: true, data: [0, 0, 0, 0] + port + host.wire),
            Record(name: name, type: .txt, isUnique: true, data: advertisement.txt.bytes),
        ]
    }

    /// The peer's name in a label, whether the label is an early one or not.
    package static func name(_ label: String, of peer: PeerPrefix) -> String {
        guard let ending = endings(peer).first(where: { label.hasSuffix($0) && label != $0 }) else { return label }
        return String(label.dropLast(ending.count))
    }

    /// Whether a label is an early one of this peer; its name may be cut.
    static func isEarly(_ label: String, of peer: PeerPrefix) -> Bool {
        endings(peer).contains { label.hasSuffix($0.dropFirst()) }
    }

    /// The name that an early label stands for, and that will be announced unless it is taken.
    ///
    /// - Returns: `nil` if the label is not an early one.
    static func lasting(_ instance: ServiceInstance) -> ServiceInstance? {
        let ending = instance.label.suffix(endingBytes)
        guard instance.label.count > endingBytes, let last = ending.last, let open = ending.dropFirst().first,
            ending.first == UInt8(ascii: " "),
            (open, last) == (UInt8(ascii: "("), UInt8(ascii: ")"))
                || (open, last) == (UInt8(ascii: "["), UInt8(ascii: "]")),
            PeerPrefix(hex: String(decoding: ending.dropFirst(2).dropLast(), as: UTF8.self)) != nil
        else { return nil }
        return ServiceInstance(interface: instance.interface, label: instance.label.dropLast(endingBytes))
    }

    /// A space, and sixteen digits between brackets.
    private static let endingBytes = 19

    private static func endings(_ peer: PeerPrefix) -> [String] {
        [ending(peer, by: .system), ending(peer, by: .embedded)]
    }

    private static func ending(_ peer: PeerPrefix, by source: Sighting.Source) -> String {
        source == .embedded ? " [\(peer)]" : " (\(peer))"
    }
}
