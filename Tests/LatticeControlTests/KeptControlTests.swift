import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeControl

/// Programs that were written for an earlier version are understood, and understand.
///
/// What was said is kept once, by the version it is of, and never again: after the `version` of `hello` moved,
/// `LATTICE_KEPT_CONTROL=v2 swift test --filter linesAreKept` writes `Fixtures/v2-lines.jsonl` and `Fixtures/v2-session.txt`, and a row is
/// added to `versions`. Members may come to be; none may go or mean something else.
@Suite struct KeptControlTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    private static let versions = ["v1"]

    /// Every request, answer and event there was: read, and said again with all that it held.
    @Test(arguments: versions) func whatWasSaidIsReadAndSaidAgain(version: String) throws {
        let lines = try Self.lines(of: "\(version)-lines.jsonl")
        #expect(lines.count > 120)
        for line in lines {
            let again = try Self.saidAgain(line)
            #expect(try Self.holds(again, line), "\(line)\nis now\n\(again)")
        }
    }

    /// The requests of that time, on a real socket, get the answers of that time.
    @Test(arguments: versions) func whatWasAskedIsAnsweredAsItWas(version: String) async throws {
        let lines = try Self.lines(of: "\(version)-session.txt")
        let asked = lines.filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) }
        let answered = lines.filter { $0.hasPrefix("< ") }.map { String($0.dropFirst(2)) }
        #expect(asked.count > 60 && asked.count == answered.count)
        for (now, then) in zip(try await Self.answers(to: asked), answered) {
            // How a refusal is worded is free; which one it is is not.
            let code = try Self.object(then)["error"].map { ["error": ["code": ($0 as? [String: Any])?["code"]]] }
            let isHeld = try code.map { Self.holds(try Self.object(now), $0) } ?? Self.holds(now, then)
            #expect(isHeld, "\(then)\nis now\n\(now)")
        }
    }

    @Test func theVersionThatIsSpokenIsKept() throws {
        #expect(Self.versions.last == "v\(ControlHello(me: Samples.me).version)")
    }

    /// The check is checked.
    @Test func whatIsMissingOrOtherIsSeen() throws {
        let line = ##"{"a":{"b":[1,{"c":"d"}],"e":true}}"##
        #expect(try Self.holds(##"{"a":{"b":[1,{"c":"d","new":1}],"e":true},"f":null}"##, line))
        for other in [
            ##"{"a":{"b":[1,{"c":"d"}]}}"##, ##"{"a":{"b":[1,{"c":"x"}],"e":true}}"##, ##"{"a":{"b":[1],"e":true}}"##,
            ##"{"a":{"b":[2,{"c":"d"}],"e":true}}"##, ##"{"a":[]}"##,
        ] {
            #expect(try Self.holds(other, line) == false)
        }
    }

    private static let made = ProcessInfo.processInfo.environment["LATTICE_KEPT_CONTROL"]

    @Test(.enabled(if: made != nil)) func linesAreKept() async throws {
        let version = try #require(Self.made)
        let requests = Exchange.all.map { ControlLine.bytes(of: ControlCall(id: 7, method: .request($0.request))) }
        var replies = Samples.events.map(ControlReply.event)
        replies += Exchange.all.map { .reply(.number(7), name: $0.replyName, $0.reply) }
        replies.append(.hello(.number(7), ControlHello(me: Samples.me, closed: "0123456789abcdef")))
        let refusal = RequestError.ambiguousPeer(candidates: [Samples.person], at: Samples.date)
        replies += [.error(.number(7), ControlError(refusal)), .error(nil, ControlError(.parseError, "no JSON"))]
        try Self.keep(requests + replies.map { ControlLine.bytes(of: $0) }, in: "\(version)-lines.jsonl")
        let wrong = [
            ##"{"id":8,"method":"fly"}"##, ##"{"id":8,"method":"say","params":{"text":"hi"}}"##, "{", "[]",
            ##"{"id":8,"method":"posts.fly"}"##,
        ]
        let short = [##"{"id":1,"method":"hello"}"##, ##"{"id":"two","method":"peers"}"##]
        // Requests that wait without end are in the tests of the socket.
        let asked = short + requests.map { String(decoding: $0.dropLast(), as: UTF8.self) } + wrong
        let spoken = asked.filter { !$0.contains(##""flush""##) }
        let answered = try await Self.answers(to: spoken)
        let session = zip(spoken, answered).flatMap { ["> \($0)\n", "< \($1)\n"] }
        try Self.keep(session.map { Array($0.utf8) }, in: "\(version)-session.txt")
    }

    private static func keep(_ lines: [[UInt8]], in name: String) throws {
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        try Data(lines.joined()).write(to: fixtures.appending(path: name), options: .withoutOverwriting)
    }

    private static func lines(of name: String) throws -> [String] {
        try String(contentsOf: fixtures.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// One question after the other, each answered by one line.
    private static func answers(to lines: [String]) async throws -> [String] {
        let served = try Served()
        var answers: [String] = []
        let (collected, given) = AsyncStream.makeStream(of: String.self)
        try await served.run { served in
            let socket = try RawSocket(served.path)
            for line in lines {
                socket.send(line + "\n")
                given.yield(try await socket.line())
            }
        }
        given.finish()
        for await answer in collected { answers.append(answer) }
        return answers
    }

    /// By today's code, once it has read it.
    private static func saidAgain(_ line: String) throws -> String {
        let data = Data(line.utf8)
        let members = try object(line)
        let again: [UInt8]
        if members["method"] != nil, members["id"] != nil {
            switch try ControlRequest.decoder(Exchange.names).decode(ControlRequest.self, from: data).method.get() {
            case .request(let request): again = ControlLine.bytes(of: ControlCall(id: 7, method: .request(request)))
            case .hello, .subscribe, .attach: throw Unread()
            }
        } else {
            let reply: ControlReply
            let name = (members["result"] as? [String: Any])?.keys.first
            let asked = Exchange.all.first { $0.replyName == name }.map { type(of: $0.request) }
            switch try ControlArrival.decoder({ _ in asked }).decode(ControlArrival.self, from: data) {
            case .reply(let id, let value as any Encodable & Sendable):
                reply = .reply(.number(id), name: try #require(name), value)
            case .reply: throw Unread()
            case .hello(let id, let hello): reply = .hello(.number(id), hello)
            case .error(let id, let error): reply = .error(id.map { .number($0) }, error)
            case .event(let event): reply = .event(event)
            case .records(let batch): reply = .records(batch)
            case .recordsEnded(let feed, let error): reply = .recordsEnded(feed, error.requestError)
            case .subscribed, .unknown: throw Unread()
            }
            again = ControlLine.bytes(of: reply)
        }
        return String(decoding: again, as: UTF8.self)
    }

    private struct Unread: Error {}

    private static func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private static func holds(_ now: String, _ then: String) throws -> Bool {
        holds(try object(now), try object(then))
    }

    /// Whether all that was there is there; more may be.
    private static func holds(_ now: Any, _ then: Any) -> Bool {
        if let then = then as? [String: Any] {
            guard let now = now as? [String: Any] else { return false }
            return then.allSatisfy { name, value in now[name].map { holds($0, value) } ?? false }
        }
        if let then = then as? [Any] {
            guard let now = now as? [Any], now.count == then.count else { return false }
            return zip(now, then).allSatisfy { holds($0, $1) }
        }
        guard let now = now as? NSObject, let then = then as? NSObject else { return false }
        return now.isEqual(then)
    }
}
