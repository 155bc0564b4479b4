package import LatticeAPI
import LatticeCore

/// Draws conclusions from the facts alone, without a network or a clock.
package struct Diagnosis: Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// Somebody is linked or can be, and nothing stands in the way.
        case well
        case hindered
        /// No problem found, but nobody is there.
        case alone

        /// 0, 1 and 69 (EX_UNAVAILABLE).
        package var exitCode: Int32 {
            switch self {
            case .well: 0
            case .hindered: 1
            case .alone: 69
            }
        }
    }

    let facts: Facts
    /// The most likely cause comes first.
    package private(set) var findings: [Finding] = []

    package init(_ facts: Facts) {
        self.facts = facts
        judgeMachine()
        judgeNetwork()
        judgeResponder()
        judgePeers()
        judgeReaches()
        judgeSolitude()
        findings += BridgeDiagnosis(facts).findings
        findings.sort { ($0.severity, $0.code.rank) < ($1.severity, $1.code.rank) }
    }

    package var verdict: Verdict {
        if findings.contains(where: { $0.severity < .notes }) { return .hindered }
        return isAlone ? .alone : .well
    }

    mutating func add(_ severity: Finding.Severity, _ code: Finding.Code, _ text: String, remedy: String? = nil) {
        findings.append(Finding(severity, code, text, remedy: remedy))
    }

    func has(_ codes: Finding.Code...) -> Bool { findings.contains { codes.contains($0.code) } }

    var usable: [InterfaceFact] {
        facts.interfaces.filter { interface in
            guard interface.isUp, interface.hasAddress else { return false }
            return facts.wish.interface.map { $0 == interface.name } ?? (interface.kind != .loopback)
        }
    }

    package var used: [InterfaceFact] { usable.filter { $0.carriesMulticast || $0.kind == .loopback } }

    package var linked: [PeerInfo] { facts.node?.linked ?? [] }

    var others: [SightedPeer] { facts.sightings.filter { !$0.isOwn } }

    /// Announcements of this person's mesh; none if its mesh tag is unknown.
    package var mates: [SightedPeer] {
        others.filter { peer in peer.meshTag.map(facts.wish.meshTags.contains) ?? false }
    }

    /// Nobody is linked, and no candidate for a link is known.
    var isAlone: Bool {
        linked.isEmpty && mates.isEmpty && !facts.reaches.contains { $0.outcome == .open && isGiven($0.address) }
    }

    func isGiven(_ address: PeerAddress) -> Bool { facts.wish.given.contains(address) }

    /// With other links, a problem with one peer does little harm: they relay its messages.
    var severity: Finding.Severity { linked.isEmpty ? .hinders : .notes }
}

enum Told {
    /// `bob`, `bob and carol`, `bob, carol and 3 more`.
    static func names(_ names: [String]) -> String {
        var unique: [String] = []
        for name in names where !unique.contains(name) { unique.append(name) }
        let shown = unique.prefix(2).map { DisplayText.isolated($0) }
        switch unique.count {
        case 0: return "nobody"
        case 1: return shown[0]
        case 2: return "\(shown[0]) and \(shown[1])"
        default: return "\(shown[0]), \(shown[1]) and \(unique.count - 2) more"
        }
    }

    /// - Parameters:
    ///   - one: the verb for one of them.
    ///   - many: the verb for several.
    static func names(_ names: [String], _ one: String, _ many: String) -> String {
        "\(Self.names(names)) \(Set(names).count > 1 ? many : one)"
    }

    /// `1 peer`, `2 peers`.
    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? "\(one)s")"
    }
}
