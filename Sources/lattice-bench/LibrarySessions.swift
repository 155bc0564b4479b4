import Foundation
import Lattice

/// Sessions of this process, linked over loopback.
enum LibrarySessions {
    private static func configuration(_ name: String, to other: PeerAddress? = nil) -> Configuration {
        var configuration = Configuration(name: name, mesh: "bench")
        configuration.discovery = .off
        configuration.interface = "lo"
        configuration.addresses = [other].compactMap(\.self)
        return configuration
    }

    private static func address(of session: Session) async throws -> PeerAddress {
        guard let address = PeerAddress(host: "127.0.0.1", port: try await session.port) else {
            throw BenchError("a session has no port")
        }
        return address
    }

    /// Returns when this many others are connected.
    private static func connected(_ count: Int, by session: Session) async throws -> Peer {
        for await update in session.peerUpdates where session.connectedPeers.count >= count { return update.peer }
        throw BenchError("a session ended before all were connected")
    }

    private static func withPair<Value: Sendable>(
        _ work: @Sendable (_ ada: Session, _ bob: Session, _ toBob: Peer) async throws -> Value
    ) async throws -> Value {
        try await withSession(configuration("ada")) { ada in
            try await withSession(configuration("bob", to: address(of: ada))) { bob in
                _ = try await connected(1, by: bob)
                return try await work(ada, bob, connected(1, by: ada))
            }
        }
    }

    private static func heard(_ count: Int, by session: Session) async throws -> Double {
        var left = count
        for await _ in session.received {
            left -= 1
            if left == 0 { return seconds() }
        }
        throw BenchError("a session ended before all was heard")
    }

    /// - Returns: seconds from the first call to the last message read.
    static func reliably(bytes: Int, count: Int) async throws -> Double {
        try await withPair { ada, bob, toBob in
            // The first one opens the stream.
            try await ada.send([], to: [toBob])
            _ = try await heard(1, by: bob)
            let (message, start) = ([UInt8](repeating: 7, count: bytes), seconds())
            async let end = heard(count, by: bob)
            for _ in 0..<count { try await ada.send(message, to: [toBob]) }
            return try await end - start
        }
    }

    /// Sends for a while, and lets others work whenever one was dropped.
    ///
    /// - Returns: how many were sent, and came, in a second; and the share that was dropped by the sender.
    static func unreliably(bytes: Int, duration: Double) async throws -> (sent: Double, came: Double, dropped: Double) {
        try await withPair { ada, bob, toBob in
            let message = [UInt8](repeating: 7, count: bytes)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in bob.received {} }
                let start = seconds()
                var (calls, dropped) = (0, 0)
                while seconds() - start < duration {
                    let report = try await ada.send(message, to: [toBob], mode: .unreliable)
                    calls += 1
                    dropped += report.dropped
                    if report.dropped > 0 { await Task.yield() }
                }
                let taken = seconds() - start
                let counts = bob.datagramStatistics
                group.cancelAll()
                return (
                    Double(calls) / taken, Double(counts.received - counts.droppedUnread) / taken,
                    Double(dropped) / Double(calls)
                )
            }
        }
    }

    /// - Returns: seconds from the first initialiser until both are connected.
    static func connect() async throws -> Double {
        let start = seconds()
        return try await withPair { _, _, _ in seconds() - start }
    }

    /// Links this number of sessions in a tree, in which each has three others below it.
    ///
    /// - Returns: seconds from the first initialiser until all are connected with all, and the memory that each takes.
    static func mesh(_ count: Int) async throws -> (seconds: Double, kilobytes: Double) {
        let (start, before) = (seconds(), try ProcessCost(identifier: getpid()).memory().resident)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            var sessions: [Session] = []
            for index in 0..<count {
                let above = sessions.isEmpty ? nil : try await address(of: sessions[(index - 1) / 3])
                let session = try Session(configuration("peer\(index)", to: above))
                group.addTask { try await session.run() }
                try await session.waitUntilRunning()
                sessions.append(session)
            }
            for session in sessions { _ = try await connected(count - 1, by: session) }
            let taken = seconds() - start
            let memory = try ProcessCost(identifier: getpid()).memory().resident - before
            await withDiscardingTaskGroup { closing in
                for session in sessions { closing.addTask { await session.close() } }
            }
            return (taken, Double(memory) / Double(count))
        }
    }
}
