import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeControl

/// Errors of the node on the socket.
@Suite struct RefusalTests {
    private static let errors: [RequestError] = [
        .lineTooLong(bytes: 5_000, max: 4_096), .emptyLine, .otherAudience(room: Samples.room, isPrivate: true),
        .ambiguousPeer(candidates: [Samples.person], at: Samples.date), .blocked(who: .message(peer: Samples.peer)),
        .noFolder(lacks: .accounts), .invalid(faults: [.empty(text: .placeName), .noPlace, .over(field: .ends)]),
        .takenBack(kind: .comment, byParentAuthor: true), .store(fault: .damaged(path: "/x", reason: "no")),
        .file(fault: .failed(path: "/x", use: .write, reason: "no", isDiskFull: true)), .stopped(why: .left),
        .folderInUse(path: "/x", name: nil, process: "7"), .stream(fault: .reset(reason: .diskFull)),
        .stream(fault: .hasConnection(stream: 3)),
        .other(code: .busy, message: "wait"),
    ]

    @Test(arguments: errors) func anErrorIsReadAsItWasWritten(error: RequestError) throws {
        let line = Data(ControlLine.bytes(of: ControlError(error)))
        #expect(try JSONDecoder().decode(ControlError.self, from: line).requestError == error)
        let object = try JSONSerialization.jsonObject(with: line) as? [String: Any]
        let data = try #require(object?["data"] as? [String: Any])
        #expect(data["code"] as? String == error.code.rawValue && data["values"] is [String: Any])
        #expect((object?["message"] as? String)?.isEmpty == false)
    }

    /// Another version of this program may have more.
    @Test(arguments: [
        (##"{"code":"busy","values":{"newKind":{}}}"##, RequestError.Code.busy), (##"{"code":"busy"}"##, .busy),
        (##"{"code":"newCode","values":{"newKind":{}}}"##, .other), (##"{"code":"busy","values":7}"##, .busy),
    ])
    func whatIsNotKnownHasItsCodeAndMessage(data: String, code: RequestError.Code) throws {
        let text = ##"{"code":1,"message":"wait","data":\##(data)}"##
        let error = try JSONDecoder().decode(ControlError.self, from: Data(text.utf8))
        #expect(error.requestError == .other(code: code, message: "wait"))
        let refused = ##"{"refused":\##(data.dropLast()),"message":"wait"}}"##
        let outcome = try JSONDecoder().decode(SayLines.Outcome.self, from: Data(refused.utf8))
        #expect(outcome == .refused(.other(code: code, message: "wait")))
    }

    @Test(arguments: errors) func anOutcomeIsReadAsItWasWritten(error: RequestError) throws {
        let outcome = try JSONEncoder().encode(SayLines.Outcome.refused(error))
        #expect(try JSONDecoder().decode(SayLines.Outcome.self, from: outcome) == .refused(error))
    }
}
