import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeNode

/// Messages between sessions: one stream to each peer, opened by the first message.
final class MessageExchange: Sendable {
    private struct Opened: Sendable {
        let number: Int
        let peer: LatticeCore.PeerID
    }

    /// How long a stream may take to be opened to a peer that is connected: its session begins to listen before it links.
    private static let openTimeout: Duration = .seconds(10)
    /// How long the end of a session waits for what was sent to be taken.
    private static let finishTimeout: Duration = .seconds(1)
    /// Streams that were opened and are not read yet: as many as there can be, both ways.
    private static let openedMax = 256
    /// Flushes of one peer that wait to be answered; if there are more, the oldest run into their timeouts.
    private static let answersMax = 64

    let channels = Watched(MessageChannels())
    let datagrams: DatagramPost
    private let inbox: Watched<MessageInbox>
    private let board: Watched<PeerBoard>
    private let opened: AsyncStream<Opened>
    private let openedInput: AsyncStream<Opened>.Continuation

    init(inbox: Watched<MessageInbox>, board: Watched<PeerBoard>) {
        (self.inbox, self.board) = (inbox, board)
        datagrams = DatagramPost(inbox: inbox, board: board, channels: channels)
        (opened, openedInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.openedMax))
    }

    /// Takes what comes from now on. Before the node runs, nothing does.
    func begin(on running: ServingNode) {
        datagrams.begin(on: running)
        channels.change { $0.streams = running.node.streams }
    }

    /// Reads messages until the node ends.
    func run(on running: ServingNode) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.accept(on: running) }
            group.addTask { await self.openForDatagrams(on: running) }
            for await stream in opened {
                group.addTask { await self.read(stream, on: running) }
            }
            group.cancelAll()
        }
        channels.change { $0.streams = nil }
    }

    private func accept(on running: ServingNode) async {
        while !Task.isCancelled {
            do throws(RequestError) {
                let stream = try await running.node.streams.listen(for: .messages, from: nil)
                channels.change { $0.hasAccepted(stream.stream, from: stream.peer) }
                openedInput.yield(Opened(number: stream.stream, peer: stream.peer))
            } catch {
                return  // The node ends.
            }
        }
    }

    // MARK: - Sending

    /// Returns when the stream has room for it.
    nonisolated(nonsending) func send(
        _ message: [UInt8], to peer: LatticeCore.PeerID, on running: ServingNode
    ) async throws(LatticeError) {
        if try sendNow(message, to: peer) { return }
        let number = try await stream(to: peer, on: running)
        do throws(RequestError) {
            try await running.node.streams.send(MessageFrame.message(message).bytes, on: number)
        } catch {
            throw ended(number, with: peer, LatticeError(error))
        }
    }

    /// Sends without waiting, as almost all small messages are: an array, a task's turn and a few locks for each would take longer
    /// than the message.
    ///
    /// - Returns: whether there is a stream that has room.
    func sendNow(_ message: [UInt8], to peer: LatticeCore.PeerID) throws(LatticeError) -> Bool {
        guard let (streams, number) = channels.look({ $0.sending(to: peer) }) else { return false }
        do throws(RequestError) {
            return try streams.sendNow(on: number) { MessageFrame.append(message: message, to: &$0) }
        } catch {
            throw ended(number, with: peer, LatticeError(error))
        }
    }

    /// - Returns: what the sender learns.
    private func ended(_ number: Int, with peer: LatticeCore.PeerID, _ error: LatticeError) -> LatticeError {
        guard error.code == .reset || error.code == .interrupted else { return error }
        channels.change { $0.hasEnded(number, with: peer, isBroken: false) }
        return .interrupted
    }

    private nonisolated(nonsending) func stream(
        to peer: LatticeCore.PeerID, on running: ServingNode
    ) async throws(LatticeError) -> Int {
        var awaited: UInt64?
        let way = await channels.first { $0.way(to: peer, awaited: &awaited) }
        switch way {
        case .stream(let number): return number
        case .broken: throw .interrupted
        case .failed(let error): throw error
        case nil: throw .cancelled
        case .toOpen: break
        }
        return try await open(to: peer, on: running) { channels in
            var awaited: UInt64?
            // What is sent over it from now on is a message of the program.
            _ = channels.way(to: peer, awaited: &awaited)
        }
    }

    /// The caller has begun an attempt.
    ///
    /// - Parameter note: what changes with the opened stream.
    @discardableResult
    private nonisolated(nonsending) func open(
        to peer: LatticeCore.PeerID, on running: ServingNode, _ note: (inout MessageChannels) -> Void = { _ in }
    ) async throws(LatticeError) -> Int {
        do throws(LatticeError) {
            guard board.read({ $0[peer]?.state == .connected }) else {
                throw LatticeError(.noRoute, "the peer is not connected")
            }
            let number = try await running.open(peer, for: .messages, wait: Self.openTimeout).stream
            channels.change { channels in
                channels.hasOpened(number, to: peer)
                note(&channels)
            }
            openedInput.yield(Opened(number: number, peer: peer))
            return number
        } catch {
            channels.change { $0.couldNotOpen(to: peer, error, at: .now) }
            throw error
        }
    }

    /// Opens streams to peers whose keys datagrams wait for.
    private func openForDatagrams(on running: ServingNode) async {
        await withDiscardingTaskGroup { group in
            for await peer in datagrams.toOpen {
                group.addTask {
                    do throws(LatticeError) {
                        try await self.open(to: peer, on: running)
                    } catch {
                        // What waits grows old. A later datagram causes another attempt.
                    }
                }
            }
        }
    }

    // MARK: - Receiving

    private func read(_ stream: Opened, on running: ServingNode) async {
        // An answer waits for room that the other side makes by reading, so this side must go on reading meanwhile.
        let (answers, input) = AsyncStream.makeStream(
            of: UInt64.self, bufferingPolicy: .bufferingNewest(Self.answersMax))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.answer(answers, on: stream.number, running) }
            await self.readAll(stream, answeringTo: input, on: running)
            group.cancelAll()
        }
    }

    private func readAll(
        _ stream: Opened, answeringTo answers: AsyncStream<UInt64>.Continuation, on running: ServingNode
    ) async {
        var reader = MessageReader()
        do {
            while true {
                let part = try await running.node.streams.receive(stream.number)
                if part.isEnd { break }
                reader.add(part.bytes)
                try await take(&reader, from: stream, answeringTo: answers)
            }
            // Its session ends, and has sent all it will. What was sent to it is read until this side ends, too.
            channels.change { $0.hasEnded(stream.number, with: stream.peer, isBroken: false) }
            answers.finish()
            try await running.node.streams.finish(stream.number)
        } catch {
            // A broken stream; the next sender learns it.
            running.node.streams.reset(stream.number)
            channels.change { $0.hasEnded(stream.number, with: stream.peer, isBroken: true) }
        }
    }

    private func answer(_ flushes: AsyncStream<UInt64>, on stream: Int, _ running: ServingNode) async {
        for await number in flushes {
            do throws(RequestError) {
                try await running.node.streams.send(MessageFrame.flushed(number).bytes, on: stream)
            } catch {
                return  // The stream ends.
            }
        }
    }

    /// Takes all that is there. Messages that came together are put into the inbox together.
    private func take(
        _ reader: inout MessageReader, from stream: Opened, answeringTo answers: AsyncStream<UInt64>.Continuation
    ) async throws {
        var sender: (peer: Peer, hops: Int)?
        var messages: [Received] = []
        while let frame = try reader.next() {
            switch frame {
            case .message(let bytes):
                let from = if let sender { sender } else { try await self.sender(stream.peer) }
                sender = from
                messages.append(Received(peer: from.peer, bytes: bytes, mode: .reliable, hops: from.hops))
            case .flush(let number):
                try await deliver(messages)
                messages = []
                let id = PeerID(stream.peer)
                guard await inbox.first({ $0.hasRead(all: id) || $0.isOver ? () : nil }) != nil else {
                    throw CancellationError()
                }
                answers.yield(number)
            case .flushed(let number): channels.change { $0.wasFlushed(number) }
            }
        }
        try await deliver(messages)
    }

    /// Waits for room as often as it must.
    private func deliver(_ messages: [Received]) async throws {
        var rest = messages[...]
        while !rest.isEmpty {
            let count = await inbox.first { inbox -> Int? in
                let count = inbox.put(rest)
                return count > 0 ? count : nil
            }
            guard let count else { throw CancellationError() }
            rest = rest.dropFirst(count)
        }
    }

    /// A message never comes before its sender stands on the board as connected.
    private func sender(_ id: LatticeCore.PeerID) async throws -> (peer: Peer, hops: Int) {
        let known = await board.first { board -> (peer: Peer, hops: Int)?? in
            if let status = board[id], let hops = status.hops { return .some((status.peer, hops)) }
            return board.isOver ? .some(nil) : nil
        }
        // After the end nobody reads.
        guard let known = known ?? nil else { throw CancellationError() }
        return known
    }

    // MARK: - Flushing and the end

    /// - Returns: whether the program there has read everything; at once if nothing was sent there.
    func flush(_ peer: LatticeCore.PeerID, on running: ServingNode) async throws(LatticeError) {
        guard let stream = channels.read({ $0.stream(to: peer) }) else { return }
        let number = channels.change { $0.nextFlush() }
        do throws(RequestError) {
            try await running.node.streams.send(MessageFrame.flush(number).bytes, on: stream)
        } catch {
            throw .interrupted
        }
        let isRead = await channels.first { $0.outcome(of: number, over: stream, to: peer) }
        guard let isRead else { throw .cancelled }
        if !isRead { throw .interrupted }
    }

    /// Ends all streams, and gives those who read them a moment to take what waits.
    nonisolated(nonsending) func finish(on running: ServingNode) async {
        // From here on, senders learn that the session is closed.
        let numbers = channels.change { channels in
            channels.streams = nil
            return channels.numbers
        }
        guard !numbers.isEmpty else { return }
        _ = await Bounded.first(within: Self.finishTimeout) {
            await withDiscardingTaskGroup { group in
                for number in numbers {
                    group.addTask {
                        do {
                            try await running.node.streams.finish(number)
                        } catch {
                            // It is over already.
                        }
                    }
                }
            }
        }
    }
}

extension LatticeError {
    static let interrupted = LatticeError(
        .interrupted, "the other side ended or did not answer; the last messages may not have arrived")
}
