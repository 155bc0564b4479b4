import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeNode
import Synchronization

/// The stream of one resource. It is reset when its last reference goes before its end.
final class ResourceStream: Sendable {
    private struct State: Sendable {
        /// Bytes that have come and were not taken.
        var rest: ArraySlice<UInt8> = []
        var isOver = false
    }

    /// How long the end of a transfer waits for the other side to notice it.
    private static let endTimeout: Duration = .seconds(10)

    private let number: Int
    private let node: Node
    private let state = Mutex(State())

    init(_ info: StreamInfo, on node: Node) {
        (number, self.node) = (info.stream, node)
    }

    deinit {
        reset(.ended)
    }

    /// Whether neither side gave it up.
    var isOpen: Bool { node.streams.isOpen(number) }

    /// Suspends while the other side has much to read.
    func send(_ bytes: [UInt8]) async throws(RequestError) {
        try await node.streams.send(bytes, on: number)
    }

    /// Waits until this number of bytes has come, and takes them.
    ///
    /// - Throws: if the stream ends before.
    func take(_ count: Int) async throws(RequestError) -> ArraySlice<UInt8> {
        var bytes = state.withLock { state in
            defer { state.rest = [] }
            return state.rest
        }
        while bytes.count < count {
            let part = try await node.streams.receive(number)
            guard !part.isEnd else { throw .stream(fault: .overOnBothSides) }
            bytes = bytes.isEmpty ? part.bytes[...] : bytes + part.bytes
        }
        let rest = bytes.dropFirst(count)
        state.withLock { $0.rest = rest }
        return bytes.prefix(count)
    }

    /// Ends both ways, once the other side has read everything.
    func end() async {
        _ = await Bounded.first(within: Self.endTimeout) { [node, number] in
            await withDiscardingTaskGroup { group in
                group.addTask { await Self.readToEnd(number, on: node) }
                do throws(RequestError) {
                    try await node.streams.finish(number)
                } catch {
                    // It is over already.
                }
            }
        }
        reset(.ended)
    }

    private static func readToEnd(_ number: Int, on node: Node) async {
        do throws(RequestError) {
            while try await !node.streams.receive(number).isEnd {}
        } catch {
            // It is over already.
        }
    }

    /// Gives it up; the other side learns why. Nothing happens if it is over.
    func reset(_ reason: StreamReason) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { node.streams.reset(number, because: reason) }
    }
}
