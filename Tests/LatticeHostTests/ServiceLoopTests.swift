import LatticeAPI
import LatticeCore
import Logging
import Synchronization
import Testing

@testable import LatticeHost

/// A node that says who it is, and no more.
private struct SilentNode: MeshNode {
    let me: Me

    init() throws {
        me = Me(
            id: PeerID(.zero), name: try PeerName("bob"), mesh: try MeshName("camp"), port: 4_000, discovery: "off",
            rooms: [])
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        guard let reply = me as? R.Reply else {
            throw RequestError.other(code: .stopped, message: "this test does not answer \(R.name)")
        }
        return reply
    }

    func events() async -> NodeEvents { .over }
}

/// A gate that is closed until it is opened.
private actor Gate {
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private(set) var arrived = 0
    private var isOpen = false

    func pass() async {
        arrived += 1
        if !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        waiters.forEach { $0.resume() }
        waiters = []
    }

    func until(_ count: Int) async {
        while arrived < count { await Task.yield() }
    }
}

/// Signals, in the order in which they come.
@Suite(.timeLimit(.minutes(10))) struct ServiceLoopTests {
    private let loop = ServiceLoop(manager: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })

    /// Each is made when the one before has been heard.
    private func signals(_ make: @escaping @Sendable (_ number: Int) async -> ProgramSignal) -> AsyncStream<
        ProgramSignal
    > {
        let count = Mutex(0)
        return AsyncStream {
            await make(
                count.withLock { count in
                    count += 1
                    return count
                })
        }
    }

    /// The end is heard while the settings are still being read, and what reads them is let go of when the node has stopped.
    @Test func theEndDoesNotWaitForTheSettings() async throws {
        let gate = Gate()
        let signals = signals { number in
            guard number > 1 else { return .hangup }
            await gate.until(1)
            return .terminate
        }
        await loop.run(
            signals, node: try SilentNode(), status: "", reload: { await gate.pass() },
            serve: { untilNotified in
                await untilNotified()
                // Only the end of the node ends what was asked of it.
                await gate.open()
            })
        #expect(await gate.arrived == 1)
    }

    @Test func anyNumberOfHangupsWhileOneIsDoneAreOneMore() async throws {
        let gate = Gate()
        let signals = signals { number in
            if number == 2 { await gate.until(1) }
            guard number > 200 else { return .hangup }
            await gate.open()
            await gate.until(2)
            return .terminate
        }
        await loop.run(
            signals, node: try SilentNode(), status: "", reload: { await gate.pass() },
            serve: { untilNotified in await untilNotified() })
        #expect(await gate.arrived == 2)
    }

    @Test func anInterruptEndsItToo() async throws {
        await loop.run(
            signals { _ in .interrupt }, node: try SilentNode(), status: "", reload: { Issue.record("nobody asked") },
            serve: { untilNotified in await untilNotified() })
    }
}
