import Foundation
import LatticeAPI
import LatticeCore
import LatticeSocket
import NIOCore

/// One client. Its requests are carried out in order, except for those that wait for something.
struct ControlConversation: Sendable {
    let node: any MeshNode
    let names: RequestNames
    let streamNode: (any StreamNode)?
    let feedNode: (any FeedNode)?
    let closed: String?
    let hub: ControlHub
    let channel: any Channel
    let output: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private let streams = ControlStreams()
    private let records = ControlRecords()
    private let reports = ControlReports()

    init(
        node: any MeshNode, names: RequestNames, streamNode: (any StreamNode)?, feedNode: (any FeedNode)?,
        closed: String?, hub: ControlHub, channel: any Channel, output: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        (self.node, self.names, self.closed, self.hub) = (node, names, closed, hub)
        (self.streamNode, self.feedNode) = (streamNode, feedNode)
        (self.channel, self.output) = (channel, output)
    }

    private enum Ended {
        case answered
        /// A feed has ended.
        case followed
        case closed
    }

    /// What is under way beside the client's next request.
    private struct Pending {
        var waits = 0
        var feeds = 0
        var isOpen = true

        mutating func ended(_ end: Ended?) {
            switch end {
            case .answered: waits -= 1
            case .followed: feeds -= 1
            case .closed, nil: isOpen = false
            }
        }
    }

    func run(_ lines: NIOAsyncChannelInboundStream<ByteBuffer>) async {
        var subscriptions: [Int] = []
        await withTaskGroup(of: Ended.self) { group in
            var (pending, isFirst) = (Pending(), true)
            group.addTask { await isClosed() }
            do {
                for try await line in lines {
                    guard let request = await understood(line) else { continue }
                    defer { isFirst = false }
                    switch request.method {
                    case .failure(let error): await answer(.error(request.id, error))
                    case .success(.hello): await hello(request.id)
                    case .success(.subscribe) where subscriptions.count == ControlLimit.subscriptionsMax:
                        let limit = ControlLimit.subscriptionsMax
                        let text = "this connection already has \(limit) subscriptions; open another one"
                        await answer(.error(request.id, ControlError(.invalidParams, text)))
                    case .success(.subscribe(let wish)):
                        subscriptions.append(try await subscribe(wish, request.id))
                    case .success(.attach(let stream)) where isFirst:
                        // The connection then carries lines no longer, until it closes.
                        guard await attach(to: stream, request.id) else { continue }
                        _ = await group.next()
                        pending.isOpen = false
                    case .success(.attach):
                        let text = "only the first line of a connection can attach it to a stream; open another one"
                        await answer(.error(request.id, ControlError(.invalidRequest, text)))
                    case .success(.request(let wish)):
                        await carryOut(reports.numbered(wish), request.id, &pending, &group)
                    }
                }
                // A client that has closed its sending side still gets its answers, and its events until it disconnects.
                while pending.isOpen, pending.waits > 0 || pending.feeds > 0 || !subscriptions.isEmpty {
                    pending.ended(await group.next())
                }
            } catch is LineTooLong {
                let limit = ControlLimit.requestBytesMax
                await answer(.error(nil, ControlError(.invalidRequest, "a line can have at most \(limit) bytes")))
            } catch {
                // The client has disconnected.
            }
            group.cancelAll()
        }
        for number in subscriptions { await hub.remove(number) }
        await streams.end(on: node)
        await records.end(on: node)
        await reports.end(on: node)
    }

    /// Carries out a request, or starts one that waits for something.
    private func carryOut(
        _ wish: any Request, _ id: ControlID?, _ pending: inout Pending, _ group: inout TaskGroup<Ended>
    ) async {
        // Feeds of other connections are none of its own.
        if let taken = wish as? RecordsTaken, !records.isOpen(taken.feed) {
            return await answer(.error(id, ControlError(RequestError.feed(fault: .unknown))))
        }
        if let end = wish as? RecordsEnd, !records.isOpen(end.feed) { return await done(id) }
        guard type(of: wish).traits.contains(.waits) else {
            await perform(wish, id)
            for feed in records.takeOpened() {
                pending.feeds += 1
                group.addTask {
                    await follow(feed)
                    return .followed
                }
            }
            return
        }
        if let objection = streams.objection(to: wish) { return await answer(.error(id, ControlError(objection))) }
        while pending.waits == ControlLimit.waitsMax, pending.isOpen { pending.ended(await group.next()) }
        guard pending.isOpen else { return }
        pending.waits += 1
        group.addTask {
            await perform(wish, id)
            return .answered
        }
    }

