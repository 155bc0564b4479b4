import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// What is typed or pasted by mistake.
@Suite(.timeLimit(.minutes(10)))
struct ChatFrontInputTests {
    @Test(arguments: [("help", "/help"), ("quit", "/quit"), (" Exit ", "/quit"), (":q", "/quit"), ("?", "/help")])
    func aBareCommandWordIsAskedAboutBeforeItGoesOut(typed: String, meant: String) async throws {
        let rig = try ChatRig()
        #expect(await rig.run(typing: [typed]) == .done)
        #expect(await rig.said() == [])
        #expect(rig.screen.error.contains { $0.hasPrefix("lattice: Did you mean \(meant)? ") })
        let second = try ChatRig()
        _ = await second.run(typing: [typed, typed])
        #expect(await second.said() == [typed], "who means it says it again")
    }

    @Test func anotherLineBetweenAsksAnew() async throws {
        let rig = try ChatRig()
        _ = await rig.run(typing: ["quit", "quit it", "quit"])
        #expect(await rig.said() == ["quit it"])
    }

    @Test func inAPipeTheSameWordsAreSaidAsTheyAre() async throws {
        let rig = try ChatRig(isInteractive: false)
        _ = await rig.run(typing: ["help", "quit", ":q"])
        #expect(await rig.said() == ["help", "quit", ":q"])
    }

    @Test(arguments: [
        ("/exit", "/quit"), ("/who", "/names"), ("/users", "/names"), ("/list", "/rooms"), ("/msgs", "/conversations"),
    ])
    func wordsOfIRCSuggestWhatTheyMean(typed: String, meant: String) {
        #expect(
            LineParser.parse(typed)
                == .mistake("There is no command \(typed). Did you mean \(meant)? (/\(typed) says it as text.)"))
    }

    @Test func linesOfAPasteAreTextAndNeverCommands() async throws {
        let rig = try ChatRig()
        rig.screen.put([.pasted("/part\n/nick evil\n/quit"), .pasted("/quit"), .pasted("quit"), .endOfInput])
        #expect(await rig.run() == .done)
        #expect(await rig.said() == ["/part\n/nick evil\n/quit", "/quit", "quit"])
    }

    @Test func linesThatAreReadTogetherAreSaidTogether() async throws {
        let rig = try ChatRig(isInteractive: false)
        let lines = (1...130).map { "line \($0)" }
        _ = await rig.run(typing: lines + ["/me waves", "/rooms", "", "one", "", "two"])
        #expect(await rig.said() == lines + ["waves", "one", "two"])
        #expect(await rig.node.lineCounts == [64, 64, 3, 2])
    }

    @Test func aRequestHasNoMoreTextThanTheSocketTakes() async throws {
        let rig = try ChatRig(isInteractive: false)
        let line = String(repeating: "x", count: 4_096)
        _ = await rig.run(typing: Array(repeating: line, count: 20))
        #expect(await rig.node.lineCounts == [16, 4])
    }

    @Test func aRefusedLineAmongOthersIsToldInItsPlace() async throws {
        let rig = try ChatRig(isInteractive: false) { request throws(RequestError) in
            if (request as? Say)?.text == "two" { throw RequestError.other(code: .invalid, message: "not this one") }
            return try await FakeNode.obliging(request)
        }
        #expect(await rig.run(typing: ["one", "two", "three", "two"]) == .failed)
        #expect(await rig.node.lineCounts == [4])
        #expect(rig.screen.error == ["lattice: not this one", "lattice: not this one"])
    }

    @Test func aKeyInAPasteIsNotSaid() async throws {
        let rig = try ChatRig()
        rig.screen.put([.pasted("look:\n/join #camp AAAA-BBBB"), .endOfInput])
        _ = await rig.run()
        #expect(await rig.said() == [])
        #expect(rig.screen.error.contains { $0.hasPrefix("lattice: This looks like the key of a room") })
    }

    @Test func aCommandTakesSeveralLinesAsItsText() {
        #expect(LineParser.parse("/msg bob one\n/part") == .command(.tell("bob one\n/part")))
        #expect(LineParser.parse("/me one\ntwo") == .command(.me("one\ntwo")))
    }

    @Test func aLineThatIsTooLongIsRefusedWithOneNumber() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if request is Say {
                throw RequestError.other(code: .lineTooLong, message: "this line has 5000 bytes; at most 4096")
            }
            return try await FakeNode.obliging(request)
        }
        _ = await rig.run(typing: [String(repeating: "x", count: 5_000)])
        #expect(
            rig.screen.error.last
                == "lattice: This line was not sent: a message can be at most 4,096 bytes long. Send it in parts.")
    }

    @Test func leavingAnotherRoomSaysWhichAndWhereOneStill() async throws {
        let rig = try ChatRig()
        _ = await rig.run(typing: ["/join #park", "/join #lobby", "/part #park", "/part"])
        #expect(rig.screen.error.contains("You left #park. You are still in #lobby."))
        #expect(rig.screen.error.contains("You left #lobby. You are not in a room now; use /join #room."))
    }

    @Test func whoComesIsToldHowManyAreInTheRoom() async throws {
        let (lobby, park) = (try RoomName("#lobby"), try RoomName("#park"))
        @Sendable func peer(_ rank: UInt8, _ room: RoomName, isHere: Bool = true) -> PeerInfo {
            PeerInfo(
                id: Samples.peer(rank), prefix: nil, name: "p\(rank)", state: .connected, hops: 1, isHere: isHere,
                rooms: [room])
        }
        let rig = try ChatRig { request throws(RequestError) in
            guard request is ListPeers else { return try await FakeNode.obliging(request) }
            return ListPeers.Reply([peer(2, lobby), peer(3, lobby), peer(4, park), peer(5, lobby, isHere: false)])
        }
        async let end = rig.run()
        rig.tell(.ready(try Samples.me()))
        try await rig.until("it is reported") {
            await rig.node.requests.contains(ListPeers())
        }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
    }
}
