import LatticeCore
import LatticeCrypto
import LatticeMesh

/// What other bridges ask of this one: it keeps nothing of a comparison, and a bounded list of the records they want.
struct LiveAnswerer: Sendable {
    /// Others who ask for the same may be answered first.
    static let waitMax: Duration = .seconds(2)
    private static let wantsMax = 64
    private static let idsMax = 16_384
    /// Questions that are answered: reading one takes less than a millisecond.
    private static let questions = TokenBucket.Rate(perSecond: 200, burst: 400)

    struct Want: Sendable {
        let from: LiveBridgeID
        let session: UInt64
        let number: UInt64
        fileprivate(set) var ids: Set<Bytes32>
        fileprivate let dueAt: Duration
    }

    private var wants: [Want] = []
    /// The one that is being answered.
    private(set) var current: Want?
    /// When somebody last asked something that is answered.
    private(set) var askedAt: Duration?
    private var bucket = TokenBucket()
    /// Questions that came: a copy is not answered again.
    private var heard = RecentSet<Question>(countMax: 4_096)

    private struct Question: Hashable {
        let from: LiveBridgeID
        let session: UInt64
        let number: UInt64
        let isWant: Bool
    }

    /// - Returns: the answer to send; `nil` to a copy, to one too many, or to something malformed.
    mutating func compare(
        _ question: LiveNote.Comparison, from: LiveBridgeID, _ set: ReconciliationSet, from floor: UInt64,
        at now: Duration
    ) -> LiveNote.Content? {
        let key = Question(from: from, session: question.session, number: question.round, isWant: false)
        guard admits(key, at: now) else { return nil }
        func answer(since: UInt64, _ message: [UInt8]) -> LiveNote.Content {
            .compared(
                LiveNote.Comparison(session: question.session, round: question.round, since: since, message: message))
        }
        guard question.since >= floor else { return answer(since: floor, []) }
        let responder = Reconciler.responder(
            .thrifty, from: question.since, frameBytesMax: LiveNote.messageMax, sha256: { Digest.sha256($0) })
        do {
            return try responder.read(question.message, with: set).reply.map { answer(since: question.since, $0) }
        } catch {
            return nil  // A stranger's bytes: the caller counts them.
        }
    }

    /// - Returns: whether the ids will be looked for.
    mutating func want(
        _ ids: [Bytes32], _ session: UInt64, _ number: UInt64, from: LiveBridgeID, at now: Duration,
        using random: inout SeededGenerator
    ) -> Bool {
        guard admits(Question(from: from, session: session, number: number, isWant: true), at: now),
            wants.count < Self.wantsMax, wants.reduce(ids.count, { $0 + $1.ids.count }) <= Self.idsMax
        else { return false }
        // Only the first question of a session waits: the next ones would be delayed for nothing.
        let wait: Duration = number > 1 ? .zero : LivePresence.chance(0...Self.waitMax.nanoseconds / 1_000_000, &random)
        wants.append(Want(from: from, session: session, number: number, ids: Set(ids), dueAt: now + wait))
        return true
    }

    private mutating func admits(_ question: Question, at now: Duration) -> Bool {
        guard !heard.contains(question),
            bucket.take(of: Self.questions, at: Instant(nanoseconds: now.nanoseconds))
        else { return false }
        heard.insert(question)
        askedAt = now
        return true
    }

    /// Somebody has published this record: nobody needs it from here.
    mutating func published(_ id: Bytes32) {
        current?.ids.remove(id)
        for index in wants.indices { wants[index].ids.remove(id) }
    }

    func isDue(at now: Duration) -> Bool { wants.contains { $0.dueAt <= now } }

    /// Begins with the next question.
    mutating func next(at now: Duration) -> Want? {
        guard let index = wants.firstIndex(where: { $0.dueAt <= now }) else { return nil }
        current = wants.remove(at: index)
        return current
    }

    mutating func end() { current = nil }

    mutating func removeAll() { (wants, current) = ([], nil) }
}
