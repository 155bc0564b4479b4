package import LatticeAPI
package import LatticeCore
package import LatticeSocket
package import Logging
import NIOCore
import NIOPosix

/// Serves IRC clients on the mesh: each connection is a persona of its own.
package struct IRCServer: Sendable {
    /// How often timeouts of silent clients are checked.
    private static let tick: Duration = .milliseconds(500)
    /// Time for clients to read their last lines.
    private static let stopPatience: Duration = .milliseconds(400)

    private let node: any MeshHost
    private let hub: IRCHub
    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let logger: Logger
    /// The listening address, with the port that the system chose.
    package let address: PeerAddress

    /// Binds an address.
    ///
    /// - Parameters:
    ///   - address: port 0 lets the system choose.
    ///   - marks: the stored read markers; see `keep`.
    ///   - keep: stores the read markers, at most a few times a second.
    /// - Throws: `AddressFault` if the address cannot be bound.
    package static func listening(
        at address: PeerAddress, node: any MeshHost, settings: IRCSettings, security: TLSIdentity? = nil,
        marks: String = "", date: @escaping @Sendable () -> WallTime,
        keep: @escaping @Sendable (String) -> Void = { _ in }, logger: Logger
    ) async throws -> IRCServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let gateway = IRCGateway(settings, readMarks: IRCReadMarks(marks))
        let hub = IRCHub(gateway, on: group.next(), date: date, keep: keep)
        do {
            let listener = try await ServerBootstrap.front(on: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let security { try pipeline.addHandler(security.handler()) }
                        try pipeline.addHandler(ByteToMessageHandler(IRCLineCutter()))
                        try pipeline.addHandler(IRCClientHandler(hub, isSecure: security != nil))
                    }
                }
                .bind(host: address.host, port: Int(address.port)).get()
            let port = listener.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? address.port
            return IRCServer(
                node: node, hub: hub, listener: listener, group: group, logger: logger,
                address: PeerAddress(host: address.host, port: port))
        } catch {
            try await group.shutdownGracefully()
            throw AddressFault(.init(error), at: "\(address)")
        }
    }

    /// Serves until its task is cancelled; then sends every client an ERROR and closes it.
    package func run() async {
        let events = await node.publicEvents()
        await greet()
        await lookAtCard()
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await event in events {
                    await hub.handle(.told(event))
                    if event.mayBeOfCard { await lookAtCard() }
                }
            }
            group.addTask { await tick() }
            group.addTask { await answer() }
        }
        await stop()
    }

    /// Reports who is present at the start.
    private func greet() async {
        do {
            let (peers, me) = (try await node.perform(ListPeers()).peers, try await node.perform(ShowMe()))
            let rooms = me.rooms.filter { !me.privateRooms.contains($0) }
            // Clients see the owner as one of the people present. A node only for clients has no visible owner.
            let owner = PeerInfo(
                id: me.id, prefix: nil, name: me.name.text, state: .connected, hops: 0, isHere: true, rooms: rooms)
            await hub.handle(.found(me.rooms.isEmpty ? peers : peers + [owner]))
        } catch {
            logger.warning("cannot list who is here yet", metadata: ["error": "\(error)"])
        }
    }

    /// A node without a store has none.
    private func lookAtCard() async {
        do {
            await hub.handle(.card(try await node.perform(ShowMeshCard())))
        } catch {
            logger.debug("cannot read the card of the mesh", metadata: ["error": "\(error)"])
        }
    }

    private func tick() async {
        do {
            while true {
                try await Task.sleep(for: Self.tick)
                await hub.woke()
            }
        } catch {
            return  // The server is stopping.
        }
    }

    private func answer() async {
        await withDiscardingTaskGroup { group in
            for await asked in hub.asked {
                // Awaited, so that the account can be admitted again by a later request.
                if asked.question == nil {
                    await asked.visitor?.leave()
                } else {
                    group.addTask { await answer(asked) }
                }
            }
            group.cancelAll()
        }
    }

    private func answer(_ asked: IRCHub.Asked) async {
        guard let (ticket, question) = asked.question else { return }
        do throws(RequestError) {
            let answer: IRCAnswer
            switch question {
            case .admit(let account, let name):
                let visitor = try await node.admit(account, as: name)
                let events = await visitor.ownEvents()
                await hub.admitted(asked.id, ticket, visitor)
                for await event in events { await hub.handle(.deliveredAlone(asked.id, event)) }
                return
            case .opens(let account, let password): answer = .says(try await node.opens(account, password: password))
            case .isClaimed(let account): answer = .says(try await node.isClaimed(account))
            case .perform(let request):
                guard let visitor = asked.visitor else {
                    throw RequestError.stopped(why: .clientGone)
                }
                answer = .answer(try await request.performed(on: visitor))
            case .performForOwner(let request): answer = .answer(try await request.performed(on: node))
            }
            await hub.handle(.answered(asked.id, ticket, .success(answer)))
        } catch {
            await hub.handle(.answered(asked.id, ticket, .failure(error)))
        }
    }

    private func stop() async {
        do {
            try await listener.close()
        } catch {
            logger.debug("the listener was closed already", metadata: ["error": "\(error)"])
        }
        await hub.stop()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await untilEmpty() }
            await group.waitForAll()
        }
        do {
            try await group.shutdownGracefully()
        } catch {
            logger.debug("a connection did not close", metadata: ["error": "\(error)"])
        }
    }

    /// Polls until all clients are gone; only used at shutdown.
    private func untilEmpty() async {
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: Self.stopPatience)
        while await !hub.isEmpty, clock.now < end {
            // A cancelled task cannot sleep, so it waits for a timer of the event loop.
            do {
                try await hub.loop.scheduleTask(in: .milliseconds(10)) {}.futureResult.get()
            } catch {
                return
            }
        }
    }
}

extension NodeEvent {
    /// Whether the card of the mesh may have changed.
    fileprivate var mayBeOfCard: Bool {
        guard case .changed(let changes) = self else { return false }
        return changes.isMany || changes.people.contains { $0.kinds.contains(.card) }
    }
}
