import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import Logging
import OrderedCollections

// Who is who: whom this node meets is remembered, and whom this person blocked is kept away.
extension Node {
    /// Who is here is noted this often, for the date when they were seen last.
    private static let presenceInterval: Duration = .seconds(600)

    /// Before anybody is linked with.
    func meetKnownPeople() {
        guard let book = configuration.people else { return }
        do {
            tellOfDamage(try read(book), in: book)
        } catch {
            let reason = RequestError(error, writing: book.path).description
            tellOwner(.notice(Notice(.problem, code: "peopleFailed", reason)))
        }
    }

    /// Takes over what the file holds now, in one step: an answer that was waited for may be older than what was read meanwhile,
    /// and would bring back a block that is over.
    ///
    /// - Returns: how many lines are damaged.
    @discardableResult private func read(_ book: PeopleBook) throws(SystemError) -> Int {
        bookMark = book.mark
        let page = try book.read()
        acquaintances.read(page.known)
        standingChanged()
        return page.damagedLines
    }

    /// Somebody calls itself so, by its own signature or handshake.
    func met(_ peer: PeerID, _ name: PeerName) {
        guard configuration.people != nil, peer != mesh.me else { return }
        for event in acquaintances.met(peer, name, at: clock.now) { tell(event) }
    }

    func perform(_ request: KnownRequest) async throws(RequestError) -> KnownAnswer {
        guard let book = configuration.people else { throw .noPeople }
        // Whoever came a moment ago can be named.
        await savePeople()
        let here = Set(mesh.peers().lazy.filter(\.isHere).compactMap(\.peer))
        let desk = KnownDesk(book: book, me: mesh.me, mesh: configuration.mesh, name: name, wall: wall, here: here)
        let (answer, _) = try await desk.perform(request, at: clock.now)
        do {
            try read(book)
        } catch {
            throw RequestError(error, writing: book.path)
        }
        if configuration.invitations == .contacts { letIn(request, answer) }
        return answer
    }

    /// Whoever becomes a contact now may link now.
    private func letIn(_ request: KnownRequest, _ answer: KnownAnswer) {
        switch (request, answer) {
        case (.add, .person(let person)), (.verify(_, true), .person(let person)):
            if person.blocked == nil { handle(.answered(person.id, accept: true)) }
        default: break
        }
    }

    /// Once a second: what another process of this person wrote, and who was met.
    func lookAfterPeople() async {
        guard let book = configuration.people else { return }
        if book.mark != bookMark {
            do {
                try read(book)
            } catch {
                logger.debug("the people known were not read", metadata: ["error": "\(error)"])
            }
        }
        let now = Clocks.now
        if peopleSeenAt.map({ $0.duration(to: now) >= Self.presenceInterval }) ?? true {
            peopleSeenAt = now
            noteWhoIsHere()
        }
        await savePeople()
        if isBlockedUnswept { await sweepBlocked() }
    }

    func noteWhoIsHere() {
        for peer in mesh.peers() where peer.isHere {
            guard let id = peer.peer else { continue }
            do {
                met(id, try PeerName(peer.name))
            } catch {
                continue  // What is only announced may be no name.
            }
        }
    }

    func savePeople() async {
        guard let book = configuration.people, !acquaintances.unsaved.isEmpty else { return }
        let batch = acquaintances.takeUnsaved()
        do {
            let (_, _, damaged) = try await book.update { Acquaintances.note(batch, in: &$0) }
            tellOfDamage(damaged, in: book)
            try read(book)
        } catch {
            acquaintances.putBack(batch)
            guard !hasToldOfPeople, !Task.isCancelled else { return }
            hasToldOfPeople = true
            let text = "whom you meet is not remembered: \((error as? SystemError)?.description ?? "\(error)")"
            tellOwner(.notice(Notice(.problem, code: "peopleFailed", text)))
        }
    }

    private func tellOfDamage(_ lines: Int, in book: PeopleBook) {
        guard lines > 0 else { return }
        let text = "\(lines) lines of \(book.path) cannot be read; at the next change they go to \(book.damagedPath)"
        tellOwner(.notice(Notice(.problem, code: "peopleDamaged", text)))
    }

    // MARK: - Whom not to hear

    private func standingChanged() {
        let people = acquaintances.known
        let now = Standing(people.all, muted: people.muted(in: configuration.mesh))
        guard now != standing else { return }
        let hasMoreBlocked = !now.blocked.subtracting(standing.blocked).isEmpty
        if now.blocked != standing.blocked {
            wall?.store.setBlocked(now.blocked)
            sendAway(residents.all.filter(now.blocked.contains))
            handle(.blockedChanged(now.blocked))
        }
        standing = now
        if hasMoreBlocked { isBlockedUnswept = true }
        // Before the node is ready nobody hears of it; fronts ask then.
        if isReadyTold { tell(.standing(now)) }
    }

    /// What is here of them goes, a portion at a time, so that others write between.
    private func sweepBlocked() async {
        guard let wall else { return isBlockedUnswept = false }
        do {
            for _ in 0..<8 {
                let removed = try await wall.store.removeBlocked(at: clock.now)
                if removed > 0 {
                    hasWritten = true
                    followInput.yield()
                    tell(.changed(.many))
                }
                if removed == 0 { return isBlockedUnswept = false }
            }
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
    }
}
