import Foundation
import Glibc
package import LatticeAPI
import LatticeSocket
import NIOCore
import NIOPosix
import Synchronization

/// A node reached through its control socket.
package final class ControlClient: MeshNode {
    private typealias Waiter = CheckedContinuation<Result<ControlArrival, RequestError>, Never>

    private struct State {
        var lastID: Int64 = 0
        var waiters: [Int64: Waiter] = [:]
        /// The type of the request that each id belongs to.
        var asked: [Int64: any Request.Type] = [:]
        var isOver = false
        /// The reason that the node gave for ending, if any.
        var farewell: RequestError?
    }

    private let path: String
    private let server: Arrival
    private let state = Mutex(State())
    private let output: AsyncStream<ByteBuffer>
    private let outputInput: AsyncStream<ByteBuffer>.Continuation
    private let eventStream: NodeEvents
    private let eventInput: NodeEvents.Input
    private let feeds = ClientFeeds()

    /// The socket's backlog is full: the listening process does not accept connections, or not fast enough.
    package struct TooManyWait: Error {}

    /// - Throws: `TooManyWait`, or the system's error if nobody listens there.
    package static func connected(to path: String) async throws -> ControlClient {
        do {
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                // A node that rejects us sends a reason and closes, perhaps before this side starts to read.
                .channelOption(.allowRemoteHalfClosure, value: true)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture { try Arrival.held(channel) }
                }
            return ControlClient(server, path)
        } catch let error as IOError where error.errnoCode == EAGAIN {
            throw TooManyWait()
        }
    }

    private init(_ server: Arrival, _ path: String) {
        (self.server, self.path) = (server, path)
        (output, outputInput) = AsyncStream.makeStream()
        (eventStream, eventInput) = NodeEvents.makeStream()
    }

    /// Sends requests and receives answers until the node ends or the task is cancelled.
    package func run() async {
        do {
            try await server.takeLines(bytesMax: ControlLimit.answerBytesMax).executeThenClose { lines, writer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await self.write(to: writer) }
                    group.addTask { for try await line in lines { try self.arrived(line) } }
                    try await group.next()
                    group.cancelAll()
                }
            }
        } catch {
            // Pending requests fail below.
        }
        let (waiters, farewell) = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [:] }
            return (state.waiters, state.farewell ?? .stopped(why: .ended))
        }
        for waiter in waiters.values { waiter.resume(returning: .failure(farewell)) }
        eventInput.finish()
        feeds.finish(farewell)
    }

    /// A failed write does not end the connection: the node may have sent its reason, which is still to be read.
    private func write(to writer: NIOAsyncChannelOutboundWriter<ByteBuffer>) async {
        for await line in output {
            do {
                try await writer.write(line)
            } catch {
                continue
            }
        }
    }

    /// Whether the node, or the connection to it, has ended.
    package var isOver: Bool { state.withLock(\.isOver) }

    package func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        switch try await ask(.request(request)) {
        case .reply(_, let reply):
            guard let reply = reply as? R.Reply else { throw .stopped(why: .otherVersion) }
            if let end = request as? RecordsEnd { feeds.end(end.feed, .feed(fault: .unknown)) }
            return reply
        case .error(_, let error): throw error.requestError
        case .subscribed, .hello, .event, .records, .recordsEnded, .unknown: throw .stopped(why: .otherVersion)
        }
    }

    package func hello() async throws(RequestError) -> ControlHello {
        guard case .hello(_, let hello) = try await ask(.hello) else { throw .stopped(why: .otherVersion) }
        return hello
    }

    /// Every event from now on; only the last caller receives them.
    package func events() async -> NodeEvents {
        do {
            _ = try await ask(.subscribe)
        } catch {
            eventInput.finish()
        }
        return eventStream
    }

    /// A connection of its own for the bytes of an open stream. This blocks: call it where that delays nobody.
    package func attach(to stream: Int) throws(RequestError) -> StreamSocket {
        guard let socket = StreamSocket(path: path) else { throw .stopped(why: .ended) }
        guard socket.send(ControlLine.bytes(of: ControlCall(id: 1, method: .attach(stream: stream)))) == nil,
            let line = socket.line(bytesMax: ControlLimit.requestBytesMax)
        else { throw .stopped(why: .ended) }
        do {
            let arrival = try ControlArrival.decoder { _ in nil }.decode(ControlArrival.self, from: Data(line))
            if case .error(_, let error) = arrival { throw error.requestError }
            return socket
        } catch let error as RequestError {
            throw error
        } catch {
            throw .stopped(why: .otherVersion)
        }
    }

    private func ask(_ method: ControlCall.Method) async throws(RequestError) -> ControlArrival {
        let ticket = Atomic<Int64>(0)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let (id, farewell): (Int64, RequestError?) = state.withLock { state in
                    guard !state.isOver else { return (0, state.farewell ?? .stopped(why: .ended)) }
                    state.lastID += 1
                    state.waiters[state.lastID] = waiter
                    if case .request(let request) = method { state.asked[state.lastID] = type(of: request) }
                    return (state.lastID, nil)
                }
                if let farewell { return waiter.resume(returning: .failure(farewell)) }
                ticket.store(id, ordering: .sequentiallyConsistent)
                outputInput.yield(ByteBuffer(bytes: ControlLine.bytes(of: ControlCall(id: id, method: method))))
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(ticket.load(ordering: .sequentiallyConsistent))
        }
        return try result.get()
    }

    private func giveUp(_ id: Int64) {
        taken(id)?.resume(returning: .failure(.stopped(why: .ended)))
    }

    private func taken(_ id: Int64) -> Waiter? {
        state.withLock { state in
            state.asked[id] = nil
            return state.waiters.removeValue(forKey: id)
        }
    }

    private func arrived(_ line: ByteBuffer) throws {
        let arrivals = ControlArrival.decoder { [self] id in state.withLock { $0.asked[id] } }
        let arrival = try arrivals.decode(ControlArrival.self, from: Data(line.readableBytesView))
        switch arrival {
        case .event(let event): eventInput.yield(event)
        case .records(let batch): feeds.came(batch)
        case .recordsEnded(let feed, let error): feeds.end(feed, error.requestError)
        case .reply(let id, _), .subscribed(let id), .hello(let id, _), .error(let id?, _):
            taken(id)?.resume(returning: .success(arrival))
        case .error(nil, let error): state.withLock { $0.farewell = error.requestError }
        case .unknown: break
        }
    }
}

extension ControlClient: FeedNode {
    package func nextRecords(of feed: Int) async throws(RequestError) -> RecordBatch {
        try await feeds.next(of: feed)
    }
}
