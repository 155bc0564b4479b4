import LatticeCore
import LatticeWire

/// Which peers this one is linked with: each link from its handshake to its end. It composes the machines that decide
/// about links, and notifies `Dissemination` when a link opens, connects or ends.
struct Membership: Sendable {
    var register = LinkRegister()
    var overlay: Overlay
    var invitations = Invitations()
    var own = OwnInvitations()
    var liveness = Liveness()
    /// Neighbours that broke the protocol.
    private var faults = RefusalCounts()
    /// A link has ended since the last `settle`.
    private(set) var isDisturbed = false

    init(_ candidates: Candidates) {
        overlay = Overlay(candidates)
    }

    var refused: RefusalCounts {
        [overlay.refused, invitations.refused].reduce(into: faults) { $0.add($1) }
    }

    // MARK: - Begin

    mutating func linkOpened(
        _ id: LinkID, _ opened: OpenedLink, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let target = overlay.target(of: opened)
        let reached = opened.dial.map { overlay.reached($0, opened.peer, at: now) }
        if opened.peer == facts.me { overlay.reachedSelf(opened, reached, into: &effects) }
        if let goodbye = goodbye(to: opened, reached, facts) {
            add(LinkRow(id: id, opened: opened, phase: .closing), &records, facts, at: now)
            effects.append(.close(id, goodbye))
            if let target, !register.isLinked(opened.peer.prefix) { overlay.candidates.turnedAway(target) }
        } else if opened.dial == nil {
            awaitInvitation(id, opened, &records, facts, at: now, into: &effects)
        } else {
            let insistence = reached?.insistence ?? .none
            let waiting = own.reached(target, opened.peer, on: id)
            invite(id, opened, insistence: insistence, waiting, &records, facts, at: now, into: &effects)
        }
    }

    /// Why a link is closed before anything is sent on it.
    private func goodbye(to opened: OpenedLink, _ reached: Candidates.Reached?, _ facts: MeshFacts) -> Goodbye? {
        if opened.peer == facts.me { return Goodbye(.duplicate, "this is yourself") }
        if facts.hasLeft { return Goodbye(.leaving, "they left") }
        if facts.blocked.contains(opened.peer) { return Mesh.blockedGoodbye }
        if Invitations.mayInvite(opened, reached, facts) { return nil }
        return Goodbye(.refused, "somebody else was expected")
    }

    /// Adds a row to each machine.
    ///
    /// - Parameter insistence: why it was dialled; `nil` for a link that the other side began, or that is closed at once.
    /// - Returns: its index.
    @discardableResult
    mutating func add(
        _ row: LinkRow, insistence: Candidate.Insistence? = nil, _ records: inout Dissemination, _ facts: MeshFacts,
        at now: Instant
    ) -> Int {
        register.add(row)
        overlay.linkOpened(insistence)
        invitations.linkOpened()
        liveness.linkOpened(at: now)
        records.linkOpened(row, facts)
        return register.rows.count - 1
    }

    mutating func connect(
        _ index: Int, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        register[at: index].connected(at: now)
        let link = register.rows[index]
        invitations.linkConnected(index)
        register.report(link.opened, into: &effects)
        overlay.linkConnected(link.opened, in: register, facts, at: now, using: &generator)
        records.linkConnected(index, link, facts, at: now, into: &effects)
        noteAccepted(link.opened, facts, into: &effects)
    }

    // MARK: - Frames

    /// A neighbour said something.
    ///
    /// - Returns: the index of its link.
    mutating func heard(on id: LinkID, at now: Instant) -> Int? {
        guard let index = register.index(of: id) else { return nil }
        liveness.heard(index, at: now)
        return index
    }

    /// Like `heard`, for a record: `nil` also before the invitation is answered.
    mutating func heardRecord(on id: LinkID, at now: Instant) -> Int? {
        guard let index = register.index(of: id), register.rows[index].isHeard else { return nil }
        liveness.heard(index, at: now)
        return index
    }

