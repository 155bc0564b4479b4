package import LatticeCore

/// What is announced while our own name is still being probed for, which takes a second (RFC 6762 section 8.1): the same
/// service under a name that ends with our id. Nobody else has it, so nobody need be asked; whoever comes meanwhile finds us by
/// it.
package struct EarlyAnnouncement: Hashable, Sendable {
    struct Record: Hashable, Sendable {
        let name: DNSName
        let type: DNSRecordType
        /// Whether nobody else has one of this name and type.
        let isUnique: Bool
        /// As on the wire, names in it uncompressed.
        let data: [UInt8]
    }

    /// How much longer it is there once our own name is announced: long enough for others to look that up, so that they
    /// do not lose sight of us.
    static let overlap = DiscoveryMachine.overlap
    /// For how many seconds others believe it: not long, for who is killed meanwhile takes no leave.
    static let secondsToLive: UInt32 = 10

    let records: [Record]

    /// - Parameters:
    ///   - host: whose address records are announced already.
    ///   - source: who announces it; each has a name of its own, for under `auto` there may be both for a while, and they say
    ///     different hosts.
    init(_ advertisement: Advertisement, host: DNSName, by source: Sighting.Source) {
        let type = DNSName(text: Advertisement.serviceType + ".local")
        let ending = Self.ending(advertisement.peer, by: source)
        var label = advertisement.name.label(ending: ending)
        // Of a name whose first character is too long nothing is left.
        if label == ending { label.removeFirst() }
        let name = DNSName([Array(label.utf8)] + type.labels)
        let port = [UInt8(advertisement.port >> 8), UInt8(truncatingIfNeeded: advertisement.port)]
        records = [
            Record(name: type, type: .ptr, isUnique: false, data: name.wire),
            // Priority and weight are 0, as for one who is alone in offering a service.
            Record(name: name, type: .srv, isUnique: true, data: [0, 0, 0, 0] + port + host.wire),
            Record(name: name, type: .txt, isUnique: true, data: advertisement.txt.bytes),
        ]
    }

    /// What somebody calls themself whom we see by a label, early or not.
    package static func name(_ label: String, of peer: PeerPrefix) -> String {
        guard let ending = endings(peer).first(where: { label.hasSuffix($0) && label != $0 }) else { return label }
        return String(label.dropLast(ending.count))
    }

    /// Whether somebody is announced early by a label, perhaps with a name that is cut.
    static func isEarly(_ label: String, of peer: PeerPrefix) -> Bool {
        endings(peer).contains { label.hasSuffix($0.dropFirst()) }
    }

    /// Under what name somebody will be announced who is announced early by a label; unless that one is taken.
    ///
    /// - Returns: `nil` for a label that is none of those announced early.
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
