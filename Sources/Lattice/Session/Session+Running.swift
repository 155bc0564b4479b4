import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeNode

extension Session {
    /// How old a round trip becomes: a person moves through a room meanwhile.
    private static let measuringInterval: Duration = .seconds(10)

    /// Opens storage, takes a port, finds peers, links with them and serves.
    ///
    /// Returns after ``close()``, which says goodbye and takes at most 2.5 s; when the task is cancelled, without a goodbye.
    ///
    /// - Throws: ``LatticeError/Code/network`` if the port or the interface cannot be used;
    ///   ``LatticeError/Code/storage`` if the folder cannot be, or another session uses it; ``LatticeError/Code/closed``
    ///   when called a second time or after ``close()``.
    nonisolated(nonsending) public func run() async throws(LatticeError) {
        guard life.change({ $0.begin() }) else { throw .closed }
        try await runBegun()
    }

    private nonisolated(nonsending) func runBegun() async throws(LatticeError) {
        do throws(LatticeError) {
            let kept = try KeptParts(settings)
            defer { kept.close() }
            try await serve(kept)
        } catch {
            finish(error)
            throw error
        }
        finish()
    }

    /// Runs the session as a child task for as long as `body` does.
    ///
    /// `body` begins once the session listens. ``close()`` follows it, whether it returns or throws.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: the errors of ``run()`` and `body`. A session that runs already goes on, and `body` is not called.
    nonisolated(nonsending) public func run<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        // Before `close` can be reached: another caller's session is not ours to end.
        guard life.change({ $0.begin() }) else { throw LatticeError.closed }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.runBegun() }
            do {
                try await waitUntilRunning()
                let value = try await body()
                await close()
                return value
            } catch {
                await close()
                throw error
            }
        }
    }

    private nonisolated(nonsending) func serve(_ kept: KeptParts) async throws(LatticeError) {
        var configuration = try settings.node(kept)
        configuration.announced.onNews = { [nearby, board] news in
            if case .measured(let peer, let roundTrip) = news {
                board.change { $0.measured(peer, roundTrip) }
            } else {
                nearby.change { $0.note(news) }
            }
        }
        let node: Node
        do throws(ListenError) {
            node = try await Node(configuration, logger: settings.configuration.logger)
        } catch {
            throw LatticeError(.network, error.description)
        }
        let events = await node.events()
        let running = ServingNode(
            node: node, id: kept.identity.peer, port: await node.me.port, hasStore: kept.archive != nil)
        messages.begin(on: running)
        guard life.change({ $0.hasOpened(running) }) else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(events, of: running) }
            group.addTask { await self.messages.run(on: running) }
            group.addTask { await self.acceptStreams(on: running) }
            group.addTask { await self.acceptResources(on: running) }
            group.addTask { await self.obeyNearby(on: running) }
            group.addTask { await self.measure(running) }
            #if ServiceLifecycle
                group.addTask { await self.closeAtGracefulShutdown() }
            #endif
            await node.run()
            group.cancelAll()
        }
    }

    private func finish(_ failure: LatticeError? = nil) {
        life.change { $0.end(failure) }
        board.change { $0.end() }
        inbox.change { $0.end() }
        incoming.change { $0.end() }
        _ = resourceQueue.change { $0.end() }
        nearby.change { $0.end() }
    }

    private func follow(_ events: NodeEvents, of running: ServingNode) async {
        for await event in events {
            switch event {
            case .ready: life.change { $0.isReady() }
            case .peer(let change):
                board.change { $0.note(change) }
                // Peers behind it may be out of reach now, or back.
                if change.state != .connecting { await list(running) }
                if change.state == .connected { await RoundTrips.measure(on: running.node) }
            case .presence(let change) where change.id != running.id: board.change { $0.note(change) }
            case .missed: await list(running)
            default: break
            }
        }
    }

    /// The node itself pings only silent neighbours.
    private func measure(_ running: ServingNode) async {
        do {
            while true {
                try await Task.sleep(for: Self.measuringInterval)
                await RoundTrips.measure(on: running.node)
            }
        } catch {
            return  // The session ends.
        }
    }

    private func list(_ running: ServingNode) async {
        do throws(LatticeError) {
            let peers = try await running.perform(ListPeers()).peers
            board.change { $0.replace(with: peers) }
        } catch {
            return  // The session ends, and all peers with it.
        }
    }

    /// Says goodbye, hands over what waits (2.4 s at most) and ends ``run()``. Returns when that has returned. Calling it again
    /// only waits for that; before ``run()`` it keeps the session from ever running.
    nonisolated(nonsending) public func close() async {
        if let running = life.change({ $0.close() }) {
            await messages.finish(on: running)
            await running.node.stop()
        }
        _ = await life.first { $0.phase == .closed ? () : nil }
        board.change { $0.end() }
        inbox.change { $0.end() }
        incoming.change { $0.end() }
        _ = resourceQueue.change { $0.end() }
        nearby.change { $0.end() }
    }

    /// Waits until the session runs.
    nonisolated(nonsending) func running() async throws(LatticeError) -> ServingNode {
        if !Task.isCancelled, let outcome = life.read(\.outcome) { return try outcome.get() }
        guard let outcome = await life.first({ $0.outcome }) else { throw .cancelled }
        return try outcome.get()
    }
}

/// Runs a session as a child task for as long as `body` does.
///
/// `body` begins once the session listens. ``Session/close()`` follows it, whether it returns or throws.
///
/// - Parameters:
///   - configuration: what the session is.
///   - body: what to do with it.
/// - Returns: what `body` returns.
/// - Throws: the errors of ``Session/init(_:)``, ``Session/run()`` and `body`.
nonisolated(nonsending) public func withSession<Value>(
    _ configuration: Configuration,
    _ body: nonisolated(nonsending) (Session) async throws -> Value
) async throws -> Value {
    let session = try Session(configuration)
    return try await session.run { try await body(session) }
}
