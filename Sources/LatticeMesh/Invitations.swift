import LatticeCore
import LatticeWire

/// Who asks whom for a link, who says yes, and which of two links to one peer stays.
struct Invitations: Sendable {
    /// What a peer said in its invitation.
    struct Asked: Hashable, Sendable {
        /// Slots that it has.
        let room: UInt8
        let isUrgent: Bool
    }

    /// As in `LinkRegister`: one for each link, in the same order. Invitations that a person here is asked about.
    private var rows: [Asked?] = []
    /// Links that were closed because too many peers link and do not invite.
    private(set) var refusedCount = 0

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

    /// What follows on a link that we dialled.
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
    func opened(
        _ index: Int, others: [Int], insistence: Candidate.Insistence, free: Int, isLonely: Bool,
        in register: LinkRegister, _ options: MeshOptions
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
                mesh: options.mesh, context: options.context, isUrgent: insistence == .urgent || isLonely,
                room: UInt8(clamping: room)))
    }

    /// Whether a peer that we dialled, and whose key is proven now, is one we may link with: what mDNS announced of
    /// it proved nothing.
    static func mayInvite(_ opened: OpenedLink, _ reached: Candidates.Reached?, _ facts: MeshFacts) -> Bool {
        switch reached {
        case nil, .forgotten: opened.dial == nil || facts.options.policy == .auto
        case .mistaken: false
        case .expected(_, isWanted: true, _): true
        case .expected(_, isWanted: false, _): facts.mayLink(opened.peer)
        }
    }

    // MARK: - Theirs

    /// Makes way for a link whose dialler has yet to say what it wants.
    ///
    /// - Returns: the link to close for it, the oldest of its kind.
    mutating func awaited(in register: LinkRegister) -> Int? {
        let strangers = register.rows.indices.filter { register.rows[$0].isUninvited }
        guard strangers.count >= MeshLimit.uninvitedMax, let oldest = strangers.first else { return nil }
        refusedCount += 1
        return oldest
    }

    /// There are too many links for another.
    mutating func refused() {
        refusedCount += 1
    }

    /// What follows from an invitation.
    enum Theirs: Hashable, Sendable {
        /// The peer is let in if there is a slot. `others` are its other links.
        case admit(Asked, others: [Int])
        /// A person is asked.
        case ask
        case refuse(Refusal)
        /// One of these other links stays, unless it turns out to be dead.
        case isDuplicate(of: [Int])
        /// The link was invited on before.
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

    /// Whether an invitation of the same peer on another link may have been on its way when this link came about, so that this one
    /// stays. Nobody invites on a second link while it has a first that it began: it has given that one up, whatever we see of it.
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

    /// A person has answered.
    ///
    /// - Returns: the invitation that was asked about, and its link; `nil` if that is gone.
    func answered(_ peer: PeerID, in register: LinkRegister) -> (index: Int, asked: Asked)? {
        for index in register.indices(to: peer) {
            guard case .asking = register.rows[index].phase, let asked = rows[index] else { continue }
            return (index, asked)
        }
        return nil
    }
}
