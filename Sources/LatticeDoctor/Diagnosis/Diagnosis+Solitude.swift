import LatticeAPI
import LatticeCore
import LatticeDiscovery

// Nobody is nearby: possible reasons, though nothing is wrong on this machine.
extension Diagnosis {
    mutating func judgeSolitude() {
        judgeAnnouncement()
        if facts.node == nil, facts.nodeObjection == nil {
            judgeNobody()
        }
        guard isAlone, others.isEmpty, !used.isEmpty else { return }
        if used.allSatisfy(\.isLinkLocalOnly) {
            add(
                .hinders, .linkLocalOnly,
                "\(Told.names(used.map(\.name))) got no address from a router and assigned itself one",
                remedy:
                    "this works with others on the same cable; otherwise rejoin the Wi-Fi, or check that the router "
                    + "is on")
        }
        if let name = facts.defaultInterface, let tunnel = facts.interfaces.first(where: { $0.name == name }),
            tunnel.kind == .tunnel, tunnel.isUp
        {
            add(
                .hinders, .vpn,
                "all traffic goes through the VPN \(DisplayText.isolated(name)), which may block the local network",
                remedy: "allow local network access in its settings, or turn it off while you use lattice")
        }
        // A bridge with the default route has a network card among its ports.
        if used.allSatisfy({ $0.kind == .bridge && $0.name != facts.defaultInterface }) {
            add(
                .hinders, .bridgeOnly,
                "\(Told.names(used.map(\.name))) connects only containers and virtual machines on this machine",
                remedy: networkRemedy)
        }
        if facts.isContainer, facts.othersHeard == 0 {
            add(
                .notes, .container, "lattice runs in a container, and others may not see its network",
                remedy: "start the container with the host's network: --network host")
        }
        if facts.othersHeard == 0, facts.node != nil || facts.echoes.contains(where: { $0.outcome == .heard }) {
            add(
                .notes, .deaf,
                "no other machine was heard: the network is quiet, or it blocks multicast (guest Wi-Fi)",
                remedy: "if somebody is here, give their address: --peer HOST:PORT, or /connect HOST:PORT in a chat")
        }
    }

    private mutating func judgeNobody() {
        guard let elsewhere = facts.nodeElsewhere else {
            return add(
                .notes, .nothingRuns, "lattice is not running, so nobody can see you", remedy: "start it: lattice chat"
            )
        }
        let mesh = DisplayText.isolated(facts.wish.mesh.text)
        let options = "--mesh \(mesh)" + (facts.wish.isClosed ? " --passphrase" : "")
        add(
            .notes, .nothingRuns, "your node runs in \(elsewhere), so nobody in \(mesh) can see you",
            remedy: "stop it, and start one there: lattice chat \(options)")
    }

    /// If this machine does not hear its own announcement, nobody does.
    private mutating func judgeAnnouncement() {
        guard let node = facts.node, facts.wish.discovery != .off, !used.isEmpty, linked.isEmpty,
            facts.responder?.port == .shared, facts.echoes.contains(where: { $0.outcome == .heard }),
            !has(.daemonSilent, .daemonAbsent, .daemonRefuses, .daemonRestricted),
            !facts.sightings.contains(where: \.isOwn)
        else { return }
        add(
            .hinders, .notAnnounced,
            "your node runs but is not announced on \(Told.names(used.map(\.name))), so nobody can find it",
            remedy: "restart it with --discovery \(node.me.discovery == "system" ? "embedded" : "system")")
    }
}
