import LatticeAPI
import LatticeCore
import LatticeDiscovery

// Nobody is there: what may be the reason, though nothing is wrong on this machine.
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
                "\(Told.names(used.map(\.name))) got no address from a router, and gave itself one",
                remedy:
                    "that works with others on the same cable; otherwise join the Wi-Fi anew, or look whether the router "
                    + "is on")
        }
        if let name = facts.defaultInterface, let tunnel = facts.interfaces.first(where: { $0.name == name }),
            tunnel.kind == .tunnel, tunnel.isUp
        {
            add(
                .hinders, .vpn,
                "all you send goes through the VPN \(DisplayText.isolated(name)), which may keep the local network out",
                remedy: "allow the local network in its settings, or switch it off while you use lattice")
        }
        // One with the way to the rest of the world has a network card among its ports.
        if used.allSatisfy({ $0.kind == .bridge && $0.name != facts.defaultInterface }) {
            add(
                .hinders, .bridgeOnly,
                "\(Told.names(used.map(\.name))) joins only containers and virtual machines of this machine",
                remedy: networkRemedy)
        }
        if facts.isContainer, facts.othersHeard == 0 {
            add(
                .notes, .container, "this program runs in a container, whose network others may not see",
                remedy: "start the container with the network of its machine: --network host")
        }
        if facts.othersHeard == 0, facts.node != nil || facts.echoes.contains(where: { $0.outcome == .heard }) {
            add(
                .notes, .deaf,
                "no other machine was heard at all: it is quiet here, or the network passes no multicast (guest Wi-Fi)",
                remedy: "if somebody is here, name their address: --peer HOST:PORT, or /connect HOST:PORT in a chat")
        }
    }

    private mutating func judgeNobody() {
        guard let elsewhere = facts.nodeElsewhere else {
            return add(
                .notes, .nothingRuns, "no node of yours runs, so that nobody sees you", remedy: "start it: lattice chat"
            )
        }
        let mesh = DisplayText.isolated(facts.wish.mesh.text)
        let options = "--mesh \(mesh)" + (facts.wish.isClosed ? " --passphrase" : "")
        add(
            .notes, .nothingRuns, "your node runs in \(elsewhere), so that nobody in \(mesh) sees you",
            remedy: "end it, and start one there: lattice chat \(options)")
    }

    /// Whoever is not seen by their own machine is seen by nobody.
    private mutating func judgeAnnouncement() {
        guard let node = facts.node, facts.wish.discovery != .off, !used.isEmpty, linked.isEmpty,
            facts.responder?.port == .shared, facts.echoes.contains(where: { $0.outcome == .heard }),
            !has(.daemonSilent, .daemonAbsent, .daemonRefuses, .daemonRestricted),
            !facts.sightings.contains(where: \.isOwn)
        else { return }
        add(
            .hinders, .notAnnounced,
            "your node runs and is not announced on \(Told.names(used.map(\.name))), so that nobody finds it",
            remedy: "start it anew, with --discovery \(node.me.discovery == "system" ? "embedded" : "system")")
    }
}
