import LatticeCore
import LatticeWire

/// Invites peers that we dialled, judges invitations that we get, and decides which of two links to one peer stays.
struct Invitations: Sendable {
    /// The content of a peer's invitation.
    struct Asked: Hashable, Sendable {
        /// Its free slots.
        let room: UInt8
        let isUrgent: Bool
    }

    /// Row `i` belongs to link `i` of `LinkRegister`: the invitation that a person here is asked about.
    private var rows: [Asked?] = []
    private(set) var refused = RefusalCounts()

    // MARK: - Links

    mutating func linkOpened() {
        rows.append(nil)
    }

    mutating func linkConnected(_ index: Int) {
        rows[index] = nil
    }

    mutating func linkRemoved(at index: Int) {
        rows.remove(at: index)
    }

    // MARK: - Ours

    /// What to do with a link that we opened.
    enum Ours: Hashable, Sendable {
        case invite(Invitation)
        /// Another link to the same peer stays.
        case isDuplicate
        /// Enough other peers answered first.
        case isSurplus
    }

    /// - Parameters:
    ///   - others: other links to the same peer.
    ///   - free: slots that were free before this link opened.
    ///   - isLonely: whether no neighbour was connected then.
    ///   - context: sent with this invitation instead of the one for all.
    func opened(
        _ index: Int, others: [Int], insistence: Candidate.Insistence, free: Int, isLonely: Bool,
        context: [UInt8]?, in register: LinkRegister, _ options: MeshOptions
    ) -> Ours {
        let instance = register.rows[index].opened.instance
        let isLinkedAlready = others.contains { index in
            let other = register.rows[index]
            return other.opened.instance == instance && (other.isConnected || other.isOurs)
        }
        if isLinkedAlready { return .isDuplicate }
        if register.countInUse > MeshLimit.linksMax || (free == 0 && insistence == .none) { return .isSurplus }
        let room =
            switch insistence {
            case .toReplace: max(1, free)
            case .none, .toSplit, .urgent: free
            }
        return .invite(
            Invitation(
                mesh: options.mesh, context: context ?? options.context, isUrgent: insistence == .urgent || isLonely,
                room: UInt8(clamping: room)))
    }

    /// Whether we may link with the peer that a dial reached, now that its key is proven. An mDNS announcement proves
    /// nothing.
    static func mayInvite(_ opened: OpenedLink, _ reached: Candidates.Reached?, _ facts: MeshFacts) -> Bool {
        switch reached {
        case nil, .forgotten: opened.dial == nil || (facts.options.policy == .auto && facts.options.dialsSighted)
        case .mistaken: false
        case .expected(_, isWanted: true, _): true
        case .expected(let sighting, isWanted: false, _):
            sighting.source == .neighbour ? facts.mayLinkUnseen(opened.peer) : facts.mayDial(opened.peer)
        }
    }

    // MARK: - Theirs

    /// Makes space for a link whose dialler has not sent an invitation yet.
    ///
    /// - Returns: the link to close, the oldest without an invitation.
    mutating func awaited(in register: LinkRegister) -> Int? {
        let strangers = register.rows.indices.filter { register.rows[$0].isUninvited }
        guard strangers.count >= MeshLimit.uninvitedMax, let oldest = strangers.first else { return nil }
        refused.add(.uninvited)
        return oldest
    }

    /// There are too many links.
    mutating func linksAreFull() {
        refused.add(.uninvited)
    }

    /// What to do with an invitation.
    enum Theirs: Hashable, Sendable {
        /// The peer is let in if there is a slot. `others` are its other links.
        case admit(Asked, others: [Int])
        /// A person is asked.
        case ask
        case refuse(Refusal)
        /// One of these other links stays, unless it turns out to be dead.
        case isDuplicate(of: [Int])
        /// This link already had an invitation.
        case isFault
        /// We said goodbye on the link.
        case isLate
    }

    mutating func invited(
        _ invitation: Invitation, by index: Int, in register: LinkRegister, _ liveness: Liveness, _ facts: MeshFacts,
        at now: Instant
    ) -> Theirs {
        let link = register.rows[index]
        guard case .awaitingInvitation = link.phase else { return link.phase == .closing ? .isLate : .isFault }
        guard invitation.mesh == facts.options.mesh else { return .refuse(.otherMesh) }
        let others = register.indices(to: link.peer).filter { $0 != index }
        let isDuplicate = others.contains { other in
            register.rows[other].opened.instance == link.opened.instance
                && mayCross(other, in: register, liveness, me: facts.me, at: now)
        }
        if isDuplicate { return .isDuplicate(of: others) }
        let asked = Asked(room: invitation.room, isUrgent: invitation.isUrgent)
        switch facts.options.policy {
        case .auto: return .admit(asked, others: others)
        case .ask where facts.mayLink(link.peer), .contacts where facts.mayLink(link.peer):
            return .admit(asked, others: others)
        case .ask:
            rows[index] = asked
            return .ask
        case .contacts: return .refuse(.notAContact)
        case .none: return .refuse(.closed)
        }
    }

    /// Whether an invitation from this peer on the other link may already have been sent when this link opened, so that
    /// this one stays. A peer does not invite on a second link while it has a first one that it opened; if it does, it
    /// has given the first one up, whatever state we see.
    private func mayCross(
        _ index: Int, in register: LinkRegister, _ liveness: Liveness, me: PeerID, at now: Instant
    ) -> Bool {
        let other = register.rows[index]
        guard other.isOurs, !liveness.isDoubted(index) else { return false }
        switch other.phase {
        case .connected(let since): return now - since < MeshLimit.crossingWindow
        case .inviting: return me < other.peer && now - liveness.heardAt(index) < MeshLimit.crossingWindow
        case .awaitingInvitation, .asking, .closing: return false
        }
    }

    /// - Parameter link: whose invitation is meant; `nil` is whichever waits.
    /// - Returns: the link and the invitation that the person was asked about; `nil` if that is gone.
    func answered(_ peer: PeerID, on link: LinkID?, in register: LinkRegister) -> (index: Int, asked: Asked)? {
        for index in register.indices(to: peer) where link == nil || register.rows[index].id == link {
            guard case .asking = register.rows[index].phase, let asked = rows[index] else { continue }
            return (index, asked)
        }
        return nil
    }
}
