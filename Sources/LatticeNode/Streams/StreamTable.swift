// Safety: bytes to send are lent for the length of the call, with their true size.

import LatticeAPI
import LatticeCore
import LatticeSession
import LatticeWire
import OrderedCollections

/// All streams of this node and their listeners. It sends nothing itself: senders ask for the next message.
struct StreamTable: Sendable {
    /// Makes the cipher of a stream that another peer opens.
    typealias CipherMaker = @Sendable (PeerID) -> StreamCipher

    private(set) var streams: OrderedDictionary<StreamKey, PeerStream> = [:]
    private var keys: [Int: StreamKey] = [:]
    private var listeners = StreamListeners()
    private var correspondents = Correspondents()
    /// Outcomes of streams that programs here have not read yet.
    private var ended: OrderedDictionary<Int, StreamEnd> = [:]
    private var lastNumber = 0
    private var hasStopped = false

    // MARK: - Opening and listening

    /// - Returns: its number here; `nil` if there is no space for one more.
    mutating func open(
        _ key: StreamKey, for label: StreamLabel, _ cipher: StreamCipher, at now: Instant,
        into effects: inout [StreamEffect]
    ) -> Int? {
        guard !hasStopped, streams.count < StreamLimit.countMax else { return nil }
        lastNumber += 1
        streams[key] = PeerStream(opening: key, for: label, number: lastNumber, cipher, at: now)
        keys[lastNumber] = key
        correspondents.meet(key.peer)
        effects.append(.write(key.peer))
        return lastNumber
    }

    /// - Parameter label: `nil` is any that nobody else listens for.
    /// - Returns: the listener's number; `nil` if somebody else listens for this label.
    mutating func listen(for label: StreamLabel?, from peer: PeerID?) -> Int? {
        guard !hasStopped, listeners.add(lastNumber + 1, for: label, from: peer) else { return nil }
        lastNumber += 1
        return lastNumber
    }

    /// - Returns: the accepted stream, which also ends the listening.
    mutating func came(_ listener: Int) -> StreamInfo? { listeners.take(listener) }

    /// Ends the listening; a stream accepted meanwhile is reset.
    mutating func stopListening(_ listener: Int, into effects: inout [StreamEffect]) {
        if let came = came(listener) { return reset(came.stream, .ended, into: &effects) }
        listeners.remove(listener)
    }

    /// - Returns: whether it is open; `nil` while that is unknown.
    func isOpen(_ number: Int) -> Result<Bool, StreamFault>? {
        guard let stream = keys[number].flatMap({ streams[$0] }) else {
            return .failure(StreamFault(end: ended[number]))
        }
        return stream.isOpen ? .success(true) : nil
    }

    /// - Returns: why no connection can carry its bytes, if none can. One that broke may still have bytes to read.
    func attachFault(_ number: Int) -> StreamFault? {
        guard let stream = keys[number].flatMap({ streams[$0] }) else { return StreamFault(end: ended[number]) }
        return stream.isBeginning ? StreamFault(end: nil) : nil
    }

    // MARK: - Programs

    /// - Parameter append: adds one or more bytes.
    /// - Returns: whether it was accepted; otherwise there is no space yet.
    mutating func send(
        on number: Int, into effects: inout [StreamEffect], _ append: (inout [UInt8]) -> Void
    ) throws(StreamFault) -> Bool {
        let key = try key(of: number)
        guard let index = streams.index(forKey: key), !streams.values[index].hasEndedWriting else {
            throw StreamFault(isWritten: true)
        }
        if let end = streams.values[index].end { throw StreamFault(end: end) }
        let isFirst = !streams.values[index].hasPending
        guard streams.values[index].write(append) else { return false }
        if isFirst { effects.append(.write(key.peer)) }
        return true
    }

