package import LatticeAPI
package import LatticeCore

/// Serves the page and the API to browsers and programs.
package struct HTTPServer: Sendable {
    private let node: any MeshNode
    let responder: HTTPResponder
    private let listener: HTTPListener
    /// The listening address, with the port that the system chose.
    package var address: PeerAddress { listener.address }

    /// Binds an address.
    ///
    /// - Parameter address: port 0 lets the system choose.
    /// - Throws: `AddressFault` if the address cannot be bound.
    package static func listening(
        at address: PeerAddress, node: any MeshNode, settings: HTTPSettings
    ) async throws -> HTTPServer {
        let responder = HTTPResponder(node: node, host: address.host, settings: settings)
        let listener = try await HTTPListener(
            at: address, limits: settings.limits, table: responder.table, security: settings.security
        ) { try await responder.respond(to: $0, in: &$1) }
        return HTTPServer(node: node, responder: responder, listener: listener)
    }

    /// Serves until its task is cancelled; then streams end, responses in progress are finished, and all connections
    /// are closed.
    package func run() async {
        await responder.visitors?.begin()
        let events = await node.events()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await responder.hub.run(events) }
            group.addTask { await beat() }
            group.addTask { await listener.accept() }
            if let visitors = responder.visitors { group.addTask { await visitors.runner.run() } }
            await group.next()
            group.cancelAll()
            group.addTask { await listener.closeAll { responder.isAnswering } }
        }
        await responder.visitors?.close()
        await listener.shutDown()
    }

    private func beat() async {
        do {
            while true {
                try await Task.sleep(for: responder.settings.limits.heartbeat)
                await responder.hub.beat()
                await responder.visitors?.beat()
            }
        } catch {
            return  // It ends.
        }
    }
}
