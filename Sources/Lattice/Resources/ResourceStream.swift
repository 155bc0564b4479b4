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

    /// How long nothing may come, or be taken, while it should. Streams give up a silent peer after half a minute, but not one
    /// that answers without doing anything.
    static let stallTimeout: Duration = .seconds(60)
    /// How long the end of a transfer waits for the other side: longer than a stream waits for a lost link.
    private static let endTimeout: Duration = .seconds(40)

    private let number: Int
    private let node: Node
    private let stall: Duration
    private let state = Mutex(State())

    init(_ info: StreamInfo, on node: Node, stall: Duration = stallTimeout) {
        (number, self.node, self.stall) = (info.stream, node, stall)
    }

    deinit {
        reset(.ended)
    }

    /// Whether neither side gave it up.
    var isOpen: Bool { node.streams.isOpen(number) }

    /// Returns when there is space for them, which is before they have come.
    ///
    /// - Parameter bytes: at most `SendBytes.bytesMax`.
    func send(_ bytes: [UInt8]) async throws(RequestError) {
        try await limited { [node, number] () async throws(RequestError) in
            try await node.streams.send(bytes, on: number)
        }
    }

    /// Waits until this number of bytes has come, and takes them.
    ///
    /// - Parameter isPatient: whether the other side may take any time, because it waits for a person.
    /// - Throws: if the stream ends before.
    func take(_ count: Int, isPatient: Bool = false) async throws(RequestError) -> ArraySlice<UInt8> {
        var bytes = state.withLock { state in
            defer { state.rest = [] }
            return state.rest
        }
        while bytes.count < count {
            let receive = { @Sendable [node, number] () async throws(RequestError) in
                try await node.streams.receive(number)
            }
            let part = isPatient && bytes.isEmpty ? try await receive() : try await limited(receive)
            guard !part.isEnd else { throw .stream(fault: .overOnBothSides) }
            bytes += part.bytes
        }
        let rest = bytes.dropFirst(count)
        state.withLock { $0.rest = rest }
        return bytes.prefix(count)
    }

    private func limited<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        guard !Task.isCancelled else { throw .stopped(why: .cancelled) }
        let outcome = await Bounded.first(within: stall) { () async -> Result<Value, RequestError>? in
            do throws(RequestError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        if let outcome { return try outcome.get() }
        throw Task.isCancelled ? .stopped(why: .cancelled) : .stream(fault: .noAnswer)
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
            while try await !node.streams.receive(number).isEnd, !Task.isCancelled {}
        } catch {
            // It is over already.
        }
    }

    /// Gives it up; the other side learns why. Nothing happens if it is over.
    func reset(_ reason: StreamReason) {
        if endsNow() { node.streams.reset(number, because: reason) }
    }

    /// Gives it up, because there is no space for it.
    func refuse() {
        if endsNow() { node.streams.refuse(number) }
    }

    private func endsNow() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
    }
}
