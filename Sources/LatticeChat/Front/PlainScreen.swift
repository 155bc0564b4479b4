import LatticeCore
import Synchronization

/// Lines in, lines out: pipes, dumb terminals, screen readers.
package final class PlainScreen: ChatScreen {
    private let streams = StandardStreams()
    private let splitter: Mutex<LineSplitter>

    /// - Parameters:
    ///   - lineBytesMax: a longer line is refused.
    ///   - textBytesMax: how long the text of one can be, as people are told.
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

    /// What is done is told in a line; a line for every step would be in the way.
    package func setProgress(_ text: String?) {}

    package func clear() {}

    package func leave() {
        streams.wake()
    }
}
