import LatticeAPI
import LatticeCore

enum PeerTable {
    static func lines(_ peers: [PeerInfo], _ shown: [String], columns: Int = .max) -> [String] {
        guard !peers.isEmpty else { return ["Nobody is here."] }
        let head = ["NAME", "ID", "STATE", "HOPS", "ROUND TRIP", "ADDRESS"]
        return TextTable.lines([head] + zip(peers, shown).map { row($0, $1) }, columns: columns)
    }

    static func details(_ peer: PeerInfo, _ shown: String) -> [String] {
        var lines = ["\(shown): \(state(peer))"]
        if let id = peer.id {
            lines.append("  id \(id.hex), short \(id.short)")
        } else if let prefix = peer.prefix {
            lines.append("  id \(prefix)… (announced, not verified yet)")
        }
        if !peer.rooms.isEmpty { lines.append("  rooms \(peer.rooms.map(\.text).joined(separator: " "))") }
        if let state = AwayPhrases.state(away: peer.away, idle: peer.idle) { lines.append("  \(state)") }
        if let hops = peer.hops { lines.append("  \(Phrases.hops(hops)) away") }
        if let trip = peer.roundTrip { lines.append("  round trip \(Phrases.milliseconds(trip))") }
        if let address = peer.address { lines.append("  address \(address)") }
        if !peer.info.isEmpty { lines.append("  announces \(announced(peer))") }
        if let source = peer.source { lines.append("  found by \(source.rawValue) discovery") }
        return lines
    }

    private static func row(_ peer: PeerInfo, _ shown: String) -> [String] {
        let isReached = peer.state != .notConnected || peer.hops != nil
        let reason = isReached ? nil : peer.reason.map { "(\(DisplayText.safe($0.words)))" }
        return [
            shown,
            peer.id.map(\.short) ?? peer.prefix.map { "\($0.description.prefix(8))…" } ?? "?",
            state(peer),
            peer.hops.map(String.init) ?? "-",
            peer.roundTrip.map(Phrases.milliseconds) ?? "-",
            [
                peer.address?.description, reason, peer.away.map { "(\(AwayPhrases.away($0)))" },
                peer.info.isEmpty ? nil : announced(peer),
            ].compactMap(\.self).joined(separator: " "),
        ]
    }

    /// What a stranger wrote: `role=kitchen, open=8 to 20`.
    private static func announced(_ peer: PeerInfo) -> String {
        peer.info.map { DisplayText.isolated($0) }.joined(separator: ", ")
    }

    private static func state(_ peer: PeerInfo) -> String {
        switch peer.state {
        case .connected: "connected"
        case .connecting: "connecting"
        case .notConnected where peer.hops == 0: "here"
        case .notConnected where peer.hops != nil: "relayed"
        case .notConnected: "not connected"
        }
    }
}

extension String {
    func trimmedAtEnd() -> String {
        String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
    }
}
