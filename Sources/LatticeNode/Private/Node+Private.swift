import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Private messages: what personas say to one other goes out, and what others say to them is opened and delivered.
extension Node {
    /// However little happens, keys are looked after this often.
    private static let mailInterval: Duration = .seconds(60)
    private static let deliveredMax = 1_000
    /// Visitors whose keys are published at a time, so that a crowd that comes at once does not publish all at once.
    private static let keysAtOnce = 32
    private static let keysPause: Duration = .milliseconds(900)
    private static let portion = 64

    func tell(
        _ peer: PeerID, _ speech: SpokenText, as persona: Persona
    ) async throws(RequestError) -> PrivateMessage {
        let message = try await persona.storedWall().mail.tell(peer, speech, as: persona.name, at: clock.now)
        await wrote(persona.id)
        return named(message)
    }

    /// A peer that is here, or was met, has a name before it writes anything.
    func named(_ message: PrivateMessage) -> PrivateMessage {
        message.named(knownName(of: message.peer))
    }

    /// The name under which a peer was met, or is here.
    func knownName(of peer: PeerID) -> PeerName? {
        acquaintances.known[peer]?.name ?? presentName(of: peer)
    }

    private func presentName(of peer: PeerID) -> PeerName? {
        do {
            return try mesh.peers().first { $0.peer == peer && $0.isHere }.map { try PeerName($0.name) }
        } catch {
            return nil  // What is only announced may be no name.
        }
    }

    // MARK: - One pass over all personas

    /// One pass each time that something came that may concern private messages.
    func tendMail() async {
        guard let wall, configuration.hasMail else { return }
        let start = Clocks.now
        mailInput.yield()
        for await _ in mailSignals {
            do {
                try await tendMail(in: wall, ranFor: start.duration(to: Clocks.now))
            } catch {
                if Task.isCancelled { return }
                tellOnce(error)
            }
        }
    }

    /// Called often; rings when it is time.
    func lookAfterMail(isNews: Bool) {
        let now = Clocks.now
        guard isNews || mailLookedAt.map({ $0.duration(to: now) >= Self.mailInterval }) ?? true else { return }
        mailLookedAt = now
        mailInput.yield()
    }

    private func tendMail(in wall: Wall, ranFor: Duration) async throws(StoreError) {
        let owner = personas.owner.id
        if personas.owner.messagesDelivered == nil { try await beginDelivering(to: owner) }
        // Ahead of everything: without keys nobody can write to us.
        try await tendKeys(of: owner, ranFor: ranFor)
        try await tend(owner)
        try await tendVisitors(in: wall, ranFor: ranFor)
        wall.mail.fresh.passEnded()
    }

    private func tendVisitors(in wall: Wall, ranFor: Duration) async throws(StoreError) {
        guard personas.hasVisitors else { return }
        try await tendVisitorsKeys(ranFor: ranFor)
        // Ahead of the newcomers: what is stored after they were looked at has a higher number.
        if sealedLookedUpTo == nil { sealedLookedUpTo = try await wall.store.lastSealedNumber() }
        try await lookAtNewcomers(in: wall)
        try await lookForMessages(in: wall)
        let due = try await wall.store.personsWithErrands()
        for id in personas.listening where due.contains(id) || personas.hasBacklog(id) {
            guard !Task.isCancelled else { return }
            try await tend(id)
        }
    }

    /// Most of a crowd that comes have nothing to open: one look is enough for all of them.
    private func lookAtNewcomers(in wall: Wall) async throws(StoreError) {
        let newcomers = personas.newcomers
        guard !newcomers.isEmpty else { return }
        let behind = try await wall.store.personsBehind()
        for id in newcomers { personas.setBacklog(behind.contains(id), of: id) }
    }

    private func tendVisitorsKeys(ranFor: Duration) async throws(StoreError) {
        let now = Clocks.now
        guard visitorKeysTendedAt.map({ $0.duration(to: now) >= Self.keysPause }) ?? true else { return }
        for id in personas.keysDue(at: now).prefix(Self.keysAtOnce) {
            personas.change(id) { $0.keysTendedAt = now }
            visitorKeysTendedAt = now
            await vouch(for: id)
            try await tendKeys(of: id, ranFor: ranFor)
        }
    }

    private func tendKeys(of id: PeerID, ranFor: Duration) async throws(StoreError) {
        guard let mail = personas[id]?.wall?.mail else { return }
        if try await mail.tendKeys(at: clock.now, ranFor: ranFor) { await wrote(id) }
    }

