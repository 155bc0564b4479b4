import LatticeAPI
import LatticeCore
import LatticeDiscovery

// Peers nearby, and why there is no link to them.
extension Diagnosis {
    mutating func judgePeers() {
        judgeDialFailures()
        judgeStrangers()
        judgePolicy()
        judgeClock()
    }

    private mutating func judgeStrangers() {
        let aged = mates.filter { !$0.versions.isEmpty && !$0.versions.contains(Advertisement.version) }
        if !aged.isEmpty {
            add(
                severity, .otherVersion,
                "\(Told.names(aged.map(\.name), "speaks", "speak")) a different protocol version than this program",
                remedy: "install the same version on both ('lattice --version' shows it)")
        }
        let blocked = facts.node?.blocked ?? []
        let unheard = others.filter { peer in peer.prefix.map(blocked.contains) ?? false }
        if !unheard.isEmpty {
            let names = Told.names(unheard.map(\.name), "is", "are")
            add(severity, .blockedHere, "\(names) here, but you blocked them", remedy: "lattice unblock NAME")
        }
        // If the mesh tag is unknown, any announcement may belong to the mesh.
        guard !facts.wish.meshTags.isEmpty else { return judgeUnknown() }
        let strangers = others.filter { peer in peer.meshTag.map { !facts.wish.meshTags.contains($0) } ?? false }
        guard !strangers.isEmpty, mates.isEmpty else { return }
        let closed = strangers.filter(\.isOfClosedMesh)
        let open = strangers.filter { !$0.isOfClosedMesh }
        if facts.wish.isClosed, !closed.isEmpty {
            add(
                severity, .otherPassphrase,
                "\(Told.count(closed.count, "peer")) of a closed mesh \(closed.count == 1 ? "is" : "are") nearby, with a "
                    + "different passphrase or mesh name than yours",
                remedy:
                    "compare the passphrase and --mesh (here: \(mesh)) letter by letter with theirs; a clock "
                    + "that is off by days has the same effect")
        } else if !closed.isEmpty {
            add(
                severity, .otherMesh,
                "\(Told.count(closed.count, "peer")) of a closed mesh \(closed.count == 1 ? "is" : "are") nearby; yours "
                    + "(\(mesh)) is open",
                remedy: "to meet them, ask for the name and passphrase: --mesh NAME --passphrase")
        }
        if !open.isEmpty {
            let yours = facts.wish.isClosed ? "yours (\(mesh)) is closed" : "you are in \(mesh)"
            add(
                severity, .otherMesh, "\(Told.names(open.map(\.name), "is", "are")) nearby in another mesh; \(yours)",
                remedy: "to meet them, start both with the same --mesh"
                    + (facts.wish.isClosed ? " and passphrase" : ", and without a passphrase"))
        }
    }

    /// Handles a closed mesh when no node runs and no passphrase was given.
    private mutating func judgeUnknown() {
        let closed = others.filter(\.isOfClosedMesh)
        guard !closed.isEmpty else { return }
        add(
            .notes, .otherMesh,
            "\(Told.count(closed.count, "peer")) of a closed mesh \(closed.count == 1 ? "is" : "are") nearby",
            remedy: "add --passphrase-file to check whether they belong to your mesh")
    }

    var mesh: String { DisplayText.isolated(facts.wish.mesh.text) }

    private mutating func judgeDialFailures() {
        let linkedIDs = linked.compactMap(\.id)
        let dialFailures = (facts.node?.health?.dialFailures ?? []).filter { miss in
            miss.id.map { !linkedIDs.contains($0) } ?? true
        }
        for reason in NodeHealth.Reason.allCases {
            let of = dialFailures.filter { $0.reason == reason }
            guard !of.isEmpty else { continue }
            judge(reason, Told.names(of.map { $0.name.isEmpty ? $0.address?.description ?? "somebody" : $0.name }), of)
        }
    }

