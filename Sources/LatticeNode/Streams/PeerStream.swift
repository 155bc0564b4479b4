// Safety: bytes to send are lent for the length of the call, with their true size.

import DequeModule
import LatticeAPI
import LatticeCore
import LatticeSession
import LatticeWire

/// Identifies a stream between the nodes of two peers.
struct StreamKey: Hashable, Sendable {
    let peer: PeerID
    let stream: UInt64
}

enum StreamEnd: Hashable, Sendable {
    /// Both sides have sent and received everything.
    case finished
    case reset(StreamReset)
    case givenUp
    case noRoute
    /// The other side did not answer in time when the stream was opened.
    case noAnswer
    /// The other side no longer answers.
    case lost
    /// The other side is not the expected peer, or breaks the protocol.
    case untrusted
    /// This node is stopping.
    case stopped
}

/// One stream: bytes in both directions, sealed end to end; each direction ends on its own.
struct PeerStream: Sendable {
    private enum State: Equatable {
        /// The opener waits for the answer to its first message. Next: `asking`, `over`.
        case greeting
        /// The acceptor has answered, and does not know the other side yet. Next: `judging`, `over`.
        case greeted
        /// The other side is known and has not sent its request. Next: `open`, `over`.
        case judging
        /// The opener has sent its request. Next: `open`, `over`.
        case asking
        /// Next: `over`.
        case open
        case over(StreamEnd)
    }

    let number: Int
    let key: StreamKey
    let isOurs: Bool
    let begunAt: Instant
    /// What the opener wants; `nil` as long as the acceptor does not know.
    private var label: StreamLabel?
    private var state: State
    let cipher: StreamCipher
    private var outgoing = OutgoingParts()
    private var incoming = IncomingParts()
    /// Received but not read yet.
    private var inbox: Deque<ArraySlice<UInt8>> = []
    /// Read by the program, and perhaps not processed yet; the next read confirms that it is.
    private var handedParts: UInt64 = 0
    private var hasHeardEnd = false
    private var isEndRead = false
    /// Written, from `pendingStart` on, but in no part yet.
    private var pending: [UInt8] = []
    private var pendingStart = 0
    private var isWritten = false
    private var isEndAdded = false
    private var isReceiptAdded = false
    /// The other side's program has processed everything, by its sealed receipt.
    private var hasReceipt = false
    /// Datagrams can be sealed now, and nobody knows yet.
    private var hasKeyed = false
    /// There is space again, and the program does not know yet.
    private var hasFreed = false
    private var mustReport = false
    private var mustAsk = false

    /// - Parameter cipher: in the opener's role.
    init(opening key: StreamKey, for label: StreamLabel, number: Int, _ cipher: StreamCipher, at now: Instant) {
        (self.key, self.number, self.cipher, self.label) = (key, number, cipher, label)
        (isOurs, begunAt, state) = (true, now, .greeting)
        add(cipher.begin())
    }

    /// - Parameter cipher: in the acceptor's role.
    init(taking key: StreamKey, number: Int, _ cipher: StreamCipher, at now: Instant) {
        (self.key, self.number, self.cipher, label) = (key, number, cipher, nil)
        (isOurs, begunAt, state) = (false, now, .greeted)
    }

    var isOpen: Bool { state == .open }

    /// No program here knows of it yet.
    var isHalfOpen: Bool { state == .greeted || state == .judging }

    /// Whether it is still being set up.
    var isBeginning: Bool { isHalfOpen || state == .greeting || state == .asking }

    var end: StreamEnd? {
        if case .over(let end) = state { end } else { nil }
    }

    var hasUnread: Bool { !inbox.isEmpty }

    var heard: UInt64 { incoming.heard }

    private var taken: UInt64 {
        incoming.heard - UInt64(inbox.count) - handedParts - (hasHeardEnd && !isEndRead ? 1 : 0)
    }

    // MARK: - Datagrams

    private mutating func open() {
        state = .open
        hasKeyed = label == .messages
    }

    /// The acceptor may seal some before the opener has its welcome.
    var opensDatagrams: Bool { label == .messages && (state == .asking || state == .open) }

    /// Not once a side has ended: its program is going.
    var sealsDatagrams: Bool { label == .messages && state == .open && !hasHeardEnd && !isWritten }

    /// Whether datagrams can be sealed since the last call.
    mutating func takeKeyed() -> Bool {
        defer { hasKeyed = false }
        return hasKeyed
    }

    // MARK: - From the other side

