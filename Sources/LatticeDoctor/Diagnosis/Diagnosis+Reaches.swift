import LatticeAPI
import LatticeCore

// Whether peers that were sighted or named can be reached, and what stops the connection if not.
extension Diagnosis {
    mutating func judgeReaches() {
        let wanted = facts.reaches.filter { !isLinked($0.address) }
        // If a peer has several addresses, one that works is enough.
        let lost = wanted.filter { reach in
            !owners(of: reach.address).contains { owner in
                facts.reaches.contains { $0.outcome == .open && owner.addresses.contains($0.address) }
            }
        }
        judge(lost.filter { Self.isForbidden($0) }, .forbiddenHere) { who in
            (
                "a firewall on this machine blocks connections to \(who)",
                "allow outgoing TCP connections in this machine's firewall (ufw allow out proto tcp to any)"
            )
        }
        judge(lost.filter(Self.isIsolated), .isolated) { who in
            (
                "\(who) is on your network but cannot be reached: the network isolates its devices "
                    + "(guest Wi-Fi, client isolation), or that machine is gone",
                "use another network, turn off client isolation in the router, or open a hotspot on one of the machines"
            )
        }
        judge(lost.filter(Self.isFirewall), .firewall) { who in
            (
                "no answer from \(who): a firewall there or on the way drops the connection",
                "on that machine set a fixed --port and open it (ufw allow PORT/tcp; firewall-cmd --add-port=PORT/tcp)"
            )
        }
        judge(lost.filter(Self.isWayless), .noWay) {
            (
                "there is no route from here to \($0)",
                "join the same network, or give an address that can be reached from here: --peer HOST:PORT"
            )
        }
        judgeNames(lost.filter { $0.outcome == .unknownName }.map(\.address))
        judge(lost.filter { $0.outcome == .closed }, .closedPort) { who in
            (
                "nothing listens at \(who): lattice has ended there, or uses another port",
                "start lattice there, and check the port in its first line ('/peers' there lists addresses too)"
            )
        }
        judgeUnlinked()
    }

    private typealias Words = (_ who: String) -> (text: String, remedy: String)

    private mutating func judge(_ reaches: [Reach], _ code: Finding.Code, _ words: Words) {
        guard !reaches.isEmpty else { return }
        let names = reaches.flatMap { owners(of: $0.address).map(\.name) }
        let addresses =
            reaches.prefix(2).map { DisplayText.isolated("\($0.address)") }.joined(separator: ", ")
            + (reaches.count > 2 ? ", …" : "")
        let (text, remedy) = words(names.isEmpty ? addresses : "\(Told.names(names)) (\(addresses))")
        add(severity(of: reaches.map(\.address)), code, text, remedy: remedy)
    }

    /// A peer that the person asks about matters even if others are linked.
    private func severity(of addresses: [PeerAddress]) -> Finding.Severity {
        facts.wish.isAskingOfGiven && addresses.contains(where: isGiven) ? .hinders : severity
    }

    /// - Parameter addresses: with host names that do not resolve; only people enter such names.
    private mutating func judgeNames(_ addresses: [PeerAddress]) {
        guard !addresses.isEmpty else { return }
        add(
            severity(of: addresses), .unknownName,
            "cannot find the address of \(Told.names(addresses.map(\.host)))",
            remedy: "check the name, or give the address in numbers: --peer 192.168.1.7:PORT")
    }

    /// Peers that accept connections but are not linked, for no other reason found.
    private mutating func judgeUnlinked() {
        guard facts.node != nil, linked.isEmpty, !findings.contains(where: { Self.reasons.contains($0.code) }) else {
            return
        }
        let open = facts.reaches.filter { $0.outcome == .open && !isLinked($0.address) }
        let names = open.flatMap { owners(of: $0.address).map(\.name) }
        guard !names.isEmpty else { return }
        add(
            .notes, .notLinked, "\(Told.names(names)) can be reached but is not linked yet",
            remedy: "wait a moment, or link now: /connect NAME")
    }

    private static let reasons: Set<Finding.Code> = [
        .wrongPassphrase, .otherMesh, .otherVersion, .blockedHere, .blockedThere, .policyHere, .policyThere, .declined,
        .handshake,
    ]

    private func owners(of address: PeerAddress) -> [SightedPeer] { others.filter { $0.addresses.contains(address) } }

    private func isLinked(_ address: PeerAddress) -> Bool {
        let names = owners(of: address).compactMap(\.prefix)
        return linked.contains { peer in
            peer.address == address || peer.prefix.map(names.contains) ?? false
        }
    }

    private static func isForbidden(_ reach: Reach) -> Bool {
        if case .forbidden = reach.outcome { true } else { false }
    }

    /// The peer should be on the same network, but does not answer even below TCP.
    private static func isIsolated(_ reach: Reach) -> Bool {
        switch reach.outcome {
        case .silent, .noWay: reach.isLocal && reach.isNeighbour == false
        case .open, .closed, .forbidden, .unknownName: false
        }
    }

    /// The machine is there, but does not answer or rejects the connection.
    private static func isFirewall(_ reach: Reach) -> Bool {
        switch reach.outcome {
        case .silent: !isIsolated(reach)
        case .noWay: reach.isNeighbour == true
        case .open, .closed, .forbidden, .unknownName: false
        }
    }

    private static func isWayless(_ reach: Reach) -> Bool {
        if case .noWay = reach.outcome { !isIsolated(reach) && !isFirewall(reach) } else { false }
    }
}
