import DequeModule
import LatticeCore
import LatticeSession
import LatticeWire

/// By what the nodes of two peers know a stream.
struct StreamKey: Hashable, Sendable {
    let peer: PeerID
    let stream: UInt64
}

/// Why a stream does not go on.
enum StreamEnd: Hashable, Sendable {
    /// Both have said all, and had all.
    case finished
    case reset(StreamReset)
    /// It was given up here.
    case givenUp
    case noRoute
    /// The other side did not answer in time when it was opened.
    case noAnswer
    /// The other side does not answer any more.
    case lost
    /// The other side is not who it is taken for, or breaks the rules.
    case untrusted
    /// This node ends.
    case stopped
}

/// One stream: bytes both ways, sealed from end to end, each way with an end of its own.
struct PeerStream: Sendable {
    private enum State: Equatable {
        /// Whoever opened it waits for the answer to its first message. Next: `asking`, `over`.
        case greeting
        /// Whoever takes it has answered, and does not know yet who that is. Next: `judging`, `over`.
        case greeted
        /// The other side is known and has yet to say what it wants. Next: `open`, `over`.
        case judging
        /// Whoever opened it has said what it wants. Next: `open`, `over`.
        case asking
        /// Next: `over`.
        case open
        case over(StreamEnd)
    }

    let number: Int
    let key: StreamKey
    let isOurs: Bool
    let begunAt: Instant
    /// What whoever opened it here wants.
    private let label: StreamLabel?
    private var state: State
    private let cipher: StreamCipher
    private var outgoing = OutgoingParts()
    private var incoming = IncomingParts()
    /// What came and nobody has read.
    private var inbox: Deque<ArraySlice<UInt8>> = []
    /// What was read and may not be dealt with yet: whoever reads on has done so.
    private var handedParts: UInt64 = 0
    private var hasHeardEnd = false
    private var isEndRead = false
    /// What was written and is in no part yet, from `pendingStart` on.
    private var pending: [UInt8] = []
    private var pendingStart = 0
    private var isWritten = false
    private var isEndAdded = false
    private var isReceiptAdded = false
    /// The program at the other side has dealt with all, by its own sealed word.
    private var hasReceipt = false
    private var mustTell = false
    private var mustAsk = false

    /// - Parameter cipher: of the role of whoever opens it.
    init(opening key: StreamKey, for label: StreamLabel, number: Int, _ cipher: StreamCipher, at now: Instant) {
        (self.key, self.number, self.cipher, self.label) = (key, number, cipher, label)
        (isOurs, begunAt, state) = (true, now, .greeting)
        outgoing.add(cipher.begin())
    }

    /// - Parameter cipher: of the other role.
    init(taking key: StreamKey, number: Int, _ cipher: StreamCipher, at now: Instant) {
        (self.key, self.number, self.cipher, label) = (key, number, cipher, nil)
        (isOurs, begunAt, state) = (false, now, .greeted)
    }

    var isOpen: Bool { state == .open }

    /// Nobody here knows of it yet.
    var isHalfOpen: Bool { state == .greeted || state == .judging }

    /// Whether its beginning is not over.
    var isBeginning: Bool { isHalfOpen || state == .greeting || state == .asking }

    var end: StreamEnd? {
        if case .over(let end) = state { end } else { nil }
    }

    var hasUnread: Bool { !inbox.isEmpty }

    var heard: UInt64 { incoming.heard }

    private var taken: UInt64 {
        incoming.heard - UInt64(inbox.count) - handedParts - (hasHeardEnd && !isEndRead ? 1 : 0)
    }

    // MARK: - From the other side

    /// - Returns: what is asked for, where that was just said.
    mutating func heard(_ number: UInt64, _ octets: [UInt8]) -> StreamLabel? {
        guard end == nil else { return nil }
        guard incoming.heard(number, taken: taken) else {
            // It has not heard what we have.
            mustTell = true
            return nil
        }
        do {
            return try understood(octets)
        } catch {
            finish(.untrusted)
            return nil
        }
    }

    private mutating func understood(_ octets: [UInt8]) throws -> StreamLabel? {
        switch state {
        case .greeting, .greeted:
            let (answer, isComplete) = try cipher.receive(octets)
            if let answer { outgoing.add(answer) }
            guard isComplete else { break }
            state = isOurs ? .asking : .judging
            if let label { outgoing.add(cipher.seal(.request(label))) }
        case .judging:
            guard case .request(let label) = try StreamPart(decoding: try cipher.open(octets)) else {
                throw SessionError.unexpectedMessage
            }
            return label
        case .asking:
            guard case .welcome = try StreamPart(decoding: try cipher.open(octets)) else {
                throw SessionError.unexpectedMessage
            }
            state = .open
        case .open: try take(try StreamPart(decoding: try cipher.open(octets)))
        case .over: break
        }
        return nil
    }

