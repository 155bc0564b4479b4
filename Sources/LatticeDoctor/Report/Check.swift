import LatticeAPI
import LatticeCore

/// One examined subject, and its state.
package struct Check: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case good
        case bad
        /// It could not be examined, or the result is inconclusive.
        case open
    }

    /// Stable identifiers for programs.
    package enum Subject: String, CaseIterable, Hashable, Sendable {
        case machine, network, multicast, responder, others, peers, reach, node, clock, bridge
    }

    package let subject: Subject
    package let state: State
    /// A few words, safe to show.
    package let text: String
}

extension Diagnosis {
    /// All checks, each after those that it depends on.
    package var checks: [Check] {
        [
            machineCheck, networkCheck, multicastCheck, responderCheck, othersCheck, peersCheck, reachCheck, nodeCheck,
            clockCheck,
        ]
        .compactMap(\.self) + BridgeDiagnosis(facts).checks
    }

    private func isBad(_ codes: Finding.Code...) -> Bool {
        findings.contains { $0.severity < .notes && codes.contains($0.code) }
    }

    private func check(_ subject: Check.Subject, _ state: Check.State, _ text: String) -> Check {
        Check(subject: subject, state: state, text: text)
    }

    private var machineCheck: Check? {
        let bad = isBad(.dataFolder, .diskFull)
        guard let folder = facts.machine.folder else { return bad ? check(.machine, .bad, "your data") : nil }
        let free = folder.freeBytes.map { ", \($0 / 1_000_000) MB free" } ?? ""
        return check(.machine, bad ? .bad : .good, "your data: \(DisplayText.isolated(folder.path))\(free)")
    }

    private var networkCheck: Check {
        let names = used.prefix(4).map { interface in
            let addresses = (interface.v4 + interface.v6.filter { interface.v4.isEmpty || !$0.hasPrefix("fe80:") })
                .prefix(2)
            return "\(DisplayText.isolated(interface.name)) (\(addresses.joined(separator: ", ")))"
        }
        let more = used.count > 4 ? " and \(used.count - 4) more" : ""
        let text =
            used.isEmpty
            ? "network: none usable for discovery" : "network: \(names.joined(separator: ", "))\(more)"
        return check(.network, used.isEmpty || isBad(.linkLocalOnly, .vpn) ? .bad : .good, text)
    }

    private var multicastCheck: Check? {
        guard !facts.echoes.isEmpty else { return nil }
        let heard = facts.echoes.filter { $0.outcome == .heard }
        guard !heard.isEmpty else {
            return check(.multicast, .bad, "multicast: nothing comes back to this machine")
        }
        let told = heard.prefix(4).map { "\(DisplayText.isolated($0.interface)) \($0.isV6 ? "IPv6" : "IPv4")" }
        return check(
            .multicast, isBad(.multicastLost, .multicastForbidden) ? .bad : .good,
            "multicast: works on \(told.joined(separator: ", "))")
    }

    private var responderCheck: Check? {
        guard let responder = facts.responder else { return nil }
        let bad = isBad(.daemonAbsent, .daemonSilent, .daemonRefuses, .daemonRestricted, .daemonAlone, .mdnsPortHeld)
        let text =
            switch responder.daemon {
            case .answers: "mDNS: this machine's service (avahi-daemon) answers"
            case .absent: "mDNS: no service on this machine; lattice brings its own"
            case .silent: "mDNS: this machine's service does not answer"
            case .refuses: "mDNS: this machine's service refuses"
            }
        let silent = responder.daemon == .silent && !bad
        return check(.responder, bad ? .bad : silent ? .open : .good, text)
    }

    private var othersCheck: Check? {
        guard facts.echoes.contains(where: { $0.outcome == .heard }) else { return nil }
        let count = facts.othersHeard
        return check(
            .others, count > 0 ? .good : .open,
            count > 0
                ? "\(Told.count(count, "other machine")) heard on the network" : "no other machine heard on the network"
        )
    }

    private var peersCheck: Check {
        let near = others.filter { !mates.contains($0) }
        guard !mates.isEmpty else {
            let seen =
                near.isEmpty
                ? "peers: nobody in sight" : "peers: nobody from your mesh in sight, \(near.count) from other meshes"
            guard !linked.isEmpty else { return check(.peers, .bad, seen) }
            return check(.peers, .open, "\(seen); you are linked with \(Told.names(linked.map(\.name)))")
        }
        let also = near.isEmpty ? "" : ", and \(near.count) from other meshes"
        return check(.peers, .good, "peers from your mesh in sight: \(Told.names(mates.map(\.introduction)))\(also)")
    }

    private var reachCheck: Check? {
        guard !facts.reaches.isEmpty else { return nil }
        let open = facts.reaches.count { $0.outcome == .open }
        let bad = isBad(.firewall, .isolated, .noWay, .unknownName, .closedPort, .forbiddenHere)
        return check(
            .reach, bad ? .bad : open > 0 ? .good : .open,
            "\(open) of \(Told.count(facts.reaches.count, "address", "addresses")) accept a connection")
    }

    private var nodeCheck: Check {
        guard let node = facts.node else {
            return check(.node, .open, "your node: \(facts.nodeElsewhere.map { "in \($0)" } ?? "not running")")
        }
        let text =
            "your node: \(DisplayText.isolated(node.me.name.text)) in \(mesh), port \(node.me.port), "
            + "\(Told.count(linked.count, "link"))"
        return check(.node, linked.isEmpty ? .open : .good, text)
    }

    private var clockCheck: Check? {
        guard let health = facts.node?.health, let ahead = health.clockAhead else { return nil }
        let isOff = ahead.length >= .seconds(120)
        return check(
            .clock, isOff ? .bad : .good, isOff ? "clock: differs from other peers" : "clock: agrees with other peers")
    }
}

extension SightedPeer {
    /// `bob (role=kitchen)`: the beginning of what it says, for a line.
    fileprivate var introduction: String {
        info.isEmpty ? name : "\(name) (\(info.pairs.joined(separator: ", ").prefix(60)))"
    }
}
