import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode

/// The same between two nodes, without the library.
enum LibraryNodes {
    private static func node(_ name: String, to other: PeerAddress? = nil) async throws -> Node {
        var configuration = NodeConfiguration(
            identity: .generate(), name: try PeerName(name), rooms: [], mesh: try MeshName("bench"))
        configuration.discovery = .off
        configuration.interface = "lo"
        configuration.given = [other].compactMap(\.self)
        return try await Node(configuration, logger: MeshWork.logger)
    }

    private static func connected(_ events: NodeEvents) async throws {
        for await event in events {
            if case .peer(let change) = event, change.state == .connected { return }
        }
        throw BenchError("a node ended before it was linked")
    }

    private static func withPair<Value: Sendable>(
        _ work: @Sendable (_ ada: Node, _ bob: Node) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let ada = try await node("ada")
            let toAda = await ada.events()
            group.addTask { await ada.run() }
            let bob = try await node("bob", to: PeerAddress(host: "127.0.0.1", port: await ada.me.port))
            let toBob = await bob.events()
            group.addTask { await bob.run() }
            try await connected(toBob)
            try await connected(toAda)
            let value = try await work(ada, bob)
            await bob.stop()
            await ada.stop()
            return value
        }
    }

    /// With the guarantees that a message of the library has: sealed from end to end, proven, resumed.
    static func stream(bytes: Int, count: Int) async throws -> Double {
        try await withPair { ada, bob in
            let label = try StreamLabel("bench")
            async let listened = bob.perform(ListenForStream(label: label))
            let opened = try await ada.perform(
                OpenStream(PeerReference(await bob.me.id), label: label, wait: .seconds(10)))
            let (near, far) = (opened.stream, try await listened.stream)
            let (message, start) = ([UInt8](repeating: 7, count: bytes), seconds())
            async let end = heard(bytes * count, on: far, by: bob)
            for _ in 0..<count { try await ada.streams.send(message, on: near) }
            return try await end - start
        }
    }

    private static func heard(_ bytes: Int, on stream: Int, by node: Node) async throws -> Double {
        var left = bytes
        while left > 0 { left -= try await node.streams.receive(stream).bytes.count }
        return seconds()
    }

    /// The data path itself, which a neighbour's link alone seals and which loses what a link loses.
    static func data(bytes: Int, count: Int) async throws -> Double {
        try await withPair { ada, bob in
            let (received, peer) = (try bob.data.received(), await bob.me.id)
            try await ada.data.reach(peer)
            let (message, start) = ([UInt8](repeating: 7, count: bytes), seconds())
            async let end = heard(count, from: received)
            for _ in 0..<count { try await ada.data.send(message, to: peer) }
            return try await end - start
        }
    }

    private static func heard(_ count: Int, from received: ReceivedData) async throws -> Double {
        var left = count
        // What was sent to reach it is empty.
        for await data in received where !data.bytes.isEmpty {
            left -= 1
            if left == 0 { return seconds() }
        }
        throw BenchError("a node ended before all was heard")
    }

    /// - Returns: seconds from the first initialiser until both are connected.
    static func connect() async throws -> Double {
        let start = seconds()
        return try await withPair { _, _ in seconds() - start }
    }
}
