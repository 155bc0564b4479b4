import LatticeCore
import Synchronization

/// A plain screen for pipes, dumb terminals and screen readers.
package final class PlainScreen: ChatScreen {
    private let streams = StandardStreams()
    private let splitter: Mutex<LineSplitter>

    /// - Parameters:
    ///   - lineBytesMax: a longer line is refused.
    ///   - textBytesMax: the maximum length of a message that errors name.
    package init(lineBytesMax: Int, textBytesMax: Int) {
        splitter = Mutex(LineSplitter(bytesMax: lineBytesMax, toldMax: textBytesMax))
    }

    package func read() async -> [ChatInput] {
        while true {
            switch await streams.read() {
            case .bytes(let bytes):
                let inputs = splitter.withLock { $0.append(bytes) }
                if !inputs.isEmpty { return inputs }
            case .end: return splitter.withLock { $0.finish() }
            case .woken: return []
            }
        }
    }

    package func show(_ rendered: Rendered) async throws(ScreenClosed) {
        await streams.writeError(rendered.error.map { "\($0)\n" }.joined())
        guard await streams.writeOutput(rendered.output.map { "\($0)\n" }.joined()) else { throw ScreenClosed() }
    }

    package func setContext(_ context: ScreenContext) {}

    package func setLines(_ lines: ScreenLines) {}

    /// The result is shown as a line of its own; a line for every step would be in the way.
    package func setProgress(_ text: String?) {}

    package func clear() {}

    package func leave() {
        streams.wake()
    }
}
