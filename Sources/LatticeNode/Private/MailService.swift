import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeStore
import LatticeWire
import Synchronization

/// Private messages and private rooms of all personas: one pass whenever something may be for one of them.
///
/// Key agreements are slow, so this runs beside the node's loop. A persona's state here ends with its visit.
actor MailService {
    /// What a pass needs to know of a persona.
    struct Mailbox: Sendable {
        let visit: Persona.Visit
        let archive: Archive
        /// A front reads its events. Until then its messages stay sealed.
        let isListening: Bool
        /// Peers whose invitations and room keys it rejects.
        let unheard: Set<PeerID>

        var id: PeerID { visit.id }
    }

    private struct Marks {
        let visit: Persona.Visit
        /// Number of the last message delivered to fronts; `nil` before the first pass.
        var delivered: Int64?
        var keysTendedAt: Instant?
        /// An unopened sealed record may be for it.
        var hasBacklog = false
        /// Records that came while it was away have been looked at.
        var isLookedAt = false
        var hasHeardOfInvitations = false
        /// Authors whose messages cannot be opened, as already reported to this persona.
        var lost: Set<PeerID> = []
    }

    /// Keys are tended at least this often.
    private static let interval: Duration = .seconds(60)
    /// Interval for a visitor's keys. The owner's are tended in every pass.
    private static let visitorKeysInterval: Duration = .seconds(600)
    /// Visitors whose keys are published in one pass, so that a crowd does not publish all at once.
    private static let keysAtOnce = 32
    private static let keysPause: Duration = .milliseconds(900)
    private static let deliveredMax = 1_000
    private static let lostMax = 1_024
    private static let portion = 64

    private let clock: NodeClock
    /// Shared by all personas of the node.
    private let fresh: FreshMessages
    private let signal = Signal()
    /// When the next pass is due without news; `nil`: immediately.
    private let dueAt = Mutex<Instant?>(nil)
    private var marks: [PeerID: Marks] = [:]
    private var visitorKeysTendedAt: Instant?
    /// Number of the last sealed record tried for all visitors; `nil` before the first pass.
    private var sealedLookedUpTo: Int64?

    init(clock: NodeClock, fresh: FreshMessages) {
        (self.clock, self.fresh) = (clock, fresh)
    }

    /// Something may be for a persona here.
    nonisolated func wake() {
        signal.raise()
    }

    /// Sealed here just now: a persona of this node that opens it does not see it as late.
    nonisolated func noteFresh(_ id: RecordID) {
        fresh.note(id)
    }

    /// Newly written sealed records that are about to be stored.
    nonisolated func noteFresh(in batch: [KeepQueue.Entry]) {
        for entry in batch where entry.record.kind == .sealed && !entry.isFetched { noteFresh(entry.record.id) }
    }

    /// These were stored: private messages and prekeys are news.
    nonisolated func stored(_ added: [KeepQueue.Entry]) {
        // Storing may have taken several passes.
        noteFresh(in: added)
        if added.contains(where: { $0.record.kind == .sealed || $0.record.kind == .prekeys }) { wake() }
    }

    /// Called often; wakes the service when it is time.
    nonisolated func look(isNews: Bool, at now: Instant) {
        let isDue = dueAt.withLock { due in
            guard isNews || due.map({ $0 <= now }) ?? true else { return false }
            due = now.advanced(by: Self.interval)
            return true
        }
        if isDue { wake() }
    }

    func run(for node: Node) async {
        let start = Clocks.now
        wake()
        while !Task.isCancelled {
            await signal.wait()
            guard !Task.isCancelled else { return }
            do {
                try await pass(for: node, ranFor: start.duration(to: Clocks.now))
            } catch {
                if Task.isCancelled { return }
                await node.serve { $0.notifier.reportOnce(error, for: $0) }
            }
        }
    }

    private func pass(for node: Node, ranFor: Duration) async throws(StoreError) {
        let boxes = await Self.mailboxes(of: node)
        guard let owner = boxes.first else { return }
        meet(boxes)
        if marks[owner.id]?.delivered == nil { try await beginDelivering(to: owner) }
        // Comes first: without keys nobody can write to us.
        try await tendKeys(of: owner, for: node, ranFor: ranFor)
        try await tend(owner, for: node)
        try await tendVisitors(Array(boxes.dropFirst()), of: owner, for: node, ranFor: ranFor)
        fresh.passEnded()
    }

    /// Drops the marks of ended visits; a new visit begins with none.
    private func meet(_ boxes: [Mailbox]) {
        var now: [PeerID: Marks] = [:]
        for box in boxes {
            let known = marks[box.id].flatMap { $0.visit == box.visit ? $0 : nil }
            now[box.id] = known ?? Marks(visit: box.visit)
        }
        marks = now
    }

    // MARK: - Visitors

    private func tendVisitors(
        _ visitors: [Mailbox], of owner: Mailbox, for node: Node, ranFor: Duration
    ) async throws(StoreError) {
        guard !visitors.isEmpty else { return }
        let store = owner.archive.store
        try await tendKeys(of: visitors, for: node, ranFor: ranFor)
        // Before the newcomers: what is stored after looking at them has a higher number.
        if sealedLookedUpTo == nil { sealedLookedUpTo = try await store.messages.lastSealedNumber() }
        let listening = visitors.filter(\.isListening)
        try await lookAtNewcomers(among: listening, in: store)
        try await lookForMessages(to: listening, in: store)
        let due = try await store.messages.personsWithErrands()
        for box in listening where due.contains(box.id) || marks[box.id]?.hasBacklog == true {
            guard !Task.isCancelled else { return }
            try await tend(box, for: node)
        }
    }

    private func tendKeys(of visitors: [Mailbox], for node: Node, ranFor: Duration) async throws(StoreError) {
        let now = Clocks.now
        let due = visitors.filter { keysDueAt(of: $0.id).map { $0 <= now } ?? true }
        let mayTend = visitorKeysTendedAt.map { $0.duration(to: now) >= Self.keysPause } ?? true
        if mayTend {
            for box in due.prefix(Self.keysAtOnce) {
                marks[box.id]?.keysTendedAt = now
                visitorKeysTendedAt = now
                await node.serve { await $0.announcer.vouch(for: box.id, on: $0) }
                try await tendKeys(of: box, for: node, ranFor: ranFor)
            }
        }
        let isMore = due.count > (mayTend ? Self.keysAtOnce : 0)
        let next = isMore ? now.advanced(by: Self.keysPause) : visitors.compactMap { keysDueAt(of: $0.id) }.min()
        if let next { dueAt.withLock { $0 = min($0 ?? next, next) } }
    }

    /// - Returns: `nil` for keys that were never tended.
    private func keysDueAt(of id: PeerID) -> Instant? {
        marks[id]?.keysTendedAt?.advanced(by: Self.visitorKeysInterval)
    }

    /// Most newcomers have nothing to open: one look serves them all.
    private func lookAtNewcomers(among listening: [Mailbox], in store: Store) async throws(StoreError) {
        let newcomers = listening.filter { marks[$0.id]?.isLookedAt == false }
        guard !newcomers.isEmpty else { return }
        let behind = try await store.messages.personsBehind()
        for box in newcomers {
            marks[box.id]?.hasBacklog = behind.contains(box.id)
            marks[box.id]?.isLookedAt = true
        }
    }

    /// Tries every new sealed record once for all visitors: a key agreement for each record and persona.
    private func lookForMessages(to listening: [Mailbox], in store: Store) async throws(StoreError) {
        guard var start = sealedLookedUpTo else { return }
        while !Task.isCancelled {
            let arrived = try await store.messages.sealed(after: start, limit: Self.portion)
            guard let end = arrived.last?.seq else { return }
            for box in listening where arrived.contains(where: { box.archive.mail.isFor($0) }) {
                marks[box.id]?.hasBacklog = true
            }
            // A visitor with a backlog continues from where it was.
            try await store.messages.passed(listening.map(\.id).filter { marks[$0]?.hasBacklog != true }, upTo: end)
            start = end
            sealedLookedUpTo = end
            guard arrived.count == Self.portion else { return }
        }
    }

    // MARK: - One persona

    private func tendKeys(of box: Mailbox, for node: Node, ranFor: Duration) async throws(StoreError) {
        if try await box.archive.mail.tendKeys(at: clock.now, ranFor: ranFor) { await Self.wrote(box.id, for: node) }
    }

    /// Opens what came for a persona, and seals and confirms its outgoing messages.
    private func tend(_ box: Mailbox, for node: Node) async throws(StoreError) {
        let (mail, desk) = (box.archive.mail, box.archive.rooms)
        if marks[box.id]?.delivered == nil { try await beginDelivering(to: box) }
        // Messages opened after a visit's end would reach nobody.
        while !Task.isCancelled, await Self.isHere(box.visit, on: node) {
            let opened = try await mail.openNext(at: clock.now)
            await Self.deliver(opened.delivered.map { .privateProgress(PrivateProgress($0)) }, in: box.visit, by: node)
            let lost = opened.lost.filter { isFirstLoss(of: $0, by: box.id) }
            await Self.deliver(lost.map { .notice(.messageLost(author: $0)) }, in: box.visit, by: node)
            // A new message is delivered as it is after the changes that came with it.
            let new = try await deliverNewMessages(to: box, by: node)
            let changes = opened.changes.filter { !new.contains($0.message.number) }
            await Self.deliver(changes.map { .privateMessageChanged($0) }, in: box.visit, by: node)
            guard opened.hasMore else {
                marks[box.id]?.hasBacklog = false
                break
            }
        }
        try await tendRooms(desk, of: box, for: node)
        let isOpenConfirmed = try await mail.confirm(at: clock.now)
        let areFilesConfirmed = try await mail.confirmFiles(at: clock.now)
        let isConfirmed = isOpenConfirmed || areFilesConfirmed
        let isSealed = try await mail.sealWaiting(at: clock.now)
        let isHandedOut = try await desk.sendKeys(at: clock.now)
        let isSealedAgain = try await mail.sealAgain(at: clock.now)
        let lapsed = try await box.archive.store.messages.lapse(at: clock.now)
        await Self.deliver(lapsed.map { .privateProgress(PrivateProgress($0)) }, in: box.visit, by: node)
        if isConfirmed || isSealed || isHandedOut || isSealedAgain { await Self.wrote(box.id, for: node) }
    }

    private func isFirstLoss(of author: PeerID, by id: PeerID) -> Bool {
        guard let count = marks[id]?.lost.count, count < Self.lostMax else { return false }
        return marks[id]?.lost.insert(author).inserted ?? false
    }

    private func beginDelivering(to box: Mailbox) async throws(StoreError) {
        marks[box.id]?.delivered = try await box.archive.store.messages.lastNumber()
    }

    /// Messages that this process opened, and those that another process of this person stored.
    ///
    /// - Returns: the numbers of the messages.
    private func deliverNewMessages(to box: Mailbox, by node: Node) async throws(StoreError) -> Set<Int64> {
        var delivered: Set<Int64> = []
        while let number = marks[box.id]?.delivered {
            let news = try await box.archive.store.messages.lines(
                after: number, notBy: box.archive.mail.writer, limit: Self.deliveredMax)
            guard let last = news.last else { break }
            marks[box.id]?.delivered = last.number
            delivered.formUnion(news.map(\.number))
            await Self.deliver(try await box.archive.mail.shown(news), in: box.visit, by: node)
        }
        return delivered
    }

    private func tendRooms(_ desk: RoomDesk, of box: Mailbox, for node: Node) async throws(StoreError) {
        var news: [RoomNews] = []
        if marks[box.id]?.hasHeardOfInvitations == false {
            news = try await desk.pending(unheard: box.unheard)
            marks[box.id]?.hasHeardOfInvitations = true
        }
        news += try await desk.judge(at: clock.now, unheard: box.unheard)
        while !Task.isCancelled {
            let opened = try await desk.openNext(at: clock.now)
            await Self.deliver(opened.lines, in: box.visit, by: node)
            await Self.deliver(opened.changes, in: box.visit, by: node)
            await Self.deliver(opened.pinned, desk, to: box, at: clock.now, by: node)
            news += opened.news
            if !opened.hasMore { break }
        }
        await Self.deliver(news, in: box.visit, by: node)
    }
}
