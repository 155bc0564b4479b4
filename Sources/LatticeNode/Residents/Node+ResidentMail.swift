import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Letters and private rooms of residents: looked after in one pass with the owner's, and only where there is something to do.
extension Node {
    /// Of so many the keys are looked after at a time, so that a crowd that comes at once does not publish them all at once.
    private static let keysAtOnce = 32
    private static let keysPause: Duration = .milliseconds(900)
    private static let portion = 64

    /// One pass each time that something came that may concern letters.
    func tendResidents(on wall: Wall, ranFor: Duration) async throws(StoreError) {
        guard !residents.isEmpty else { return }
        try await tendKeys(ranFor: ranFor)
        // Ahead of the newcomers: what is kept after they were looked at has a higher number.
        if residents.lookedUpTo == nil { residents.lookedUpTo = try await wall.store.lastSealedNumber() }
        try await lookAtNewcomers(on: wall)
        try await lookForLetters(on: wall)
        let due = try await wall.store.personsWithErrands()
        for id in residents.listening where due.contains(id) || residents.hasBacklog(id) {
            guard !Task.isCancelled else { return }
            try await tend(id)
        }
    }

    /// Most of a crowd that comes have nothing to open: one look is enough for all of them.
    private func lookAtNewcomers(on wall: Wall) async throws(StoreError) {
        let newcomers = residents.newcomers
        guard !newcomers.isEmpty else { return }
        let behind = try await wall.store.personsBehind()
        for id in newcomers { residents.setBacklog(behind.contains(id), of: id) }
    }

    /// Few at a time. Whoever nobody has keys of cannot be written to.
    private func tendKeys(ranFor: Duration) async throws(StoreError) {
        let now = Clocks.now
        guard residents.keysTendedAt.map({ $0.duration(to: now) >= Self.keysPause }) ?? true else { return }
        for id in residents.keysDue(at: now).prefix(Self.keysAtOnce) {
            guard let wall = residents[id]?.wall else { continue }
            residents.change(id) { $0.keysTendedAt = now }
            residents.keysTendedAt = now
            await vouch(for: id)
            guard try await wall.mail.tendKeys(at: clock.now, ranFor: ranFor) else { continue }
            try await handOver(of: id)
            // Somebody here may wait for them.
            mailInput.yield()
        }
    }

    /// Every sealed record that came is tried once by all who are here.
    private func lookForLetters(on wall: Wall) async throws(StoreError) {
        guard var start = residents.lookedUpTo else { return }
        while !Task.isCancelled {
            let arrived = try await wall.store.sealedRecords(after: start, limit: Self.portion)
            guard let end = arrived.last?.seq else { return }
            let mails = residents.listening.compactMap { residents[$0]?.wall?.mail }
            for id in await Self.recognised(arrived, by: mails) { residents.setBacklog(true, of: id) }
            // Whoever has something to open goes on from where they were.
            try await wall.store.passed(mails.map(\.me).filter { !residents.hasBacklog($0) }, upTo: end)
            start = end
            residents.lookedUpTo = end
            guard arrived.count == Self.portion else { return }
        }
    }

    /// A key agreement for each record and person: on no actor.
    private nonisolated static func recognised(_ arrived: [ArrivedLetter], by mails: [PrivateMail]) async -> Set<PeerID>
    {
        var found: Set<PeerID> = []
        for mail in mails where arrived.contains(where: { mail.isFor($0) }) { found.insert(mail.me) }
        return found
    }

    private func tend(_ id: PeerID) async throws(StoreError) {
        guard let wall = residents[id]?.wall else { return }
        let (mail, desk) = (wall.mail, wall.rooms)
        while !Task.isCancelled {
            let opened = try await mail.openNext(at: clock.now)
            for letter in opened.lines { tell(.privateMessage(named(PrivateMessage(letter))), to: id) }
            for letter in opened.delivered { tell(.privateProgress(PrivateProgress(letter)), to: id) }
            for author in opened.lost { tellOfLostLetter(by: author, to: id) }
            guard opened.hasMore else {
                residents.setBacklog(false, of: id)
                break
            }
        }
        try await tendRooms(desk, of: id)
        let isConfirmed = try await mail.confirm(at: clock.now)
        let isSealed = try await mail.sealWaiting(at: clock.now)
        let isHandedOut = try await desk.sendKeys(at: clock.now)
        let isSealedAgain = try await mail.sealAgain(at: clock.now)
        for letter in try await wall.store.lapseLetters(at: clock.now) {
            tell(.privateProgress(PrivateProgress(letter)), to: id)
        }
        guard isConfirmed || isSealed || isHandedOut || isSealedAgain else { return }
        try await handOver(of: id)
        // It may be for somebody here.
        mailInput.yield()
    }

    private func tendRooms(_ desk: RoomDesk, of id: PeerID) async throws(StoreError) {
        let unheard = standing.blocked
        var news = try await desk.judge(at: clock.now, unheard: unheard)
        while !Task.isCancelled {
            let opened = try await desk.openNext(at: clock.now)
            let rooms = residents[id]?.rooms ?? []
            for line in opened.lines where rooms.contains(line.room) { tell(.message(line), to: id) }
            news += opened.news
            if !opened.hasMore { break }
        }
        for one in news {
            if case .oldKey(let room, let peer) = one, !isFirst("\(id) \(room) \(peer)") { continue }
            tell(.room(one.event { RoomEvent.Person($0, RoomDesk.name($1) ?? nameNow(of: $0)) }), to: id)
        }
    }

    private func nameNow(of peer: PeerID) -> PeerName? {
        residents[peer]?.name ?? (peer == mesh.me ? name : knownName(of: peer))
    }

    private func tellOfLostLetter(by author: PeerID, to id: PeerID) {
        guard residents.isFirstLoss(of: author, by: id) else { return }
        tell(.notice(.lostLetter(by: author)), to: id)
    }

    private func tell(_ event: NodeEvent, to id: PeerID) {
        residents.tell(event, to: id)
    }

    // MARK: - Going out

    /// Something was written in somebody's name: it goes out, and may be for somebody here.
    func residentWrote(_ id: PeerID) async {
        do {
            try await handOver(of: id)
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
        mailInput.yield()
    }

    /// As the owner's, of what waits in the store and is theirs.
    func handOver(of id: PeerID) async throws(StoreError) {
        hasWritten = true
        followInput.yield()
        guard let person = residents[id], let store = person.wall?.store else { return }
        var written: [VerifiedRecord] = []
        for (seq, signed) in try await store.waiting(limit: Self.handedOverMax, after: person.lastHandedOver) {
            guard let last = residents[id]?.lastHandedOver, seq > last else { continue }
            do {
                let record = try verifier.verify(signed)
                guard give(record) else { break }
                written.append(record)
            } catch {
                logger.error("a stored record of a resident has no valid signature", metadata: ["seq": "\(seq)"])
            }
            residents.change(id) { $0.lastHandedOver = seq }
        }
        if let wall { await tellWritten(written, on: wall) }
    }

    /// - Returns: whether the mesh has it.
    private func give(_ record: VerifiedRecord) -> Bool {
        if record.kind == .sealed { noteFresh(record.id) }
        // Somebody who came again goes on with what they left.
        guard !handedOver.contains(record.id) else { return true }
        let isOut = mesh.hasSeen(record.id)
        guard isOut || submit(record) != nil else { return false }
        handedOver.insert(record.id)
        if isOut { confirmed([record.id]) }
        return true
    }
}
