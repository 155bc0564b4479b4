import Dispatch
import LatticeAPI
import Testing

@testable import LatticeControl

/// Connections that carry the bytes of a stream.
@Suite(.timeLimit(.minutes(5))) struct AttachmentTests {
    private static let attach = ##"{"id":1,"method":"stream.attach","params":{"stream":7}}"## + "\n"
    private static let done = ##"{"id":1,"jsonrpc":"2.0","result":{"stream.done":{}}}"##

    private func until(_ what: String, _ isSo: () -> Bool) async throws {
        while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func attached(_ served: Served) async throws -> RawSocket {
        let socket = try RawSocket(served.path)
        socket.send(Self.attach)
        #expect(try await socket.line() == Self.done)
        return socket
    }

    @Test func bytesGoBothWaysUntilBothSidesHaveEnded() async throws {
        try await Served().run { served in
            served.streams.change { $0.arrivals = [.bytes([[1, 2], [3]])] }
            let socket = try await attached(served)
            socket.send([0, 10, 255, 10])
            try await until("it was sent") { served.streams.sent == [0, 10, 255, 10] }
            socket.end()
            try await until("it has ended") { served.streams.calls == ["attach", "finish"] }
            served.streams.change { $0.arrivals = [.bytes([[4]]), .end] }
            #expect(await socket.rest() == [1, 2, 3, 4])
            try await until("it is closed") { served.streams.calls == ["attach", "finish", "detach"] }
        }
    }

    @Test func theOtherSideMayEndFirst() async throws {
        try await Served().run { served in
            served.streams.change { $0.arrivals = [.end] }
            let socket = try await attached(served)
            #expect(await socket.rest() == [])
            socket.send([1])
            socket.end()
            try await until("it is closed") { served.streams.calls == ["attach", "give back"] }
            #expect(served.streams.sent == [1])
        }
    }

    @Test func aProgramThatLeavesHasNotFinished() async throws {
        try await Served().run { served in
            var socket: RawSocket? = try await attached(served)
            socket?.send([1])
            socket = nil
            try await until("it is closed") { served.streams.calls.contains("detach") }
            #expect(served.streams.calls == ["attach", "detach"])
        }
    }

    @Test func aProgramThatLeavesBeforeItHasReadTheEndHasNotFinished() async throws {
        try await Served().run { served in
            // More than a socket holds, so that the end waits.
            let all = [UInt8](repeating: 1, count: 255 << 10)
            served.streams.change { $0.arrivals = [.bytes([all[...]]), .end] }
            var socket: RawSocket? = try await attached(served)
            socket?.send([1])
            try await until("it was sent") { served.streams.sent == [1] }
            socket = nil
            try await until("it is closed") { served.streams.calls.contains("detach") }
            #expect(served.streams.calls == ["attach", "detach"])
        }
    }

    @Test func nothingIsReadForAStreamThatIsFull() async throws {
        try await Served().run { served in
            served.streams.change { $0.isFull = true }
            let socket = try await attached(served)
            let all = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 >> 3) }
            socket.sendMeanwhile(all)
            try await until("something was sent") { !served.streams.sent.isEmpty }
            // What is answered after it comes after all that would have been read.
            try await served.attached { _ = try await $0.hello() }
            #expect(served.streams.sent.count <= 512 << 10)
            served.streams.change { $0.isFull = false }
            try await until("all was sent") { served.streams.sent.count == all.count }
            let isSame = served.streams.sent == all
            #expect(isSame)
        }
    }

    @Test func aStreamThatBreaksClosesTheConnection() async throws {
        try await Served().run { served in
            let socket = try await attached(served)
            served.streams.change { $0.arrivals = [.bytes([[1]]), .over] }
            #expect(await socket.rest() == [1])
            try await until("it is closed") { served.streams.calls == ["attach", "detach"] }
        }
    }

    @Test func aRefusalLeavesTheConnectionAsItWas() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(Self.attach.replacing("7", with: "8"))
            #expect(try await socket.line().contains("unknownStream"))
            socket.send(Self.attach)
            #expect(try await socket.line().contains("only the first line"))
            socket.send(##"{"id":1,"method":"sync"}"## + "\n")
            #expect(try await socket.line() == ##"{"id":1,"jsonrpc":"2.0","result":{"done":{}}}"##)
        }
    }

    /// `attach` blocks, and a thread of the tests' pool may be what it waits for.
    private func attach(_ client: ControlClient, to stream: Int) async throws -> StreamSocket {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "attaches").async {
                continuation.resume(with: Result { try client.attach(to: stream) })
            }
        }
    }

    @Test func aClientAttaches() async throws {
        try await Served().run { served in
            try await served.attached { client in
                let socket = try await attach(client, to: 7)
                #expect(socket.send([5, 6]) == nil)
                socket.finishSending()
                try await until("it has ended") { served.streams.calls == ["attach", "finish"] }
                #expect(served.streams.sent == [5, 6])
                let error = await #expect(throws: RequestError.self) { _ = try await attach(client, to: 8) }
                #expect(error?.code == .unknownStream)
            }
        }
    }
}
