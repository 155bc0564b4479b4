import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Pins in the chat.
@Suite(.timeLimit(.minutes(10))) struct PinTests {
    private static func lobby() throws -> RoomName { try RoomName("#lobby") }

    private static func pin(_ text: String, by rank: UInt8 = 2, name: String = "bob") throws -> RoomPin {
        RoomPin(by: RoomEvent.Person(Samples.peer(rank), try PeerName(name)), at: Samples.at, text: text)
    }

    /// Bob's line has the number 1 when the lines are typed.
    /// - Parameter remarks: how many the events cause; they come before the person types.
    private func rig(
        typing lines: [String], _ events: [NodeEvent] = [], causing remarks: Int = 0, pinned: [RoomPin] = [],
        isJSON: Bool = false,
        refusal: RequestError? = nil
    ) async throws -> (shown: [String], requests: [AnyHashable]) {
        let rig = try ChatRig(isJSON: isJSON) { request throws(RequestError) in
            switch request {
            case let request as ListPins: return RoomPins(request.room, pinned)
            case let request as SetPin:
                if let refusal { throw refusal }
                return RoomPins(request.room, pinned)
            default: return try await FakeNode.obliging(request)
            }
        }
        rig.tell(.message(try Samples.message("two seats?")))
        async let end = rig.run()
        try await rig.until("the line") { rig.screen.output.count == 1 }
        for event in events { rig.tell(event) }
        try await rig.until("\(remarks) remarks") {
            rig.screen.shown.flatMap { $0.error + $0.output }.count { $0.hasPrefix("* ") } >= remarks
        }
        rig.screen.put(lines.map { .line($0) } + [.interrupt])
        #expect(await end == .done)
        return (rig.screen.shown.dropFirst().flatMap { $0.error + $0.output }, await rig.node.requests)
    }

    @Test func pinAndUnpinSendRequests() async throws {
        let line = try Samples.message("two seats?").record
        let expected: [(String, SetPin.Pinned)] = [
            ("/pin 1", .line(line)), ("/pin \(line.hex)", .line(line)), ("/pin at nine", .text("at nine")),
            ("/pin 1 more", .text("1 more")), ("/unpin", .nothing),
        ]
        for (typed, pinned) in expected {
            let requests = try await rig(typing: [typed]).requests
            #expect(requests.first == AnyHashable(SetPin(pinned, in: try Self.lobby())), "\(typed)")
        }
        #expect(
            try await rig(typing: ["/unpin"]).shown == ["You have no pin in #lobby now."])
    }

    @Test func pinsAreListed() async throws {
        var line = try Samples.message("meet at\nthe gate", from: 3, name: "carol")
        line.isEdited = true
        let pins = [
            try Self.pin("bring a cup"),
            RoomPin(by: RoomEvent.Person(Samples.peer(2), try PeerName("bob")), at: Samples.at, line: line),
            RoomPin(by: RoomEvent.Person(Samples.peer(3), try PeerName("carol")), at: Samples.at, line: line),
        ]
        #expect(
            try await rig(typing: ["/pin"], pinned: pins).shown == [
                "* pinned by bob: bring a cup", "* pinned by bob: carol: meet at ⏎ the gate",
                "* pinned by carol: meet at ⏎ the gate",
            ])
        #expect(
            try await rig(typing: ["/pin"]).shown == [
                "* nothing is pinned in #lobby; /pin N pins a line, /pin TEXT pins a text"
            ])
    }

    @Test func pinsAreShownOnEnteringARoom() async throws {
        let pinned = [try Self.pin("bring a cup")]
        let shown = try await rig(typing: ["/join #park"], pinned: pinned).shown
        #expect(shown.last == "* pinned by bob: bring a cup")
        #expect(try await rig(typing: ["/join #park"]).shown.allSatisfy { !$0.contains("pinned") })
    }

    @Test func newAndRemovedPinsAreShown() async throws {
        func change(_ text: String?, by rank: UInt8 = 2, in room: String = "#lobby") throws -> NodeEvent {
            let pin = try text.map { try Self.pin($0, by: rank) }
            let name = try PeerName(rank == 1 ? "alice" : "bob")
            return .pinned(PinChange(try RoomName(room), by: RoomEvent.Person(Samples.peer(rank), name), pin))
        }
        let events = [
            try change("at nine"), try change(nil), try change("mine", by: 1), try change(nil, by: 1),
            try change("elsewhere", in: "#nowhere"),
        ]
        let shown = try await rig(typing: ["/lines"], events, causing: 4).shown.filter { $0.hasPrefix("* ") }
        #expect(shown == ["* bob pinned: at nine", "* bob removed a pin", "* you pinned: mine", "* you removed a pin"])
    }

    /// `/unpin` has a reply of its own; a pin that another program of this person removed is announced.
    @Test func aPinRemovedInAnotherTerminalIsTold() async throws {
        let rig = try ChatRig { request throws(RequestError) in
            if let request = request as? SetPin { return RoomPins(request.room, []) }
            return try await FakeNode.obliging(request)
        }
        let me = RoomEvent.Person(Samples.peer(1), try PeerName("alice"))
        let change = NodeEvent.pinned(PinChange(try Self.lobby(), by: me, nil))
        func shown() -> [String] { rig.screen.shown.flatMap { $0.error + $0.output } }
        rig.tell(.message(try Samples.message("two seats?")))
        async let end = rig.run()
        try await rig.until("the line") { shown().count == 1 }
        rig.screen.put([.line("/unpin")])
        try await rig.until("the reply") { shown().count == 2 }
        rig.tell(change)
        rig.tell(change)
        try await rig.until("the second") { shown().count == 3 }
        rig.screen.put([.interrupt])
        #expect(await end == .done)
        #expect(shown().suffix(2) == ["You have no pin in #lobby now.", "* you removed a pin"])
    }

    /// Somebody new in a room sees what is pinned there, and not who pinned what in which order.
    @Test func pinsThatAreFetchedAreListedOnce() async throws {
        func sync(_ fetched: Int, isCaughtUp: Bool) -> NodeEvent {
            .sync(SyncProgress(isCaughtUp: isCaughtUp, fetched: fetched, total: 3, peers: 1))
        }
        let bob = RoomEvent.Person(Samples.peer(2), try PeerName("bob"))
        let changes = try ["at eight", "at nine"].map { text in
            NodeEvent.pinned(PinChange(try Self.lobby(), by: bob, try Self.pin(text)))
        }
        let events = [sync(0, isCaughtUp: false)] + changes + [sync(3, isCaughtUp: true)]
        let pinned = [try Self.pin("at nine")]
        let shown = try await rig(typing: ["/lines"], events, causing: 1, pinned: pinned).shown.filter {
            $0.contains("pinned")
        }
        #expect(shown == ["* pinned by bob: at nine"])
    }

    @Test func programsGetPinsAsJSON() async throws {
        let shown = try await rig(typing: ["/pin"], pinned: [try Self.pin("bring a cup")], isJSON: true).shown
        let bob = Samples.peer(2).hex
        #expect(
            shown.last
                == ##"{"event":"pins","room":"#lobby","pins":[{"by":"\##(bob)","by_name":"bob","at":"\##(RFC3339.string(Samples.at))","text":"bring a cup","line":null}]}"##
        )
    }

    @Test func aTextThatIsTooLongIsNotPinned() async throws {
        let (shown, requests) = try await rig(typing: ["/pin " + String(repeating: "a", count: 301)])
        #expect(
            shown == [
                "lattice: A pinned text can have at most 300 bytes. "
                    + "Send it as a line first, then pin that line with /pin N."
            ])
        #expect(requests.isEmpty)
    }

    @Test func aRefusedLineIsExplained() async throws {
        #expect(
            try await rig(typing: ["/pin 1"], refusal: .unknownLine).shown == [
                "lattice: This room has no such line; /lines shows the numbers."
            ])
        #expect(
            try await rig(typing: ["/pin 1"], refusal: .lineDeleted).shown == [
                "lattice: This line was deleted by its author; pin another line."
            ])
    }
}
