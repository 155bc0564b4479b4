import Foundation
import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeControl

/// Streams by the control socket: their lines, and what becomes of them when a client goes.
@Suite struct ControlStreamTests {
    private func request(_ line: String) throws -> ControlRequest {
        try ControlRequest.decoder(Exchange.names).decode(ControlRequest.self, from: Data(line.utf8))
    }

    private func typed(_ line: String) throws -> any Request {
        guard case .request(let request) = try request(line).method.get() else { throw AnotherMethod() }
        return request
    }

    private struct AnotherMethod: Error {}

    @Test func linesAreAsThePageShowsThem() throws {
        let send = ControlLine.bytes(of: ControlCall(id: 2, method: .request(SendBytes(7, Array("hello".utf8)))))
        #expect(
            String(decoding: send, as: UTF8.self)
                == ##"{"id":2,"jsonrpc":"2.0","method":"stream.send","params":{"data":"aGVsbG8=","stream":7}}"## + "\n")
        let open = try typed(##"{"method":"stream.open","params":{"peer":"bob"}}"##) as? OpenStream
        #expect(open == OpenStream(PeerReference("bob"), label: .usual, wait: .seconds(10)))
        let listen = try typed(##"{"method":"stream.listen","params":{"peer":"bob"}}"##) as? ListenForStream
        #expect(listen == ListenForStream(label: .usual, from: PeerReference("bob")))
        let anybody = try typed(##"{"method":"stream.listen"}"##) as? ListenForStream
        #expect(anybody == ListenForStream(label: .usual))
    }

    @Test func whatDoesNotFitIsRefusedInWords() throws {
        let long = Data(repeating: 0, count: SendBytes.bytesMax + 1).base64EncodedString()
        for (params, word) in [
            (##"{"stream":7,"data":"\##(long)"}"##, "at most 262144"), (##"{"stream":7,"data":"%"}"##, "data"),
            (##"{"data":""}"##, "stream"),
        ] {
            let wrong = try request(##"{"id":1,"method":"stream.send","params":\##(params)}"##)
            guard case .failure(let error) = wrong.method else {
                Issue.record("\(params.prefix(40)) was taken")
                continue
            }
            #expect(error.code == .invalidParams && error.message.contains(word), "\(error.message)")
        }
        for params in [##"{"peer":"bob","wait":-1}"##, ##"{"peer":"bob","label":"a b"}"##] {
            guard case .failure = try request(##"{"method":"stream.open","params":\##(params)}"##).method else {
                Issue.record("\(params) was taken")
                continue
            }
        }
    }

    @Test func ofAStreamOneThingEachWayIsDoneAtATime() {
        let streams = ControlStreams()
        #expect(streams.objection(to: SendBytes(7, [1])) == nil)
        #expect(streams.objection(to: ReceiveBytes(7)) == nil)
        #expect(streams.objection(to: SendBytes(8, [1])) == nil)
        #expect(streams.objection(to: FinishStream(7))?.code == .busy)
        #expect(streams.objection(to: ReceiveBytes(7))?.code == .busy)
        #expect(streams.objection(to: ResetStream(7, .ended)) == nil)
        streams.done(SendBytes(7, [1]), Done())
        #expect(streams.objection(to: FinishStream(7)) == nil)
    }

    @Test func whatAClientLeavesOpenEndsWithItAndWhatHasEndedDoesNot() async throws {
        let node = ObligingNode()
        let streams = ControlStreams()
        for number in 1...4 {
            let stream = StreamInfo(stream: number, peer: Samples.peer, label: .usual)
            streams.done(ListenForStream(label: .usual), stream)
        }
        streams.done(FinishStream(1), Done())
        streams.done(ReceiveBytes(1), .init([], isEnd: true))
        streams.done(ResetStream(2, .diskFull), Done())
        streams.done(FinishStream(3), nil)
        streams.done(ReceiveBytes(4), .init([], isEnd: true))
        await streams.end(on: node)
        let asked = await node.requests
        #expect(asked == [ResetStream(3, .ended), ResetStream(4, .ended)])
    }
}
