import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// A chat between a fake node and a fake screen.
struct ChatRig {
    let node: FakeNode
    let screen = FakeScreen()
    let front: ChatFront
    private let events: NodeEvents
    private let eventInput: NodeEvents.Input
    private let interrupts: AsyncStream<Void>
    private let interruptInput: AsyncStream<Void>.Continuation

    init(
        isInteractive: Bool = true,
        waitCount: Int = 0,
        timeout: Duration? = nil,
        isJSON: Bool = false,
        countsUnread: Bool = false,
        rooms: [String] = ["#lobby"],
        slash: (any ChatExtension)? = nil,
        answering: @escaping FakeNode.Answering = FakeNode.obliging
    ) throws {
        let me = try Samples.me(rooms: rooms)
        var settings = ChatSettings(
            room: try RoomName("#lobby"), isInteractive: isInteractive, now: { Samples.at })
        settings.isForPrograms = isJSON
        settings.countsUnread = countsUnread
        settings.keepsTyped = !isJSON
        settings.waitCount = waitCount
        settings.timeout = timeout
        node = FakeNode(answering)
        front = ChatFront(
            node: node, me: me, screen: screen, renderer: isJSON ? JSONRenderer() : Samples.plainRenderer,
            settings: settings, slash: slash)
        (events, eventInput) = NodeEvents.makeStream()
        (interrupts, interruptInput) = AsyncStream.makeStream()
    }

    /// Until the chat ends, or the test does.
    func run() async -> ChatEnd {
        let interrupts = interrupts
        return await front.run(events: events) {
            for await _ in interrupts { return }
        }
    }

    /// All of it was typed before: the chat runs to its end.
    func run(typing lines: [String], andThen last: ChatInput = .endOfInput) async -> ChatEnd {
        screen.put(lines.map { .line($0) } + [last])
        return await run()
    }

    func tell(_ events: NodeEvent...) {
        for event in events { eventInput.yield(event) }
    }

    func interrupt() {
        interruptInput.yield()
    }

    /// What was said, in order.
    func said() async -> [String] {
        await node.requests.compactMap { ($0.base as? Say)?.text }
    }

    /// Waits until something holds. Looks are counted and not seconds: a test that gets no processor for a minute has
    /// not failed.
    func until(_ what: Comment, _ holds: () async throws -> Bool) async throws {
        for _ in 0..<60_000 {
            if try await holds() { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record(what)
        throw CancellationError()
    }
}
