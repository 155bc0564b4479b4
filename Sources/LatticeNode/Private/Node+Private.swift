import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Letters: what this person says to one other goes out, and what others say to them is opened and told.
extension Node {
    /// However little happens, keys are looked after this often.
    private static let mailInterval: Duration = .seconds(60)
    private static let toldMax = 1_000
    private static let lostMax = 1_024

    func tell(_ peer: PeerID, _ speech: SpokenText) async throws(RequestError) -> PrivateMessage {
        guard let wall else { throw .noStore }
        let message = try await wall.mail.tell(peer, speech, as: name, at: clock.now)
        await mailWritten(on: wall)
        return named(message)
    }

    /// Whoever is here, or was met, has a name before they write anything.
    func named(_ message: PrivateMessage) -> PrivateMessage {
        message.named(knownName(of: message.peer))
    }

    /// By which somebody was met, or is here.
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

    /// One pass each time that something came that may concern letters.
    func tendMail() async {
        guard let wall, configuration.hasMail else { return }
        let start = Clocks.now
        mailInput.yield()
        for await _ in mailSignals {
            do {
                try await tend(wall, ranFor: start.duration(to: Clocks.now))
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

    private func tend(_ wall: Wall, ranFor: Duration) async throws(StoreError) {
        let mail = wall.mail
        if lettersTold == nil { lettersTold = try await wall.store.lastLetterNumber() }
        // Ahead of everything: without keys nobody can write to us.
        var hasWritten = try await mail.tendKeys(at: clock.now, ranFor: ranFor)
        while !Task.isCancelled {
            let opened = try await mail.openNext(at: clock.now)
            for letter in opened.delivered { tell(.privateProgress(PrivateProgress(letter))) }
            for author in opened.lost { tellOfLostLetter(by: author) }
            try await tellNewLetters(of: wall)
            if !opened.hasMore { break }
        }
        try await tendRooms(of: wall)
        try await tendResidents(on: wall, ranFor: ranFor)
        mail.fresh.passEnded()
        let isConfirmed = try await mail.confirm(at: clock.now)
        let isSealed = try await mail.sealWaiting(at: clock.now)
        let isHandedOut = try await mail.rooms.sendKeys(at: clock.now)
        let isSealedAgain = try await mail.sealAgain(at: clock.now)
        hasWritten = hasWritten || isConfirmed || isSealed || isHandedOut || isSealedAgain
        for letter in try await wall.store.lapseLetters(at: clock.now) {
            tell(.privateProgress(PrivateProgress(letter)))
        }
        if hasWritten { await mailWritten(on: wall) }
    }

    /// Whoever wrote them down: this process of what came, or another one.
    private func tellNewLetters(of wall: Wall) async throws(StoreError) {
        while let told = lettersTold {
            let news = try await wall.store.letters(after: told, notBy: wall.mail.writer, limit: Self.toldMax)
            guard let last = news.last else { return }
            lettersTold = last.number
            for letter in news { tell(.privateMessage(named(PrivateMessage(letter)))) }
        }
    }

    private func tellOfLostLetter(by author: PeerID) {
        guard lostLetters.count < Self.lostMax, lostLetters.insert(author).inserted else { return }
        tellOwner(.notice(.lostLetter(by: author)))
    }

    /// What was written goes out.
    func mailWritten(on wall: Wall) async {
        hasWritten = true
        followInput.yield()
        do {
            try await handOver(from: wall)
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
        // It may be for somebody here.
        if !residents.isEmpty { mailInput.yield() }
    }

    /// Said here just now: whoever opens it here does not have it late.
    func noteFresh(_ id: RecordID) {
        wall?.mail.fresh.note(id)
    }

    /// Of what is about to be kept: letters that were said just now.
    func noteFresh(in batch: [KeepQueue.Entry]) {
        for entry in batch where entry.record.kind == .sealed && !entry.isFetched { noteFresh(entry.record.id) }
    }

    /// Of what was kept just now: letters, and keys to seal with.
    func noteLetters(in added: [KeepQueue.Entry]) {
        var isNews = false
        for entry in added {
            if entry.record.kind == .sealed || entry.record.kind == .prekeys { isNews = true }
        }
        // Keeping may have taken several passes.
        noteFresh(in: added)
        if isNews { mailInput.yield() }
    }

    func tellRelayed(_ letters: [StoredLetter]) {
        for letter in letters {
            let progress = NodeEvent.privateProgress(PrivateProgress(letter))
            if let person = letter.person { residents.tell(progress, to: person) } else { tell(progress) }
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
