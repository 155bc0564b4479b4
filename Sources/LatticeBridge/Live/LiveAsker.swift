import LatticeCore
import LatticeCrypto
import LatticeMesh

/// Finds out what other bridges have that is missing here, and asks for it: one bridge at a time, by Negentropy.
///
/// It only takes. If the other side lacks something, it learns that much, and compares itself.
struct LiveAsker: Sendable {
    /// Without a sign of the other side for this long, the next one is asked.
    static let patience: Duration = .seconds(5)
    /// What the other side has published may still be under way.
    private static let stragglersMax: Duration = .seconds(1)
    /// With more, these are fetched first.
    static let needMax = 65_536
    private static let roundsMax = 4_096
    /// Between two sessions that somebody's greeting caused.
    private static let restMin: Duration = .seconds(15)
    /// Between two sessions that somebody asked for.
    private static let pauseMin: Duration = .seconds(5)
    /// If nobody has answered.
    private static let retryAfter: Duration = .seconds(30)

    fileprivate struct Session {
        /// Ids that are asked for before some have come.
        static let wantedMax = 768

        let number: UInt64
        let peer: LiveBridgeID
        var since: UInt64
        var round: UInt64 = 0
        var deadline: Duration
        var isCompared = false
        /// In the order of their dates.
        var need: [Bytes32] = []
        var needed: Set<Bytes32> = []
        /// Each with the number of the question.
        var wanted: [Bytes32: UInt64] = [:]
        var lastWant: UInt64 = 0
        /// Questions without an answer.
        var open: Set<UInt64> = []
        /// Questions that are answered, and until when something may still come.
        var closing: [UInt64: Duration] = [:]
        var gained = 0
        var missed = 0
        var theyLack = false
        /// More was needed than is fetched at once.
        var isCut = false
    }

    private(set) var presence: LivePresence
    /// When another side last learned that it lacks something.
    private(set) var toldLackingAt: Duration?
    private let me: LiveBridgeID
    private var session: Session?
    /// When to compare next; `nil` if there is no reason to.
    private var dueAt: Duration?
    private var preferred: LiveBridgeID?
    /// Those who did not answer since a session last went well.
    private var tried: Set<LiveBridgeID> = []
    private var lastEnd: Duration?
    /// Until when others may answer a first greeting.
    private var settlesAt: Duration?
    /// Somebody was compared with, or nobody answered.
    private var hasAsked = false

    init(me: LiveBridgeID) {
        self.me = me
        presence = LivePresence(me: me)
    }

    /// What leaves: a note, and to whom; to all if it is a greeting.
    struct Sending: Hashable, Sendable {
        enum Receiver: Hashable, Sendable {
            case all
            case questions(LiveBridgeID)
        }

        let to: Receiver
        let content: LiveNote.Content
    }

    /// Records that others are known to have, and that are not here.
    var missing: Int { session.map { $0.needed.count } ?? 0 }

    /// Everything that others had was brought here, as far as they were asked.
    func isSettled(at now: Duration) -> Bool {
        guard session == nil, let settlesAt, now > settlesAt, presence.hearsItself else { return false }
        return hasAsked || presence.count == 0
    }

    mutating func connected(mayHaveMissed: Bool, at now: Duration) {
        presence.connected(at: now)
        settlesAt = now + LivePresence.answerWindow + .seconds(1)
        session = nil
        tried = []
        guard mayHaveMissed else { return }
        (hasAsked, preferred) = (false, nil)
        dueAt = now + LivePresence.answerWindow + .milliseconds(500)
    }

    mutating func disconnected() {
        presence.disconnected()
        if session != nil { dueAt = .zero }
        session = nil
    }

    mutating func published(_ count: Int, at now: Duration, using random: inout SeededGenerator) {
        presence.published(count, at: now, using: &random)
    }

    /// Something may have been lost.
    mutating func wish(at now: Duration) { dueAt = min(dueAt ?? now, now) }

