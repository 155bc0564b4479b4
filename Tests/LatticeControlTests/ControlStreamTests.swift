import Foundation
import LatticeAPI
import LatticeCore
import Synchronization
import Testing

@testable import LatticeControl

/// Streams by the control socket: their lines, and what becomes of them when a client goes.
@Suite struct ControlStreamTests {
    static let requests: [StreamRequest] = [
        .open(Samples.peer, label: .usual, wait: .milliseconds(1_500)), .listen(label: .usual, from: nil),
        .listen(label: .usual, from: Samples.peer), .send(7, [0, 255, 10]), .send(7, []), .finish(7), .receive(7),
        .reset(7, .diskFull),
    ]
    static let answers: [StreamAnswer] = [
        .done, .opened(OpenStream(stream: 7, peer: Samples.peer, label: .usual)), .bytes([0, 255, 10], isEnd: false),
        .bytes([], isEnd: true),
    ]

    private func request(_ line: String) throws -> ControlRequest {
        try JSONDecoder().decode(ControlRequest.self, from: Data(line.utf8))
    }

    @Test(arguments: requests) func requestsComeBackAsTheyWere(wish: StreamRequest) throws {
        let line = ControlLine.bytes(of: ControlCall(id: 1, method: .request(.stream(wish))))
        guard case .success(.request(let read)) = try request(String(decoding: line, as: UTF8.self)).method else {
            Issue.record("\(wish) did not come back")
            return
        }
        #expect(read == .stream(wish))
    }

    @Test(arguments: answers) func answersComeBackAsTheyWere(answer: StreamAnswer) throws {
        let line = ControlLine.bytes(of: ControlReply.answer(.number(1), .stream(answer)))
        guard case .answer(1, let read) = try JSONDecoder().decode(ControlArrival.self, from: Data(line)) else {
            Issue.record("\(answer) did not come back")
            return
        }
        #expect(read == .stream(answer))
    }

    @Test func linesAreAsThePageShowsThem() throws {
        let send = ControlLine.bytes(of: ControlCall(id: 2, method: .request(.stream(.send(7, Array("hello".utf8))))))
        #expect(
            String(decoding: send, as: UTF8.self)
                == ##"{"id":2,"jsonrpc":"2.0","method":"stream.send","params":{"data":"aGVsbG8=","stream":7}}"## + "\n")
        guard
            case .success(.requestOf(let person, .stream(.open(_, let label, let wait)))) =
                try request(##"{"method":"stream.open","params":{"peer":"bob"}}"##).method
        else {
            Issue.record("bob has to be found first")
            return
        }
        #expect(person.text == "bob" && label == .usual && wait == .seconds(10))
        let found = Request.stream(.listen(label: .usual, from: Samples.peer))
        guard
            case .success(.requestOf(_, let listening)) =
                try request(##"{"method":"stream.listen","params":{"peer":"bob"}}"##).method
        else {
            Issue.record("bob has to be found first")
            return
        }
        #expect(listening.of(Samples.peer) == found)
    }

    @Test func whatDoesNotFitIsRefusedInWords() throws {
        let long = Data(repeating: 0, count: StreamRequest.bytesMax + 1).base64EncodedString()
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
        #expect(streams.objection(to: .stream(.send(7, [1]))) == nil)
        #expect(streams.objection(to: .stream(.receive(7))) == nil)
        #expect(streams.objection(to: .stream(.send(8, [1]))) == nil)
        #expect(streams.objection(to: .stream(.finish(7)))?.code == .busy)
        #expect(streams.objection(to: .stream(.receive(7)))?.code == .busy)
        #expect(streams.objection(to: .me) == nil)
        streams.done(.stream(.send(7, [1])), .stream(.done))
        #expect(streams.objection(to: .stream(.finish(7))) == nil)
    }

    @Test func whatAClientLeavesOpenEndsWithItAndWhatHasEndedDoesNot() async throws {
        let node = ObligingNode()
        let streams = ControlStreams()
        for number in 1...4 {
            let stream = OpenStream(stream: number, peer: Samples.peer, label: .usual)
            streams.done(.stream(.listen(label: .usual, from: nil)), .stream(.opened(stream)))
        }
        streams.done(.stream(.finish(1)), .stream(.done))
        streams.done(.stream(.receive(1)), .stream(.bytes([], isEnd: true)))
        streams.done(.stream(.reset(2, .diskFull)), .stream(.done))
        streams.done(.stream(.finish(3)), nil)
        streams.done(.stream(.receive(4)), .stream(.bytes([], isEnd: true)))
        await streams.end(on: node)
        #expect(await node.requests == [.stream(.reset(3, .ended)), .stream(.reset(4, .ended))])
    }
}