    private mutating func judge(_ reason: NodeHealth.Reason, _ who: String, _ dialFailures: [NodeHealth.DialFailure]) {
        switch reason {
        case .otherMesh:
            add(
                severity, .otherMesh, "\(who) is in another mesh; you are in \(mesh)",
                remedy: "start both with the same --mesh")
        case .wrongPassphrase:
            add(
                severity, .wrongPassphrase, "\(who) answers, but with a different passphrase than yours, or none",
                remedy: "compare the passphrase and --mesh (here: \(mesh)) letter by letter with theirs")
        case .blockedThere:
            add(severity, .blockedThere, "\(who) has blocked you", remedy: "ask them to run: lattice unblock YOUR-NAME")
        case .blockedHere:
            add(severity, .blockedHere, "\(who) is here, but you blocked them", remedy: "lattice unblock NAME")
        case .policyThere:
            add(
                severity, .policyThere, "\(who) accepts links only from contacts, or from nobody",
                remedy: "ask them to add you (lattice contacts add YOUR-ID; 'lattice id' prints it) or to start with "
                    + "--invitations auto")
        case .policyHere:
            add(
                severity, .policyHere, "\(who) wanted to link, but your node accepts only contacts, or nobody",
                remedy: "add them (lattice contacts add NAME), or start with --invitations auto")
        case .declined:
            add(
                severity, .declined, "\(who): an invitation was declined or not answered",
                remedy:
                    "ask them to type /accept, or type it yourself (/accept NAME); --invitations auto needs no answer")
        case .full:
            add(.notes, .noPlace, "\(who) has no free slot for another link; other peers relay your messages")
        case .handshake:
            let text = dialFailures.last?.end.map { DisplayText.safe($0.words) } ?? "it answers, but there was a fault"
            add(
                severity, .handshake, "\(who): \(text)",
                remedy: "check that lattice runs there, with the same --mesh and passphrase and the same version")
        case .fault:
            add(
                severity, .handshake, "\(who) violated the protocol",
                remedy: "install the same version on both ('lattice --version' shows it)")
        }
    }

    private mutating func judgePolicy() {
        guard let health = facts.node?.health, linked.isEmpty, !has(.policyHere) else { return }
        switch health.invitations {
        case "none":
            add(
                .notes, .policyHere, "your node does not link on its own (--invitations none)",
                remedy: "start it with --invitations auto, or link with one peer: /connect NAME")
        case "contacts":
            add(
                .notes, .policyHere, "your node links only with your contacts (--invitations contacts)",
                remedy: "add the person you miss (lattice contacts add NAME), or start it with --invitations auto")
        default: break
        }
    }

    /// The node also notifies people of these findings.
    private mutating func judgeClock() {
        guard let health = facts.node?.health, !has(.clockWrong) else { return }
        if health.isClockWrong {
            add(
                .hinders, .clockWrong, "this machine's clock is years behind, so your messages look old to others",
                remedy: "set the clock: timedatectl set-ntp true, or date -s 'YYYY-MM-DD HH:MM'")
            return
        }
        guard let ahead = health.clockAhead, ahead.length >= .seconds(120) else { return }
        let minutes = ahead.length.components.seconds / 60
        let length =
            minutes < 120 ? "\(minutes) min" : minutes < 2_880 ? "\(minutes / 60) h" : "\(minutes / 1_440) days"
        let whose = health.clockPeers == 1 ? "one other clock" : "\(health.clockPeers) other clocks"
        add(
            health.clockPeers > 1 ? .hinders : .notes, .clockSkew,
            "your clock is \(length) \(ahead > .zero ? "ahead" : "behind") compared with \(whose), so messages may appear "
                + "in the wrong order",
            remedy: "check which clock is wrong ('date' shows yours), and set it: timedatectl set-ntp true")
    }
}

extension Duration {
    var length: Duration { self < .zero ? .zero - self : self }
}