    /// - Parameter summary: what is here.
    mutating func heard(
        _ note: LiveNote, summary: LiveSummary, at now: Duration, using random: inout SeededGenerator
    ) {
        switch note.content {
        case .here(let isNew, let theirs):
            let isUnknown = presence.heard(note.from, isNew: isNew, at: now, using: &random)
            // A new one compares by itself.
            guard presence.isHere(note.from), theirs != summary, !isUnknown || !isNew, session == nil, dueAt == nil,
                lastEnd.map({ now - $0 >= Self.restMin }) ?? true
            else { return }
            (dueAt, preferred) = (now + LivePresence.chance(0...2_000, &random), note.from)
        case .lacking:
            guard note.from != me else { return }
            guard session == nil else {
                (dueAt, preferred) = (now, note.from)
                return
            }
            let soonest = max(now, lastEnd.map { $0 + Self.pauseMin } ?? now)
            (dueAt, preferred) = (soonest + LivePresence.chance(0...500, &random), note.from)
        case .compare, .compared, .want, .served: break
        }
    }

    /// The node has answered about this record, or has it.
    mutating func arrived(_ id: Bytes32, at now: Duration) {
        guard session?.needed.remove(id) != nil else { return }
        session?.gained += 1
        if session?.wanted.removeValue(forKey: id) != nil { session?.deadline = now + Self.patience }
    }

    mutating func tick(
        _ set: ReconciliationSet, from floor: UInt64, at now: Duration, using random: inout SeededGenerator,
        _ sink: inout [Sending]
    ) {
        if let isNew = presence.greeting(at: now, using: &random) {
            sink.append(Sending(to: .all, content: .here(isNew: isNew, LiveSummary(set))))
        }
        if session == nil, let due = dueAt, now >= due { begin(set, from: floor, at: now, using: &random, &sink) }
        advance(at: now, &sink)
    }

    private mutating func begin(
        _ set: ReconciliationSet, from floor: UInt64, at now: Duration, using random: inout SeededGenerator,
        _ sink: inout [Sending]
    ) {
        let number = UInt64.random(in: 0 ... .max, using: &random)
        let wished = preferred.take().flatMap { presence.isHere($0) && !tried.contains($0) ? $0 : nil }
        guard let peer = wished ?? presence.answerer(of: number, without: tried) else {
            // All have been tried; or nobody is here, and the next greeting of somebody changes that.
            if presence.count > 0 { (tried, dueAt, hasAsked) = ([], now + Self.retryAfter, true) }
            return
        }
        dueAt = nil
        session = Session(number: number, peer: peer, since: floor, deadline: now + Self.patience)
        sink.append(question(Self.reconciler(from: floor).begin(with: set)))
    }

    private func question(_ message: [UInt8]) -> Sending {
        guard let session else { preconditionFailure("a question belongs to a session") }
        return Sending(
            to: .questions(session.peer),
            content: .compare(
                LiveNote.Comparison(
                    session: session.number, round: session.round, since: session.since, message: message)))
    }

    static func reconciler(from since: UInt64) -> Reconciler {
        .initiator(.thrifty, from: since, frameBytesMax: LiveNote.messageMax, sha256: { Digest.sha256($0) })
    }

    /// Answers of the one who is asked; those of others, late ones and copies have no effect.
    ///
    /// - Parameter unwanted: what the node does not take.
    /// - Returns: `false` if it makes no sense.
    mutating func answered(
        _ note: LiveNote, _ set: ReconciliationSet, without unwanted: RecentSet<Bytes32>, at now: Duration,
        _ sink: inout [Sending]
    ) -> Bool {
        guard let current = session, current.peer == note.from else { return true }
        switch note.content {
        case .compared(let answer):
            guard answer.session == current.number, answer.round == current.round, !current.isCompared else {
                return true
            }
            presence.answered(note.from, at: now)
            return compared(answer, set, without: unwanted, at: now, &sink)
        case .served(let number, let want):
            guard number == current.number, session?.open.remove(want) != nil else { return true }
            session?.closing[want] = now + Self.stragglersMax
            session?.deadline = now + Self.patience
            presence.answered(note.from, at: now)
            advance(at: now, &sink)
            return true
        case .here, .compare, .want, .lacking: return false
        }
    }

