import LatticeAPI
import LatticeBridge
import LatticeControl
import LatticeCore
import LatticeNode

/// Keeps a bridge between a node and a broker, and finds both again when they were gone.
struct BridgeRunner: Sendable {
    /// As in sysexits(3) where possible.
    enum End: Int32 {
        case done = 0
        case failed = 1
        case unreachable = 69
        case tryAgain = 75
        case refused = 77
        case otherSettings = 78
    }

    /// Connects to the broker, with the state in the file at the path.
    typealias Connect = @Sendable (ControlClient, ReadBridgeMesh.Reply, _ path: String) async throws -> any EngineBridge

    private let via: RecordVia
    private let node: NodeOptions
    private let isOnce: Bool
    private let connect: Connect
    private let journal = BridgeJournal()
    private let reporter: BridgeReporter
    private static let pause: Duration = .seconds(1)

    /// - Parameter broker: its address, without secrets.
    init(_ via: RecordVia, at broker: String, node: NodeOptions, isOnce: Bool, connect: @escaping Connect) {
        (self.via, self.node, self.isOnce, self.connect) = (via, node, isOnce, connect)
        reporter = BridgeReporter(over: via, at: broker)
    }

    /// Something was in the way for too long, and the bridge was to run once.
    private struct Stuck: Error {
        let words: String
    }

    /// How long something may be in the way of a bridge that runs once.
    private static let patience: Duration = .seconds(15)

    /// Returns when the task is cancelled, when waiting does not help, or, if it runs once, when both sides have everything.
    func run() async -> End {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await reporter.run(for: node) }
            defer { group.cancelAll() }
            return await rounds()
        }
    }

    private func rounds() async -> End {
        while !Task.isCancelled {
            do {
                try await round()
                return .done
            } catch {
                if Task.isCancelled { return .done }
                let (end, words) = Self.meaning(of: error)
                journal.say(words)
                reporter.stopped(by: error, words)
                // What worked before may work again, as after a password was changed on both sides.
                let isPassing = [.unreachable, .tryAgain].contains(end) || end == .refused && journal.wasConnected
                if isOnce || !isPassing { return end }
            }
            do {
                try await Task.sleep(for: Self.pause)
            } catch {
                return .done
            }
        }
        return .done
    }

    private func round() async throws {
        let (client, directory) = try await node.client()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await client.run()
                throw RequestError.stopped(why: .ended)
            }
            group.addTask { try await bridge(client, directory) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func bridge(_ client: ControlClient, _ directory: DataDirectory) async throws {
        let mesh = try await client.perform(ReadBridgeMesh())
        let tag = LiveWrapping(mesh: mesh.mesh, key: mesh.key).tag
        let path = node.state ?? directory.bridgeStatePath(engine: via.rawValue, tag: tag)
        let bridge = try await connect(client, mesh, path)
        journal.connected()
        do {
            reporter.note { standing, _ in standing.connected() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await bridge.run() }
                group.addTask { try await report(on: bridge) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            try await bridge.close()
            throw error
        }
        try await bridge.close()
    }

    /// Prints changes of the status. With `--once` it returns when both sides have everything.
    private func report(on bridge: any EngineBridge) async throws {
        var stuckSince: ContinuousClock.Instant?
        while true {
            let status = await bridge.status
            let (isComplete, feed) = (await bridge.isComplete, await bridge.openFeed)
            journal.note(status, isComplete: isComplete)
            reporter.note { standing, now in
                standing.note(status, isComplete: isComplete, feed: feed, at: now)
            }
            if isOnce, isComplete { return journal.note(await bridge.status, isComplete: true) }
            let obstacle = status.obstacles.first
            if isOnce, let obstacle, let stuckSince, stuckSince.duration(to: .now) > Self.patience {
                throw Stuck(words: BridgeJournal.words(obstacle))
            }
            stuckSince = obstacle == nil ? nil : stuckSince ?? .now
            try await Task.sleep(for: .milliseconds(isOnce ? 20 : 1_000))
        }
    }

    private static func meaning(of error: any Error) -> (End, String) {
        switch error {
        case let error as NoNode:
            (.tryAgain, "no node runs for \(error.folder); start one with 'lattice run'")
        case let fault as BrokerFault:
            switch fault {
            case .unreachable(let why): (.unreachable, "the broker is not reachable: \(why)")
            case .refused(let why): (.refused, "the broker refuses: \(why)")
            case .otherSettings(let why): (.otherSettings, why)
            case .missingStream(let name):
                (.otherSettings, "there is no stream \(name), and --create never forbids to create it")
            case .closed(let why): (.unreachable, why)
            }
        case let error as Stuck: (.tryAgain, error.words)
        case .stopped(why: .otherVersion) as RequestError: (.failed, "the node is of another version than this bridge")
        case .stopped as RequestError, .feed as RequestError: (.tryAgain, "the node has ended")
        case .store as RequestError: (.tryAgain, "the node cannot read or write its store; 'lattice doctor' says why")
        default: (.failed, "\(error)")
        }
    }
}
