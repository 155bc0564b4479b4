import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Lines of one client that wait behind another one are said together.
@Suite struct BurstTests {
    /// In two rooms, with echo-message.
    private func rig(_ capabilities: String = "echo-message") throws -> (GatewayRig, ConnectionID) {
        var rig = try GatewayRig()
        let alice = rig.client("alice", capabilities)
        rig.say(alice, "JOIN #park,#lobby")
        _ = rig.heard(alice)
        rig.asked = []
        rig.holds = true
        return (rig, alice)
    }

    private func said(_ rig: GatewayRig) -> [[String]] {
        rig.asked.compactMap { if case .say(let lines, _, _) = $0 { lines.map(\.text) } else { nil } }
    }

    @Test func atMost64LinesAreSaidAtOnceAndInOrder() throws {
        var (rig, alice) = try rig()
        for number in 1...70 { rig.say(alice, "PRIVMSG #park :\(number)") }
        #expect(rig.held.count == 1)
        rig.letGo()
        #expect(said(rig).map(\.count) == [1, 64, 5])
        #expect(said(rig).flatMap(\.self) == (1...70).map(String.init))
        let echoes = rig.heard(alice).map { String($0.split(separator: ":").last ?? "") }
        #expect(echoes == (1...70).map(String.init))
    }

    @Test func whatIsSomethingElseEndsTheRow() throws {
        let lines = [
            "PRIVMSG #park :first", "PRIVMSG #park :one", "PRIVMSG #PARK :\u{1}ACTION waves\u{1}",
            "NOTICE #park :notice", "PRIVMSG #lobby :elsewhere", "PRIVMSG #park,#lobby :both", "PRIVMSG #lobby :next",
            "PRIVMSG #lobby :  ", "PRIVMSG #lobby :\u{1}VERSION\u{1}", "PRIVMSG #lobby :last", "PING end",
        ]
        var (rig, alice) = try rig()
        for line in lines { rig.say(alice, line) }
        rig.letGo()
        #expect(
            said(rig) == [
                ["first"], ["one", "waves"], ["notice"], ["elsewhere"], ["both"], ["both", "next"], ["last"],
            ])
        let replies = rig.heard(alice).compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
        #expect(replies.filter { $0 != "PRIVMSG" && $0 != "NOTICE" } == ["412", "404", "PONG"])
    }

    @Test func eachLineHasItsOwnOutcome() throws {
        var (rig, alice) = try rig()
        rig.answer = { request, _ in
            guard case .say(let lines, _, _) = request else { return GatewayRig.obliging(request) }
            return .success(
                .answer(
                    .said(
                        lines.map { line in
                            line.text == "bad"
                                ? .refused(.outboxFull(lines: 7)) : GatewayRig.said(GatewayRig.record(9))
                        })))
        }
        for text in ["first", "one", "bad", "two"] { rig.say(alice, "PRIVMSG #park :\(text)") }
        rig.letGo()
        #expect(said(rig) == [["first"], ["one", "bad", "two"]])
        let commands = rig.heard(alice).compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
        #expect(commands == ["PRIVMSG", "PRIVMSG", "404", "PRIVMSG"])
    }

    @Test func aLineWithALabelIsSaidAlone() throws {
        var (rig, alice) = try rig("echo-message labeled-response batch message-tags")
        for number in 1...4 { rig.say(alice, "\(number == 3 ? "@label=x " : "")PRIVMSG #park :\(number)") }
        rig.letGo()
        #expect(said(rig) == [["1"], ["2"], ["3"], ["4"]])
    }

    @Test func theLimitOfBytesHolds() throws {
        var (rig, alice) = try rig("")
        let text = String(repeating: "x", count: 400)
        for _ in 0...SayLines.countMax { rig.say(alice, "PRIVMSG #park :\(text)") }
        rig.letGo()
        #expect(said(rig).map(\.count) == [1, 64])
        #expect(said(rig)[1].map(\.utf8.count).reduce(0, +) <= SayLines.bytesMax)
    }
}
