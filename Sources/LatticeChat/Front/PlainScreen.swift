package import LatticeCore
import Synchronization

/// Lines in, lines out: pipes, dumb terminals, screen readers.
package final class PlainScreen: ChatScreen {
    private let streams = StandardStreams()
    private let splitter: Mutex<LineSplitter>

    /// - Parameter lineBytesMax: a longer line is refused.
    package init(lineBytesMax: Int) {
        splitter = Mutex(LineSplitter(bytesMax: lineBytesMax))
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
        // Nobody need read standard error; a chat goes on without.
        _ = await streams.write(rendered.error.map { "\($0)\n" }.joined(), to: 2)
        guard await streams.write(rendered.output.map { "\($0)\n" }.joined(), to: 1) else { throw ScreenClosed() }
    }

    package func setContext(room: RoomName?, names: [String], rooms: [RoomName]) {}

    package func clear() {}

    package func leave() {
        streams.wake()
    }
}