    /// Every sealed record that came is tried once for all visitors.
    private func lookForMessages(in wall: Wall) async throws(StoreError) {
        guard var start = sealedLookedUpTo else { return }
        while !Task.isCancelled {
            let arrived = try await wall.store.sealedRecords(after: start, limit: Self.portion)
            guard let end = arrived.last?.seq else { return }
            let mails = personas.listening.compactMap { personas[$0]?.wall?.mail }
            for id in await Self.recognised(arrived, by: mails) { personas.setBacklog(true, of: id) }
            // A visitor with something to open goes on from where it was.
            try await wall.store.passed(mails.map(\.me).filter { !personas.hasBacklog($0) }, upTo: end)
            start = end
            sealedLookedUpTo = end
            guard arrived.count == Self.portion else { return }
        }
    }

    /// A key agreement for each record and persona: on no actor.
    private nonisolated static func recognised(_ arrived: [ArrivedLetter], by mails: [PrivateMail]) async -> Set<PeerID>
    {
        var found: Set<PeerID> = []
        for mail in mails where arrived.contains(where: { mail.isFor($0) }) { found.insert(mail.me) }
        return found
    }

    /// Opens what came for one persona, and seals and confirms what it owes.
    private func tend(_ id: PeerID) async throws(StoreError) {
        guard let persona = personas[id], let wall = persona.wall else { return }
        let (mail, desk) = (wall.mail, wall.rooms)
        if persona.messagesDelivered == nil { try await beginDelivering(to: id) }
        while !Task.isCancelled {
            let opened = try await mail.openNext(at: clock.now)
            for letter in opened.delivered { deliver(.privateProgress(PrivateProgress(letter)), to: id) }
            for author in opened.lost where personas.isFirstLoss(of: author, by: id) {
                deliver(.notice(.lostLetter(by: author)), to: id)
            }
            try await deliverNewMessages(to: id)
            guard opened.hasMore else {
                personas.setBacklog(false, of: id)
                break
            }
        }
        try await tendRooms(desk, of: id)
        let isConfirmed = try await mail.confirm(at: clock.now)
        let isSealed = try await mail.sealWaiting(at: clock.now)
        let isHandedOut = try await desk.sendKeys(at: clock.now)
        let isSealedAgain = try await mail.sealAgain(at: clock.now)
        for letter in try await wall.store.lapseLetters(at: clock.now) {
            deliver(.privateProgress(PrivateProgress(letter)), to: id)
        }
        if isConfirmed || isSealed || isHandedOut || isSealedAgain { await wrote(id) }
    }

    private func beginDelivering(to id: PeerID) async throws(StoreError) {
        let last = try await personas[id]?.wall?.store.lastLetterNumber()
        personas.change(id) { $0.messagesDelivered = last }
    }

    /// Those that this process opened, and those that another process of this persona stored.
    private func deliverNewMessages(to id: PeerID) async throws(StoreError) {
        while let persona = personas[id], let wall = persona.wall, let number = persona.messagesDelivered {
            let news = try await wall.store.letters(
                after: number, notBy: wall.mail.writer, limit: Self.deliveredMax)
            guard let last = news.last else { return }
            personas.change(id) { $0.messagesDelivered = last.number }
            for letter in news { deliver(.privateMessage(named(PrivateMessage(letter))), to: id) }
        }
    }

    // MARK: - Records that seal messages

    /// Sealed here just now: a persona of this node that opens it does not have it late.
    func noteFresh(_ id: RecordID) {
        wall?.mail.fresh.note(id)
    }

    /// Sealed records that were said just now and are about to be stored.
    func noteFresh(in batch: [KeepQueue.Entry]) {
        for entry in batch where entry.record.kind == .sealed && !entry.isFetched { noteFresh(entry.record.id) }
    }

    /// Messages and keys to seal with that were stored just now.
    func noteLetters(in added: [KeepQueue.Entry]) {
        var isNews = false
        for entry in added {
            if entry.record.kind == .sealed || entry.record.kind == .prekeys { isNews = true }
        }
        // Storing may have taken several passes.
        noteFresh(in: added)
        if isNews { mailInput.yield() }
    }

    func tellRelayed(_ letters: [StoredLetter]) {
        for letter in letters {
            deliver(.privateProgress(PrivateProgress(letter)), to: letter.person ?? personas.owner.id)
        }
    }
}

extension Notice {
    static func lostLetter(by author: PeerID) -> Notice {
        let text =
            "a private message from #\(author.short) cannot be opened: its key was already destroyed, "
            + "some days after its use; the message is sent again automatically once they have your new keys"
        return Notice(.problem, code: "letterLost", text)
    }
}