    /// Adds bytes whose number the caller limits.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, on number: Int, into effects: inout [StreamEffect]
    ) -> StreamSpace {
        guard let key = keys[number], let index = streams.index(forKey: key),
            streams.values[index].end == nil, !streams.values[index].hasEndedWriting
        else { return .over }
        let isFree = streams.values[index].append(bytes)
        if !bytes.isEmpty { effects.append(.write(key.peer)) }
        return isFree ? .free : .full
    }

    /// Ends the direction from here.
    ///
    /// - Returns: whether the other side's program has taken everything.
    mutating func finish(_ number: Int, into effects: inout [StreamEffect]) throws(StreamFault) -> Bool {
        if ended[number] == .finished { return true }
        let key = try key(of: number)
        guard let index = streams.index(forKey: key) else { throw StreamFault(end: nil) }
        if let end = streams.values[index].end { throw StreamFault(end: end) }
        if !streams.values[index].hasEndedWriting {
            streams.values[index].endWriting()
            effects.append(.write(key.peer))
        }
        return streams.values[index].isAllTaken
    }

    mutating func confirmRead(_ number: Int, into effects: inout [StreamEffect]) {
        guard let key = keys[number], let index = streams.index(forKey: key) else { return }
        streams.values[index].confirmRead()
        if streams.values[index].hasNews { effects.append(.write(key.peer)) }
    }

    /// - Returns: the next bytes, empty at the end; `nil` if nothing has come yet.
    mutating func read(
        _ number: Int, atMost bytesMax: Int, at now: Instant, into effects: inout [StreamEffect]
    ) throws(StreamFault) -> (bytes: [UInt8], isEnd: Bool)? {
        if ended[number] == .finished { return ([], true) }
        let key = try key(of: number)
        guard let index = streams.index(forKey: key) else { throw StreamFault(end: nil) }
        if let end = streams.values[index].end, !streams.values[index].hasUnread {
            settle(key, at: now, into: &effects)
            throw StreamFault(end: end)
        }
        let part = streams.values[index].read(bytesMax)
        settle(key, at: now, into: &effects)
        return part
    }

    /// Takes the next bytes without a copy, and confirms those taken before.
    mutating func take(
        _ number: Int, atMost bytesMax: Int, at now: Instant, into effects: inout [StreamEffect]
    ) -> StreamArrival {
        guard let key = keys[number], let index = streams.index(forKey: key) else {
            return ended[number] == .finished ? .end : .over
        }
        streams.values[index].confirmRead()
        let arrival = streams.values[index].take(bytesMax)
        guard streams.values[index].end == nil else {
            settle(key, at: now, into: &effects)
            if case .bytes = arrival { return arrival }
            return .over
        }
        if streams.values[index].hasNews { effects.append(.write(key.peer)) }
        return arrival
    }

    /// Gives up a stream and sends the other side the reason.
    mutating func reset(_ number: Int, _ reason: StreamReset, into effects: inout [StreamEffect]) {
        guard let key = keys[number] else { return }
        drop(key, .givenUp, into: &effects)
        correspondents.reply(StreamMessage(stream: key.stream, .reset(reason)), to: key.peer)
        effects.append(.write(key.peer))
    }

    private func key(of number: Int) throws(StreamFault) -> StreamKey {
        guard let key = keys[number] else { throw StreamFault(end: ended[number]) }
        return key
    }

    // MARK: - Other peers

    /// - Parameter makeCipher: makes the acceptor's cipher.
    mutating func heard(
        _ message: StreamMessage, from peer: PeerID, at now: Instant, makeCipher: CipherMaker,
        into effects: inout [StreamEffect]
    ) {
        let key = StreamKey(peer: peer, stream: message.stream)
        correspondents.heard(peer)
        guard let index = streams.index(forKey: key) else {
            return heardOfUnknown(message, key, at: now, makeCipher, into: &effects)
        }
        switch message.kind {
        case .begin(let octets): part(0, octets, index, at: now, into: &effects)
        case .part(let number, let octets): part(number, octets, index, at: now, into: &effects)
        case .taken(let taken, let heard): streams.values[index].told(taken: taken, heard: heard)
        case .ask: streams.values[index].asked()
        case .reset(let reason): end(key, .reset(reason))
        }
        settle(key, at: now, into: &effects)
    }

    private mutating func part(
        _ number: UInt64, _ octets: [UInt8], _ index: Int, at now: Instant, into effects: inout [StreamEffect]
    ) {
        guard let label = streams.values[index].heard(number, octets) else { return }
        let (key, peer) = (streams.keys[index], streams.keys[index].peer)
        switch listeners.offer(StreamInfo(stream: streams.values[index].number, peer: peer, label: label)) {
        case .taken(let listener):
            streams.values[index].welcome()
            effects.append(.wake(listener))
        case .nobodyListens: refuse(key, .nobodyListens, into: &effects)
        case .notForYou: refuse(key, .notForYou, into: &effects)
        }
    }

    private mutating func heardOfUnknown(
        _ message: StreamMessage, _ key: StreamKey, at now: Instant, _ makeCipher: CipherMaker,
        into effects: inout [StreamEffect]
    ) {
        defer { effects.append(.write(key.peer)) }
        let last = correspondents.lastWord(on: key)
        switch message.kind {
        case .reset: return
        // After a good end on both sides, neither sends anything unasked.
        case .taken where last != nil: return
        case .begin, .part, .taken, .ask: if let last { return correspondents.reply(last, to: key.peer) }
        }
        switch message.kind {
        case .reset: return
        case .part, .taken, .ask: answer(key, .unknown)
        case .begin(let octets):
            guard !listeners.isEmpty else { return answer(key, .nobodyListens) }
            let halfOpen = streams.values.filter(\.isHalfOpen)
            guard streams.count < StreamLimit.countMax, halfOpen.count < StreamLimit.halfOpenMax,
                halfOpen.count(where: { $0.key.peer == key.peer }) < StreamLimit.halfOpenPerPeerMax
            else { return answer(key, .full) }
            lastNumber += 1
            var stream = PeerStream(taking: key, number: lastNumber, makeCipher(key.peer), at: now)
            _ = stream.heard(0, octets)
            keys[lastNumber] = key
            streams[key] = stream
            correspondents.meet(key.peer)
            settle(key, at: now, into: &effects)
        }
    }

    private mutating func answer(_ key: StreamKey, _ reason: StreamReset) {
        correspondents.reply(StreamMessage(stream: key.stream, .reset(reason)), to: key.peer)
    }

    private mutating func refuse(_ key: StreamKey, _ reason: StreamReset, into effects: inout [StreamEffect]) {
        drop(key, .givenUp, into: &effects)
        answer(key, reason)
        effects.append(.write(key.peer))
    }

    /// The route to a peer, or data sent to it, was lost.
    mutating func interrupted(
        _ peer: PeerID, _ reason: DataError, at now: Instant, into effects: inout [StreamEffect]
    ) {
        for key in streams.keys where key.peer == peer {
            guard let index = streams.index(forKey: key) else { continue }
            let stream = streams.values[index]
            switch reason {
            case .noRoute where stream.isBeginning: end(key, .noRoute)
            case .unwanted where stream.isBeginning: end(key, .reset(.nobodyListens))
            // A peer with a stream receives data, so the program there must have restarted and lost the stream.
            case .unwanted: end(key, .reset(.unknown))
            case .stopped: end(key, .stopped)
            case .noRoute, .silent, .interrupted, .full, .tooLong, .hasReader: streams.values[index].rewind()
            }
            settle(key, at: now, into: &effects)
        }
        let isOver = reason == .noRoute || reason == .unwanted
        guard isOver, !streams.contains(where: { $0.key.peer == peer && $0.value.end == nil }) else {
            return correspondents.interrupted(peer, at: now)
        }
        // There are no streams left to resume or to wait for; a new attempt starts afresh.
        correspondents.forget(peer)
    }

    // MARK: - Time

    /// Whether there is anything to time.
    var isActive: Bool { !streams.isEmpty || correspondents.isActive }

    mutating func tick(at now: Instant, into effects: inout [StreamEffect]) {
        for key in streams.keys {
            guard let stream = streams[key] else { continue }
            if stream.isBeginning, stream.begunAt.duration(to: now) >= StreamLimit.openTimeout {
                end(key, .noAnswer)
                answer(key, .unknown)
                settle(key, at: now, into: &effects)
            }
        }
        for peer in correspondents.due(at: now) {
            switch peer.due {
            case .resume: effects.append(.write(peer.id))
            case .ask:
                if let index = streams.values.firstIndex(where: { $0.key.peer == peer.id }) {
                    streams.values[index].ask()
                    effects.append(.write(peer.id))
                } else {
                    correspondents.forget(peer.id)
                }
            case .lost:
                for key in streams.keys where key.peer == peer.id {
                    end(key, .lost)
                    settle(key, at: now, into: &effects)
                }
                correspondents.forget(peer.id)
            }
        }
    }

    /// Ends all streams; no new ones can be opened.
    mutating func stop(into effects: inout [StreamEffect]) {
        hasStopped = true
        for listener in listeners.numbers { effects.append(.wake(listener)) }
        listeners.removeAll()
        for key in streams.keys {
            drop(key, .stopped, into: &effects)
            answer(key, .nodeEnds)
            effects.append(.write(key.peer))
        }
    }

    var peers: [PeerID] { correspondents.peers }

    var isStopped: Bool { hasStopped }

    // MARK: - To other peers

    /// - Returns: the next message for this peer, encoded; `nil` if there is none now.
    mutating func next(
        for peer: PeerID, at now: Instant, into effects: inout [StreamEffect]
    ) -> [UInt8]? {
        guard correspondents.mayWrite(to: peer, at: now) else { return nil }
        if let reply = correspondents.nextReply(to: peer) { return reply.bytes }
        // Takes turns, so that no stream starves another.
        for _ in 0..<streams.count {
            let waiting = streams.values.firstIndex { $0.key.peer == peer && $0.hasNews }
            guard let first = waiting else { return nil }
            let message = streams.values[first].next()
            if streams.values[first].takeFreed() { effects.append(.wake(streams.values[first].number)) }
            if streams.count > 1 {
                let (key, stream) = (streams.keys[first], streams.values[first])
                streams.remove(at: first)
                streams[key] = stream
            }
            if let message { return message }
        }
        return nil
    }

    // MARK: - Ends

    /// The program here still reads what came before the end.
    private mutating func end(_ key: StreamKey, _ end: StreamEnd) {
        guard let index = streams.index(forKey: key), streams.values[index].end == nil else { return }
        streams.values[index].finish(end)
    }

    /// Wakes waiters and drops ended streams.
    private mutating func settle(_ key: StreamKey, at now: Instant, into effects: inout [StreamEffect]) {
        guard let index = streams.index(forKey: key) else { return }
        if streams.values[index].takeKeyed() { effects.append(.keyed(key.peer)) }
        let stream = streams.values[index]
        effects.append(.wake(stream.number))
        guard let end = stream.end else {
            if stream.hasNews { effects.append(.write(key.peer)) }
            return
        }
        switch end {
        case .finished:
            let last = StreamMessage(stream: key.stream, .taken(stream.heard, heard: stream.heard))
            correspondents.remember(last, as: key, at: now)
            correspondents.reply(last, to: key.peer)
            effects.append(.write(key.peer))
        case .untrusted: answer(key, .untrusted)
        case .reset, .givenUp, .noRoute, .noAnswer, .lost, .stopped: break
        }
        if end == .untrusted { effects.append(.write(key.peer)) }
        if !stream.hasUnread || end == .untrusted { drop(key, end, into: &effects) }
    }

    private mutating func drop(_ key: StreamKey, _ end: StreamEnd, into effects: inout [StreamEffect]) {
        guard let stream = streams.removeValue(forKey: key) else { return }
        keys[stream.number] = nil
        listeners.streamHasGone(stream.number)
        if ended.count >= StreamLimit.endedMax { ended.removeFirst() }
        ended[stream.number] = stream.end ?? end
        effects.append(.wake(stream.number))
    }
}
