package import LatticeAPI
import LatticeCore

/// What follows from the facts: no network, no clock, nothing but what it is given.
package struct Diagnosis: Sendable {
    package enum Verdict: String, Hashable, Sendable {
        /// Somebody is linked, or can be, and nothing is in the way.
        case well
        /// Something hinders.
        case hindered
        /// Nothing is wrong here as far as can be seen, and nobody is there.
        case alone

        /// 0, 1 and 69.
        package var exitCode: Int32 {
            switch self {
            case .well: 0
            case .hindered: 1
            case .alone: 69
            }
        }
    }

    let facts: Facts
    /// The most likely cause first.
    package private(set) var findings: [Finding] = []

    package init(_ facts: Facts) {
        self.facts = facts
        judgeMachine()
        judgeNetwork()
        judgeResponder()
        judgePeers()
        judgeReaches()
        judgeSolitude()
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

    // MARK: - What several judges ask

    /// Interfaces that are up and could be used.
    var usable: [InterfaceFact] {
        facts.interfaces.filter { interface in
            guard interface.isUp, interface.hasAddress else { return false }
            return facts.wish.interface.map { $0 == interface.name } ?? (interface.kind != .loopback)
        }
    }

    /// Those of them on which peers are looked for.
    package var used: [InterfaceFact] { usable.filter { $0.carriesMulticast || $0.kind == .loopback } }

    package var linked: [PeerInfo] { facts.node?.linked ?? [] }

    /// Others' announcements.
    var others: [SightedPeer] { facts.sightings.filter { !$0.isOwn } }

    /// Those that are of this person's mesh; of a mesh that nobody can tell, none.
    package var mates: [SightedPeer] {
        others.filter { peer in peer.meshTag.map(facts.wish.meshTags.contains) ?? false }
    }

    /// Nobody is linked, and nobody who could be is known.
    var isAlone: Bool {
        linked.isEmpty && mates.isEmpty && !facts.reaches.contains { $0.outcome == .open && isGiven($0.address) }
    }

    func isGiven(_ address: PeerAddress) -> Bool { facts.wish.given.contains(address) }

    /// What keeps one away does little harm where others are linked: they pass on what is said.
    var severity: Finding.Severity { linked.isEmpty ? .hinders : .notes }
}

/// Words for several things at once.
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
    ///   - one: what one of them does.
    ///   - many: what several do.
    static func names(_ names: [String], _ one: String, _ many: String) -> String {
        "\(Self.names(names)) \(Set(names).count > 1 ? many : one)"
    }

    /// `1 peer`, `2 peers`.
    static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? "\(one)s")"
    }
}
