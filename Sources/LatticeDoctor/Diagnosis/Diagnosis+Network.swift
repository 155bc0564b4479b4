import LatticeCore
import LatticeDiscovery

// Whether there is a network, and whether multicast works on it.
extension Diagnosis {
    mutating func judgeNetwork() {
        if let wanted = facts.wish.interface, usable.isEmpty {
            let state = facts.interfaces.contains { $0.name == wanted } ? "is down or has no address" : "does not exist"
            add(
                .blocks, .interfaceMissing, "the interface \(DisplayText.isolated(wanted)) \(state)",
                remedy: "bring it up, or choose another with --interface ('ip link' lists them)")
        } else if usable.isEmpty {
            // Links without a network are to peers on this machine.
            add(
                linked.isEmpty ? .blocks : .notes, .noInterface, "this machine is not on a network: \(interfacesText)",
                remedy: networkRemedy)
        } else if used.isEmpty {
            let names = Told.names(usable.map(\.name))
            add(
                .blocks, .noMulticast, "\(names) carries no multicast, so peers there cannot be discovered",
                remedy: usable.contains { $0.kind == .tunnel }
                    ? "connect to Wi-Fi or plug in a cable besides the VPN, or give a peer's address: --peer HOST:PORT"
                    : "turn it on (ip link set \(usable[0].name) multicast on), or give a peer's address: --peer "
                        + "HOST:PORT")
        }
        if facts.wish.discovery == .off, facts.wish.given.isEmpty {
            add(
                .hinders, .discoveryOff, "discovery is off, so lattice does not look for peers",
                remedy: "remove --discovery off, or give a peer's address: --peer HOST:PORT")
        }
        judgeEchoes()
    }

    var networkRemedy: String {
        let isDown = facts.interfaces.contains { $0.kind == .ordinary && !$0.isUp }
        let waits = facts.interfaces.contains { $0.kind == .ordinary && $0.isUp && !$0.hasAddress }
        if waits { return "wait until it has an address, or assign one; lattice continues on its own" }
        return isDown
            ? "turn on Wi-Fi or plug in the cable; lattice continues on its own"
            : "connect to Wi-Fi, plug in a cable, or open a hotspot for the others"
    }

    private var interfacesText: String {
        let others = facts.interfaces.filter { $0.kind != .loopback }
        guard !others.isEmpty else { return "it has no network interface" }
        let told = others.prefix(3).map { interface in
            "\(DisplayText.isolated(interface.name)) \(interface.isUp ? "has no address" : "is down")"
        }
        return told.joined(separator: ", ") + (others.count > 3 ? " and more" : "")
    }

    /// IPv4 and IPv6 are alternatives: one that works is enough.
    private mutating func judgeEchoes() {
        for interface in used {
            let echoes = facts.echoes.filter { $0.interface == interface.name }
            guard !echoes.isEmpty, !echoes.contains(where: { $0.outcome == .heard }) else { continue }
            let isOnly = used.count == 1
            let name = DisplayText.isolated(interface.name)
            let reasons = echoes.compactMap { echo -> String? in
                if case .refused(let reason) = echo.outcome { reason } else { nil }
            }
            if reasons.count == echoes.count, let reason = reasons.first {
                add(
                    isOnly && linked.isEmpty ? .blocks : .hinders, .multicastForbidden,
                    "cannot send multicast on \(name): \(DisplayText.safe(reason))",
                    remedy: "allow outgoing UDP to port 5353 in this machine's firewall (ufw allow out 5353/udp)")
            } else {
                add(
                    isOnly && linked.isEmpty ? .blocks : .hinders, .multicastLost,
                    "multicast sent on \(name) does not come back to this machine: a firewall here drops it",
                    remedy: "allow UDP port 5353 in this machine's firewall (ufw allow 5353/udp; "
                        + "firewall-cmd --add-service=mdns)")
            }
        }
    }
}