    /// - Returns: the request, if this message brought it.
    mutating func heard(_ number: UInt64, _ octets: [UInt8]) -> StreamLabel? {
        guard end == nil else { return nil }
        guard incoming.heard(number, taken: taken) else {
            // It has not received our acknowledgement.
            mustReport = true
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
            if let answer { add(answer) }
            guard isComplete else { break }
            state = isOurs ? .asking : .judging
            if let label { add(cipher.seal(.request(label))) }
        case .judging:
            guard case .request(let label) = try StreamPart(decoding: try cipher.open(octets)) else {
                throw SessionError.unexpectedMessage
            }
            self.label = label
            return label
        case .asking:
            guard case .welcome = try StreamPart(decoding: try cipher.open(octets)) else {
                throw SessionError.unexpectedMessage
            }
            open()
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

    mutating func asked() { mustReport = true }

    /// Messages in flight may be lost.
    mutating func rewind() {
        outgoing.rewind()
        // Neither side knows what the other has received.
        guard state != .greeting else { return }
        (mustReport, mustAsk) = (true, true)
    }

    /// Asks whether the other side is there, but not before it can know this stream.
    mutating func ask() { mustAsk = state != .greeting }

    // MARK: - From the program here

    /// Accepts the other side's request.
    mutating func welcome() {
        precondition(state == .judging, "the other side has asked before")
        add(cipher.seal(.welcome))
        open()
    }

    /// - Parameter append: adds the bytes.
    /// - Returns: whether there was space.
    mutating func write(_ append: (inout [UInt8]) -> Void) -> Bool {
        guard pending.count - pendingStart < StreamLimit.pendingBytesMax else { return false }
        // Not each time: what waits may be a thousand times as long as what is added.
        if pendingStart > pending.count / 2 {
            pending.removeSubrange(..<pendingStart)
            pendingStart = 0
        }
        append(&pending)
        return true
    }

    /// Whether written bytes wait to go into a part. Then what sends knows it, or learns it when it may go on.
    var hasPending: Bool { pendingStart < pending.count }

    /// Adds bytes whose number the caller limits.
    ///
    /// - Returns: whether there is space for more.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty, pending.isEmpty, state == .open, outgoing.hasFreePart {
            let part = rest.prefix(StreamPart.bytesMax)
            outgoing.add(sealedBytes(UnsafeRawBufferPointer(rebasing: part)))
            rest = rest.dropFirst(part.count)
        }
        if pendingStart > 0, !rest.isEmpty {
            pending.removeSubrange(..<pendingStart)
            pendingStart = 0
        }
        pending.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest))
        return pending.count - pendingStart < StreamLimit.pendingBytesMax
    }

    mutating func endWriting() { isWritten = true }

    var hasEndedWriting: Bool { isWritten }

    /// The other side's program has taken everything written, and the end.
    var isAllTaken: Bool { hasReceipt }

    mutating func confirmRead() {
        handedParts = 0
    }

    /// - Returns: the next bytes, at most `bytesMax` and one part more; empty once, at the end; `nil` if nothing has come yet.
    mutating func read(_ bytesMax: Int) -> (bytes: [UInt8], isEnd: Bool)? {
        if inbox.isEmpty {
            // After the end was read once, this waits for the other direction.
            guard hasHeardEnd, !isEndRead else { return nil }
            isEndRead = true
            outgoing.addReceipt(message(cipher.seal(.received)))
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

    /// Like `read`, without a copy. The end is left for `read`, which confirms it.
    mutating func take(_ bytesMax: Int) -> StreamArrival {
        guard !inbox.isEmpty else { return hasHeardEnd ? .end : .nothing }
        var parts: [ArraySlice<UInt8>] = []
        var count = 0
        while count < bytesMax, let part = inbox.popFirst() {
            parts.append(part)
            count += part.count
        }
        handedParts += UInt64(parts.count)
        return .bytes(parts)
    }

    private mutating func finishIfDone() {
        // The other side must have the receipt before this stream is forgotten.
        if end == nil, hasReceipt, isReceiptAdded, outgoing.isAllTaken { finish(.finished) }
    }

    mutating func finish(_ end: StreamEnd) {
        state = .over(end)
        outgoing = OutgoingParts()
        pending = []
        pendingStart = 0
    }

    // MARK: - To the other side

    /// Whether there is anything to send.
    var hasNews: Bool {
        guard end == nil else { return false }
        return mustReport || mustAsk || isWorthTelling || outgoing.hasUnsent || mayAdd
    }

    private var isWorthTelling: Bool { incoming.isWorthTelling(taken: taken, isEmpty: inbox.isEmpty) }

    private var mayAdd: Bool {
        state == .open && outgoing.hasFreePart && (pendingStart < pending.count || isWritten && !isEndAdded)
    }

    /// - Returns: the next message, encoded.
    mutating func next() -> [UInt8]? {
        guard end == nil else { return nil }
        if mustReport || isWorthTelling {
            mustReport = false
            return StreamMessage(stream: key.stream, incoming.tell(taken: taken)).bytes
        }
        if mustAsk {
            mustAsk = false
            return StreamMessage(stream: key.stream, .ask).bytes
        }
        if !outgoing.hasUnsent, mayAdd { addWhatWaits() }
        return outgoing.next()?.octets
    }

    /// Adds a part that is sealed, or belongs to the handshake.
    private mutating func add(_ octets: [UInt8]) {
        outgoing.add(message(octets))
    }

    private func message(_ octets: [UInt8]) -> [UInt8] {
        let number = outgoing.end
        return StreamMessage(
            stream: key.stream, isOurs && number == 0 ? .begin(octets) : .part(number: number, octets)
        ).bytes
    }

    /// The program sends more when so few bytes are left that both can go on meanwhile.
    private static let freeBytes = StreamLimit.pendingBytesMax / 2

    /// Whether space was made since the last call.
    mutating func takeFreed() -> Bool {
        defer { hasFreed = false }
        return hasFreed
    }

    private mutating func addWhatWaits() {
        guard pendingStart < pending.count else {
            add(cipher.seal(.end))
            isEndAdded = true
            return
        }
        let end = min(pending.count, pendingStart + StreamPart.bytesMax)
        let isNowFree = pending.count - end < Self.freeBytes && pending.count - pendingStart >= Self.freeBytes
        if isNowFree { hasFreed = true }
        let sealed = pending.withUnsafeBytes { sealedBytes(UnsafeRawBufferPointer(rebasing: $0[pendingStart..<end])) }
        outgoing.add(sealed)
        pendingStart = end
        guard pendingStart == pending.count else { return }
        pending.removeAll(keepingCapacity: true)
        pendingStart = 0
    }

    /// A whole message, sealed where it stands: a copy costs a tenth of a seal.
    private func sealedBytes(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var message = StreamMessage.partHead(
            stream: key.stream, number: outgoing.end, reserving: StreamMessage.partBytesMax)
        let start = message.count
        message.append(StreamPart.bytesHead)
        message.append(contentsOf: bytes)
        cipher.seal(in: &message, from: start)
        return message
    }
}
