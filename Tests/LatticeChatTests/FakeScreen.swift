import LatticeChat
import LatticeCore
import Synchronization

/// A screen without a terminal: a test types and looks at what was shown.
final class FakeScreen: ChatScreen {
    private struct State {
        var typed: [[ChatInput]] = []
        var reader: CheckedContinuation<[ChatInput], Never>?
        var shown: [Rendered] = []
        var contexts = [ScreenContext()]
        var delay: (@Sendable (ScreenContext) async -> Void)?
        var lines = ScreenLines()
        var linesWhenShown: [ScreenLines] = []
        var clearCount = 0
        var progress: [String?] = []
        var hasLeft = false
        var isClosed = false
    }

    private let state = Mutex(State())

    // MARK: - What a test does

    func type(_ lines: String...) {
        put(lines.map { .line($0) })
    }

    func put(_ inputs: [ChatInput]) {
        let reader = state.withLock { state -> CheckedContinuation<[ChatInput], Never>? in
            guard let reader = state.reader else {
                state.typed.append(inputs)
                return nil
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: inputs)
    }

    /// From now on nobody reads the output.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    /// From now on a context takes effect only after this.
    func delayContexts(by delay: @escaping @Sendable (ScreenContext) async -> Void) {
        state.withLock { $0.delay = delay }
    }

    var shown: [Rendered] { state.withLock { $0.shown } }
    var output: [String] { shown.flatMap(\.output) }
    var error: [String] { shown.flatMap(\.error) }
    var context: ScreenContext { state.withLock { $0.contexts[$0.contexts.count - 1] } }
    /// In the order in which they took effect.
    var contexts: [ScreenContext] { state.withLock { $0.contexts } }
    /// Inputs that were typed and nobody read.
    var unreadCount: Int { state.withLock { $0.typed.reduce(0) { $0 + $1.count } } }
    var lines: ScreenLines { state.withLock { $0.lines } }
    /// The numbered lines as they were each time when something was shown.
    var linesWhenShown: [ScreenLines] { state.withLock { $0.linesWhenShown } }
    var clearCount: Int { state.withLock { $0.clearCount } }
    /// Every reported progress, in order.
    var progress: [String?] { state.withLock { $0.progress } }
    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    // MARK: - What the chat does

    func read() async -> [ChatInput] {
        await withCheckedContinuation { continuation in
            let inputs = state.withLock { state -> [ChatInput]? in
                if state.hasLeft { return [] }
                if !state.typed.isEmpty { return state.typed.removeFirst() }
                state.reader = continuation
                return nil
            }
            if let inputs { continuation.resume(returning: inputs) }
        }
    }

    func show(_ rendered: Rendered) async throws(ScreenClosed) {
        let isClosed = state.withLock { state in
            if !state.isClosed {
                state.shown.append(rendered)
                state.linesWhenShown.append(state.lines)
            }
            return state.isClosed
        }
        if isClosed { throw ScreenClosed() }
    }

    func setContext(_ context: ScreenContext) async {
        if let delay = state.withLock({ $0.delay }) { await delay(context) }
        state.withLock { $0.contexts.append(context) }
    }

    func setLines(_ lines: ScreenLines) async {
        state.withLock { $0.lines = lines }
    }

    func setProgress(_ text: String?) async {
        state.withLock { $0.progress.append(text) }
    }

    func clear() async {
        state.withLock { $0.clearCount += 1 }
    }

    func leave() {
        let reader = state.withLock { state in
            state.hasLeft = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: [])
    }
}