    private mutating func compared(
        _ answer: LiveNote.Comparison, _ set: ReconciliationSet, without unwanted: RecentSet<Bytes32>,
        at now: Duration, _ sink: inout [Sending]
    ) -> Bool {
        guard var session = session.take() else { return false }
        session.round += 1
        session.deadline = now + Self.patience
        guard session.round < Self.roundsMax else {
            failed(session.peer, at: now)
            return true
        }
        if answer.since > session.since {
            session.since = answer.since
            self.session = session
            sink.append(question(Self.reconciler(from: answer.since).begin(with: set)))
            return true
        }
        let step: Reconciler.Step
        do {
            step = try Self.reconciler(from: session.since).read(answer.message, with: set)
        } catch {
            failed(session.peer, at: now)
            return false
        }
        for id in step.need where !unwanted.contains(id) && session.needed.insert(id).inserted {
            session.need.append(id)
        }
        session.theyLack = session.theyLack || !step.have.isEmpty
        session.isCut = step.reply != nil && session.needed.count >= Self.needMax
        session.isCompared = step.reply == nil || session.isCut
        let isCut = session.isCut
        self.session = session
        if let reply = step.reply, !isCut { sink.append(question(reply)) }
        advance(at: now, &sink)
        return true
    }

    /// Asks for more, or ends the session.
    mutating func advance(at now: Duration, _ sink: inout [Sending]) {
        // Taken out, so that its lists are not copied.
        guard var session = session.take() else { return }
        guard now <= session.deadline else { return failed(session.peer, at: now) }
        if session.isCompared {
            session.close(at: now)
            while let want = session.nextWant(at: now) {
                sink.append(Sending(to: .questions(session.peer), content: want))
            }
            if session.needed.isEmpty { return end(session, at: now, &sink) }
        }
        self.session = session
    }

    private mutating func end(_ session: Session, at now: Duration, _ sink: inout [Sending]) {
        if session.theyLack {
            toldLackingAt = now
            sink.append(Sending(to: .questions(session.peer), content: .lacking(session: session.number)))
        }
        (hasAsked, lastEnd, tried) = (true, now, [])
        // What was lost on its way is asked for again; what the other side could not give, it does not claim to have again.
        if session.isCut || session.missed > 0 && session.gained > 0 {
            (dueAt, preferred) = (now + (session.isCut ? .zero : Self.pauseMin), session.peer)
        }
    }

    /// The other side does not answer, or nothing that makes sense: another one may.
    private mutating func failed(_ peer: LiveBridgeID, at now: Duration) {
        tried.insert(peer)
        dueAt = now
    }
}

extension LiveAsker.Session {
    /// Gives up what did not come although its question is answered.
    fileprivate mutating func close(at now: Duration) {
        for number in closing.filter({ now > $0.value }).keys {
            closing[number] = nil
            let lost = wanted.filter { $0.value == number }.keys
            for id in lost {
                wanted[id] = nil
                needed.remove(id)
            }
            missed += lost.count
        }
    }

    /// The next ids to ask for, if few are under way.
    fileprivate mutating func nextWant(at now: Duration) -> LiveNote.Content? {
        while !need.isEmpty, wanted.count + LiveNote.idsMax <= Self.wantedMax {
            let window = need.prefix(LiveNote.idsMax)
            need.removeFirst(window.count)
            let ids = window.filter { needed.contains($0) }
            guard !ids.isEmpty else { continue }
            lastWant += 1
            open.insert(lastWant)
            for id in ids { wanted[id] = lastWant }
            deadline = now + LiveAsker.patience
            return .want(session: number, number: lastWant, ids: Array(ids))
        }
        return nil
    }
}

extension LiveSummary {
    init(_ set: ReconciliationSet) {
        let words = set.sum.fingerprint { Digest.sha256($0) }.words
        self.init(
            count: UInt64(set.count),
            fingerprint: [words.0, words.1].flatMap { word in
                stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
            })
    }
}
