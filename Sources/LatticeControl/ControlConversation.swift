import Foundation
import LatticeAPI
import LatticeCore
import LatticeSocket
import NIOCore

/// One client: its requests are carried out in the order it sent them, but for those that wait for something.
struct ControlConversation: Sendable {
    let node: any MeshNode
    let closed: String?
    let hub: ControlHub
    let output: NIOAsyncChannelOutboundWriter<ByteBuffer>

    func run(_ lines: NIOAsyncChannelInboundStream<ByteBuffer>) async {
        await withTaskGroup(of: Void.self) { group in
            var waits = 0
            var isSubscribed = false
            do {
                for try await line in lines {
                    guard let request = await understood(line) else { continue }
                    switch request.method {
                    case .failure(let error): await answer(.error(request.id, error))
                    case .success(.hello): await hello(request.id)
                    case .success(.subscribe(let topics)):
                        isSubscribed = true
                        let events = await hub.add(topics)
                        await done(request.id)
                        await tellHowThingsAre(topics)
                        group.addTask { await tell(events) }
                    case .success(.request(let wish)) where Self.waits(wish):
                        if waits == ControlLimit.waitsMax {
                            await group.next()
                            waits -= 1
                        }
                        waits += 1
                        group.addTask { await perform(wish, request.id) }
                    case .success(.request(let wish)): await perform(wish, request.id)
                    }
                }
            } catch is LineTooLong {
                let limit = ControlLimit.requestBytesMax
                await answer(.error(nil, ControlError(.invalidRequest, "a line has at most \(limit) bytes")))
            } catch {
                // The client is gone.
                isSubscribed = true
            }
            // Who has asked all and waits for the answers gets them.
            if isSubscribed { group.cancelAll() }
        }
    }

    private static func waits(_ request: Request) -> Bool {
        switch request {
        case .flush, .probe: true
        default: false
        }
    }

    private func understood(_ line: ByteBuffer) async -> ControlRequest? {
        guard line.readableBytes > 0 else { return nil }
        do {
            return try JSONDecoder().decode(ControlRequest.self, from: Data(line.readableBytesView))
        } catch {
            await answer(.error(nil, Self.fault(error)))
            return nil
        }
    }

    private static func fault(_ error: any Error) -> ControlError {
        if case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty {
            return ControlError(.parseError, "this is no line of JSON")
        }
        return ControlError(.invalidRequest, ControlRequest.told(error))
    }

    private func perform(_ request: Request, _ id: Int64?) async {
        do {
            let answer = try await node.perform(request)
            if let id { await self.answer(.answer(id, answer)) }
        } catch {
            await answer(.error(id, ControlError(error)))
        }
    }

    private func done(_ id: Int64?) async {
        if let id { await answer(.answer(id, .done)) }
    }

    private func hello(_ id: Int64?) async {
        guard let id else { return }
        do {
            guard case .me(let me) = try await node.perform(.me) else {
                preconditionFailure("each request names its answer")
            }
            await answer(.hello(id, ControlHello(me: me, closed: closed)))
        } catch {
            await answer(.error(id, ControlError(error)))
        }
    }

    /// What whoever subscribed from the start would have been told: who this is, who is there, how far it is. What happens meanwhile
    /// follows, and may be told twice.
    private func tellHowThingsAre(_ topics: Set<ControlTopic>) async {
        do {
            if await hub.isReady, case .me(let me) = try await node.perform(.me) { await answer(.event(.ready(me))) }
            if topics.contains(.peers), case .peers(let peers) = try await node.perform(.peers) {
                for event in peers.flatMap(Self.events) { await answer(.event(event)) }
            }
            if topics.contains(.sync), case .syncStatus(let status) = try await node.perform(.syncStatus),
                let progress = status.progress
            {
                await answer(.event(.sync(progress)))
            }
        } catch {
            return  // Without a store nothing is compared.
        }
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
                let presence = PresenceChange(id: id, name: name, isHere: true, rooms: peer.rooms, hops: peer.hops ?? 0)
                events.append(.presence(presence))
            }
            return events
        } catch {
            return []  // What is only announced may be no name.
        }
    }

    private func tell(_ events: AsyncStream<ByteBuffer>) async {
        do {
            for await line in events { try await output.write(line) }
        } catch {
            // The client is gone.
        }
    }

    private func answer(_ reply: ControlReply) async {
        do {
            try await output.write(ByteBuffer(bytes: ControlLine.bytes(of: reply)))
        } catch {
            // The client is gone.
        }
    }
}
