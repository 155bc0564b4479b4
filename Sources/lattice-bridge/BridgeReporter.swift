import LatticeAPI
import LatticeBridge
import LatticeControl
import LatticeCore
import LatticeNode
import Synchronization

/// Tells the node how this bridge is doing, over a connection that lasts while the broker is away.
final class BridgeReporter: Sendable {
    /// Changes within this time are reported together.
    private static let pause: Duration = .seconds(1)
    /// Without a change: well before the node forgets the report.
    private static let secondsMax = 10
    private static let now = BridgeTime.system.wallTime

    private let standing: Mutex<BridgeStanding>

    /// - Parameter broker: its address, without secrets.
    init(over via: RecordVia, at broker: String) {
        standing = Mutex(BridgeStanding(BridgeEngine(via), broker: broker, startedAt: Self.now()))
    }

    func note(_ change: (inout BridgeStanding, WallTime) -> Void) {
        standing.withLock { change(&$0, Self.now()) }
    }

    /// Nothing crosses for now.
    func stopped(by error: any Error, _ words: String) {
        let obstacle =
            switch error {
            case let fault as BrokerFault: BridgeReport.Obstacle(fault)
            default: BridgeReport.Obstacle(.other, words)
            }
        note { $0.stopped(obstacle, at: $1) }
    }

    /// Returns when the task is cancelled.
    func run(for node: NodeOptions) async {
        while !Task.isCancelled {
            do {
                try await report(to: node)
            } catch {
                // There is no node now, or it is of another version: the bridge itself prints that.
            }
            await BridgeTime.system.sleep(Self.pause)
        }
    }

    private func report(to node: NodeOptions) async throws {
        let (client, _) = try await node.client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await client.run()
                throw RequestError.stopped(why: .ended)
            }
            group.addTask { try await self.report(to: client) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func report(to client: ControlClient) async throws {
        var told: BridgeReport?
        var seconds = 0
        while true {
            let report = standing.withLock(\.report)
            if report != told || seconds >= Self.secondsMax {
                _ = try await client.perform(ReportBridge(report))
                (told, seconds) = (report, 0)
            }
            try await Task.sleep(for: Self.pause)
            seconds += 1
        }
    }
}

struct NoNode: Error {
    let folder: String
}

extension NodeOptions {
    /// - Returns: a connection that carries nothing before its `run`.
    /// - Throws: `NoNode` if no node runs.
    func client() async throws -> (ControlClient, DataDirectory) {
        let directory = try DataDirectory(name: name, directory: dataDir)
        guard let note = directory.listening(), let path = note.controlPath else {
            throw NoNode(folder: directory.path)
        }
        do {
            return (try await ControlClient.connected(to: path), directory)
        } catch {
            throw NoNode(folder: directory.path)
        }
    }
}