    /// Whether this link is connected, as a frame on it needs. A frame on a link that we closed is ignored: the peer may
    /// have sent it before it read our goodbye.
    ///
    /// - Parameter frame: its name.
    mutating func isConnected(
        _ index: Int, as frame: String, needs records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) -> Bool {
        switch register.rows[index].phase {
        case .connected: return true
        case .closing: return false
        case .inviting, .awaitingInvitation, .asking:
            fault("\(frame) before an invitation", index, &records, facts, at: now, into: &effects)
            return false
        }
    }

    mutating func walked(
        _ walk: Walk, by index: Int, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let isTakenOver = overlay.walked(
            walk, by: index, in: register, facts, at: now, using: &generator, into: &effects)
        if isTakenOver { giveUp(index, &records, facts, at: now, into: &effects) }
    }

    // MARK: - End

    mutating func linkClosed(
        _ id: LinkID, _ end: LinkEnd, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard let index = register.index(of: id) else { return }
        let gone = register.remove(at: index)
        overlay.linkRemoved(at: index)
        invitations.linkRemoved(at: index)
        liveness.linkRemoved(at: index)
        let isNews = gone.phase != .closing
        if isNews { records.linkEnded(index, gone, end, facts, at: now, into: &effects) }
        records.linkRemoved(id, at: index)
        if isNews { linkEnded(gone, end, facts, at: now, into: &effects) }
    }

    /// We are about to stop: says goodbye on every link.
    mutating func leave(_ records: inout Dissemination, into effects: inout [MeshEffect]) {
        for index in register.rows.indices {
            close(index, Goodbye(.leaving, "they left"), &records, into: &effects)
        }
    }

    mutating func blocked(
        _ peers: Set<PeerID>, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        for index in register.rows.indices where peers.contains(register.rows[index].peer) {
            guard register.rows[index].phase != .closing else { continue }
            end(index, Mesh.blockedGoodbye, .blocked, &records, facts, at: now, into: &effects)
        }
    }

    mutating func fault(
        _ reason: String, _ index: Int, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        faults.add(.faults)
        end(index, Goodbye(.protocolFault, reason), .fault(reason), &records, facts, at: now, into: &effects)
    }

    /// Says goodbye on a link. Frames from the other side count until the link closes.
    private mutating func close(
        _ index: Int, _ goodbye: Goodbye, _ records: inout Dissemination, into effects: inout [MeshEffect]
    ) {
        register.close(index, goodbye, into: &effects)
        records.linkClosing(index)
    }

    mutating func closeDuplicate(
        _ index: Int, _ records: inout Dissemination, into effects: inout [MeshEffect]
    ) {
        close(index, Goodbye(.duplicate, "another link is kept"), &records, into: &effects)
    }

    /// Says goodbye on a link and handles its end.
    mutating func end(
        _ index: Int, _ goodbye: Goodbye, _ end: LinkEnd, _ records: inout Dissemination, _ facts: MeshFacts,
        at now: Instant, into effects: inout [MeshEffect]
    ) {
        let gone = register.rows[index]
        close(index, goodbye, &records, into: &effects)
        records.linkEnded(index, gone, end, facts, at: now, into: &effects)
        linkEnded(gone, end, facts, at: now, into: &effects)
    }

    mutating func giveUp(
        _ index: Int, _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let goodbye = Goodbye(.full, "its place went to another")
        end(index, goodbye, .rearranged, &records, facts, at: now, into: &effects)
    }