    /// Sends the records of a feed until it ends, as fast as the client takes them.
    private func follow(_ feed: Int) async {
        guard let feedNode else { return }
        do {
            while true { await answer(.records(try await feedNode.nextRecords(of: feed))) }
        } catch {
            // The client ended it, or has disconnected.
            guard error != .feed(fault: .unknown), !Task.isCancelled else { return }
            await answer(.recordsEnded(feed, error))
        }
    }

    /// Returns when both sides of the connection are closed, or the task is cancelled.
    private func isClosed() async -> Ended {
        let (stream, input) = AsyncStream<Never>.makeStream()
        channel.closeFuture.whenComplete { _ in input.finish() }
        for await _ in stream {}
        return .closed
    }

    /// - Returns: the subscription's number at the hub.
    private func subscribe(_ wish: ControlSubscription, _ id: ControlID?) async throws -> Int {
        let channel = channel
        let feed = try await channel.eventLoop.submit {
            let feed = ControlFeed()
            try channel.pipeline.syncOperations.addHandler(feed, position: .first)
            return NIOLoopBound(feed, eventLoop: channel.eventLoop)
        }.get()
        let number = await hub.add(wish, feed, on: channel.eventLoop)
        await done(id)
        let first = await howThingsAre(wish.topics).map(ControlLine.lines)
        channel.eventLoop.execute { feed.value.begin(first) }
        return number
    }

    private func understood(_ line: ByteBuffer) async -> ControlRequest? {
        // Blanks alone are an empty line (RFC 8259, section 2).
        guard !line.readableBytesView.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) else { return nil }
        do {
            return try ControlRequest.decoder(names).decode(ControlRequest.self, from: Data(line.readableBytesView))
        } catch {
            await answer(.error(nil, Self.fault(error)))
            return nil
        }
    }

    private static func fault(_ error: any Error) -> ControlError {
        if case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty {
            return ControlError(.parseError, "this line is not JSON")
        }
        return ControlError(.invalidRequest, ControlRequest.told(error))
    }

    private func perform<R: Request>(_ request: R, _ id: ControlID?) async {
        do {
            let reply = try await node.perform(request)
            streams.done(request, reply)
            records.done(request, reply)
            if let id { await answer(.reply(id, name: R.replyName, reply)) }
        } catch {
            streams.done(request, nil)
            await answer(.error(id, ControlError(error)))
        }
    }

    /// - Returns: whether this connection carries the stream's bytes now.
    private func attach(to stream: Int, _ id: ControlID?) async -> Bool {
        do {
            guard let streamNode else { throw RequestError.stream(fault: .unknown) }
            let done = id.map {
                ByteBuffer(bytes: ControlLine.bytes(of: ControlReply.reply($0, name: "stream.done", Done())))
            }
            try await AttachmentHandler.attach(to: stream, of: streamNode, on: channel, answer: done)
            return true
        } catch let error as RequestError {
            await answer(.error(id, ControlError(error)))
        } catch {
            // The client has disconnected.
        }
        return false
    }

    private func done(_ id: ControlID?) async {
        if let id { await answer(.reply(id, name: "done", Done())) }
    }

    private func hello(_ id: ControlID?) async {
        guard let id else { return }
        do {
            await answer(.hello(id, ControlHello(me: try await node.perform(ShowMe()), closed: closed)))
        } catch {
            await answer(.error(id, ControlError(error)))
        }
    }

    /// The current state as events: identity, peers, progress. A new subscriber gets these first. Events during the call follow
    /// and may repeat some of them.
    private func howThingsAre(_ topics: Set<ControlTopic>) async -> [NodeEvent] {
        var events: [NodeEvent] = []
        do {
            if await hub.isReady { events.append(.ready(try await node.perform(ShowMe()))) }
            if topics.contains(.peers) { events += try await node.perform(ListPeers()).peers.flatMap(Self.events) }
            if topics.contains(.sync), let progress = try await node.perform(ShowSyncStatus()).progress {
                events.append(.sync(progress))
            }
        } catch {
            return events  // Without a store there is no progress.
        }
        return events
    }

    private static func events(of peer: PeerInfo) -> [NodeEvent] {
        guard let id = peer.id else { return [] }
        do {
            let name = try PeerName(peer.name)
            var events: [NodeEvent] = []
            if peer.state == .connected {
                events.append(.peer(PeerChange(id: id, name: name, state: .connected, reason: nil)))
            }
            if peer.isHere {
                let presence = PresenceChange(
                    id: id, name: name, isHere: true, rooms: peer.rooms, hops: peer.hops ?? 0, away: peer.away)
                events.append(.presence(presence))
            }
            return events
        } catch {
            return []  // An announced name may be invalid.
        }
    }

    private func answer(_ reply: ControlReply) async {
        do {
            try await output.write(ByteBuffer(bytes: ControlLine.bytes(of: reply)))
        } catch {
            // The client has disconnected.
        }
    }
}