    private mutating func take(_ part: StreamPart) throws {
        switch part {
        case .bytes(let bytes) where !hasHeardEnd: inbox.append(bytes)
        case .end where !hasHeardEnd: hasHeardEnd = true
        case .received where isEndAdded && !hasReceipt:
            hasReceipt = true
            finishIfDone()
        case .bytes, .end, .received, .request, .welcome: throw SessionError.unexpectedMessage
        }
    }

    mutating func told(taken: UInt64, heard: UInt64) {
        guard end == nil else { return }
        if !outgoing.told(taken: taken, heard: heard) { finish(.untrusted) }
        finishIfDone()
    }

    mutating func asked() { mustTell = true }

    /// What was on its way may be lost.
    mutating func rewind() {
        outgoing.rewind()
        // Nor does either side know what the other has.
        guard state != .greeting else { return }
        (mustTell, mustAsk) = (true, true)
    }

    /// Asks whether the other side is there; not before it can know of this stream.
    mutating func ask() { mustAsk = state != .greeting }

    // MARK: - From the program here

    /// Takes what the other side asked for.
    mutating func welcome() {
        precondition(state == .judging, "the other side has asked before")
        outgoing.add(cipher.seal(.welcome))
        state = .open
    }

    /// - Returns: whether there was room.
    mutating func write(_ bytes: [UInt8]) -> Bool {
        guard pending.count - pendingStart < StreamLimit.pendingBytesMax else { return false }
        if pendingStart > 0 {
            pending.removeSubrange(..<pendingStart)
            pendingStart = 0
        }
        pending += bytes
        return true
    }

    /// Nothing more is written.
    mutating func endWriting() { isWritten = true }

    var hasEndedWriting: Bool { isWritten }

    /// Everything written, and the end of it, was taken by the program at the other side.
    var isAllTaken: Bool { hasReceipt }

    /// What was read before has been dealt with.
    mutating func confirmRead() {
        handedParts = 0
    }

    /// - Returns: what comes next, `bytesMax` bytes and one part more at most, and nothing at the end, once; `nil` if that has yet to come.
    mutating func read(_ bytesMax: Int) -> (bytes: [UInt8], isEnd: Bool)? {
        if inbox.isEmpty {
            // Whoever has heard the end, and asks again, hears how the other way goes on.
            guard hasHeardEnd, !isEndRead else { return nil }
            isEndRead = true
            outgoing.addReceipt(cipher.seal(.received))
            isReceiptAdded = true
            return ([], true)
        }
        var bytes: [UInt8] = []
        while bytes.count < bytesMax, let part = inbox.popFirst() {
            bytes += part
            handedParts += 1
        }
        return (bytes, false)
    }

    private mutating func finishIfDone() {
        // The other side has to have the receipt before this is forgotten.
        if end == nil, hasReceipt, isReceiptAdded, outgoing.isAllTaken { finish(.finished) }
    }

    mutating func finish(_ end: StreamEnd) {
        state = .over(end)
        outgoing = OutgoingParts()
        pending = []
        pendingStart = 0
    }

    // MARK: - To the other side

    /// Whether there is something to say.
    var hasNews: Bool {
        guard end == nil else { return false }
        return mustTell || mustAsk || isWorthTelling || outgoing.hasUnsent || mayAdd
    }

    private var isWorthTelling: Bool { incoming.isWorthTelling(taken: taken, isEmpty: inbox.isEmpty) }

    private var mayAdd: Bool {
        state == .open && outgoing.hasRoom && (pendingStart < pending.count || isWritten && !isEndAdded)
    }

    mutating func next() -> StreamMessage? {
        guard end == nil else { return nil }
        if mustTell || isWorthTelling {
            mustTell = false
            return StreamMessage(stream: key.stream, incoming.tell(taken: taken))
        }
        if mustAsk {
            mustAsk = false
            return StreamMessage(stream: key.stream, .ask)
        }
        if !outgoing.hasUnsent, mayAdd { addPart() }
        guard let (number, octets) = outgoing.next() else { return nil }
        return StreamMessage(
            stream: key.stream, isOurs && number == 0 ? .begin(octets) : .part(number: number, octets))
    }

    private mutating func addPart() {
        guard pendingStart < pending.count else {
            outgoing.add(cipher.seal(.end))
            isEndAdded = true
            return
        }
        let end = min(pending.count, pendingStart + StreamPart.bytesMax)
        outgoing.add(cipher.seal(.bytes(pending[pendingStart..<end])))
        pendingStart = end
        guard pendingStart == pending.count else { return }
        pending.removeAll(keepingCapacity: true)
        pendingStart = 0
    }
}
