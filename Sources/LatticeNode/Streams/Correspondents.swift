import DequeModule
import LatticeCore
import LatticeWire
import OrderedCollections

/// Peers with streams: whether they are reachable, and which replies are queued for them.
struct Correspondents: Sendable {
    enum Due: Sendable {
        /// The route was lost; send again what was in flight.
        case resume
        /// Nothing was received for a while.
        case ask
        /// It has not answered for so long that it counts as gone.
        case lost
    }

    private struct Correspondent: Sendable {
        var replies: Deque<StreamMessage> = []
        /// The last time something was received or asked; `nil` until the next tick.
        var askedAt: Instant?
        var asksUnanswered = 0
        var resumeAt: Instant?
        var resumeDelay = StreamLimit.resumeDelayMin
    }

    private struct LastWord: Sendable {
        let key: StreamKey
        let message: StreamMessage
        let until: Instant
    }

    private var all: OrderedDictionary<PeerID, Correspondent> = [:]
    private var lastWords: Deque<LastWord> = []

    var isActive: Bool { !all.isEmpty }
    var peers: [PeerID] { Array(all.keys) }

    mutating func meet(_ peer: PeerID) {
        if all[peer] == nil { all[peer] = Correspondent() }
    }

    mutating func forget(_ peer: PeerID) {
        all[peer] = nil
    }

    mutating func heard(_ peer: PeerID) {
        guard let index = all.index(forKey: peer) else { return }
        all.values[index].askedAt = nil
        all.values[index].asksUnanswered = 0
        all.values[index].resumeDelay = StreamLimit.resumeDelayMin
    }

    mutating func interrupted(_ peer: PeerID, at now: Instant) {
        guard let index = all.index(forKey: peer) else { return }
        let delay = all.values[index].resumeDelay
        all.values[index].resumeAt = now.advanced(by: delay)
        all.values[index].resumeDelay = min(delay * 2, StreamLimit.resumeDelayMax)
    }

    mutating func reply(_ message: StreamMessage, to peer: PeerID) {
        if all.count < StreamLimit.peersMax { meet(peer) }
        guard let index = all.index(forKey: peer), all.values[index].replies.count < StreamLimit.resetsMax,
            !all.values[index].replies.contains(message)
        else { return }
        all.values[index].replies.append(message)
    }

    mutating func nextReply(to peer: PeerID) -> StreamMessage? {
        guard let index = all.index(forKey: peer) else { return nil }
        return all.values[index].replies.popFirst()
    }

    func mayWrite(to peer: PeerID, at now: Instant) -> Bool {
        all[peer]?.resumeAt.map { $0 <= now } ?? true
    }

    /// - Parameter message: the answer from now on to any message about this stream.
    mutating func remember(_ message: StreamMessage, as key: StreamKey, at now: Instant) {
        if lastWords.count >= StreamLimit.rememberedMax { lastWords.removeFirst() }
        lastWords.append(LastWord(key: key, message: message, until: now.advanced(by: StreamLimit.rememberedTime)))
    }

    func lastWord(on key: StreamKey) -> StreamMessage? {
        lastWords.first { $0.key == key }?.message
    }

    mutating func due(at now: Instant) -> [(id: PeerID, due: Due)] {
        while let first = lastWords.first, first.until <= now { lastWords.removeFirst() }
        var due: [(id: PeerID, due: Due)] = []
        for index in all.values.indices {
            if let time = all.values[index].resumeAt, time <= now {
                all.values[index].resumeAt = nil
                due.append((all.keys[index], .resume))
            }
            guard let asked = all.values[index].askedAt else {
                all.values[index].askedAt = now
                continue
            }
            guard asked.duration(to: now) >= StreamLimit.askInterval else { continue }
            all.values[index].askedAt = now
            all.values[index].asksUnanswered += 1
            due.append(
                (all.keys[index], all.values[index].asksUnanswered > StreamLimit.asksMax ? .lost : .ask))
        }
        return due
    }
}