    private mutating func linkEnded(
        _ gone: LinkRow, _ end: LinkEnd, _ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]
    ) {
        register.report(gone.opened, end: end, into: &effects)
        isDisturbed = true
        overlay.linkEnded(gone, end, in: register, facts, at: now)
    }

    // MARK: - Time

    /// Pings those of these links that have no ping to answer.
    ///
    /// - Parameter isOneEnough: only the first of them.
    mutating func ping(
        _ links: [Int], isOneEnough: Bool, _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        for index in links where !liveness.isPinged(index) {
            ping(index, facts, at: now, using: &generator, into: &effects)
            if isOneEnough { break }
        }
    }

    mutating func ping(
        _ index: Int, _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        let id = register.rows[index].id
        liveness.ping(index, id, step: facts.step, at: now, using: &generator, into: &effects)
    }

    /// Pings every neighbour that has no ping to answer.
    mutating func pingAll(
        _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        let links = register.rows.indices.filter { register.rows[$0].isConnected }
        ping(links, isOneEnough: false, facts, at: now, using: &generator, into: &effects)
    }

    func roundTrip(on link: LinkID) -> (PeerID, Duration)? {
        guard let index = register.index(of: link), let roundTrip = liveness.roundTrip(index) else { return nil }
        return (register.rows[index].peer, roundTrip)
    }

    mutating func releaseLinks(
        _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        isDisturbed = false
        guard let earliest = liveness.linkDeadline(in: register), earliest <= now else { return }
        for index in register.rows.indices {
            let phase = register.rows[index].phase
            guard let deadline = liveness.deadline(of: index, phase), deadline <= now else { continue }
            switch phase {
            case .inviting, .awaitingInvitation:
                let goodbye = Goodbye(.timeout, "no invitation was answered in time")
                end(index, goodbye, .silent, &records, facts, at: now, into: &effects)
            case .asking: refuse(index, .unanswered, &records, facts, at: now, into: &effects)
            case .closing: break
            case .connected where !liveness.isPinged(index):
                ping(index, facts, at: now, using: &generator, into: &effects)
            case .connected:
                let goodbye = Goodbye(.timeout, "it did not answer a ping")
                end(index, goodbye, .silent, &records, facts, at: now, into: &effects)
            }
        }
    }

    mutating func releaseOverlay(
        _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant, using generator: inout SeededGenerator,
        into effects: inout [MeshEffect]
    ) {
        guard overlay.isDue(at: now) else { return }
        guard register.connectedCount > 0 else { return overlay.pause() }
        if let reputation = overlay.lapsedOffers(at: now) {
            while let surplus = overlay.surplus(
                beyond: reputation, in: register, records.presences, facts, using: &generator)
            {
                giveUp(surplus, &records, facts, at: now, into: &effects)
            }
        }
        overlay.release(in: register, records.presences, facts, at: now, using: &generator, into: &effects)
    }

    mutating func dial(_ facts: MeshFacts, at now: Instant, into effects: inout [MeshEffect]) {
        if liveness.seeks(at: now) { overlay.seekAgain(at: now) }
        overlay.dial(in: register, facts, at: now, into: &effects)
    }

    /// An interface or address of this machine came or went.
    ///
    /// - Parameter lost: links whose address here is gone.
    mutating func networkChanged(
        without lost: [LinkID], _ records: inout Dissemination, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        for id in lost {
            guard let index = register.index(of: id), register.rows[index].phase != .closing else { continue }
            end(index, Goodbye(.timeout, "its address is gone"), .addressGone, &records, facts, at: now, into: &effects)
        }
        liveness.networkChanged(
            in: register, records.fairness, step: facts.step, at: now, using: &generator, into: &effects)
    }

    /// When a link is due; that counts even after we have left.
    var linkDeadline: Instant? { liveness.linkDeadline(in: register) }

    mutating func nextDeadline(_ facts: MeshFacts) -> Instant? {
        var earliest = linkDeadline
        if let dialAt = overlay.nextDeadline(in: register, facts) { earliest = min(earliest ?? dialAt, dialAt) }
        if let seekAt = liveness.seekAt { earliest = min(earliest ?? seekAt, seekAt) }
        return earliest
    }
}

extension Candidates.Reached {
    fileprivate var insistence: Candidate.Insistence {
        if case .expected(_, _, let insistence) = self { insistence } else { .none }
    }
}
