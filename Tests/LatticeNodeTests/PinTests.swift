import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Pins by the visitors and the owner of one node.
@Suite(.timeLimit(.minutes(10))) struct PinTests {
    private static func room(_ name: String = "#lobby") throws -> RoomName { try RoomName(name) }

    private func pin(
        _ pinned: SetPin.Pinned, by guest: Guest, in room: String = "#lobby"
    ) async throws -> [String] {
        try await guest.visitor.perform(SetPin(pinned, in: try Self.room(room))).pins.map(\.text)
    }

    private func pins(_ host: any MeshNode, in room: String = "#lobby") async throws -> [RoomPin] {
        try await host.perform(ListPins(try Self.room(room))).pins
    }

    private func told(_ listener: EventListener) -> [String] { told(listener.events) }

    private func told(_ events: [NodeEvent]) -> [String] {
        events.compactMap { event in
            guard case .pinned(let change) = event else { return nil }
            return "\(change.by.name?.text ?? "?"): \(change.pin?.text ?? "-")"
        }
    }

    @Test func everybodySeesAPin() async throws {
        try await Camp.run { camp in
            try await camp.bob.say("meet at the gate")
            try await eventually("the line") { camp.carol.all.lines.count == 1 }
            let line = camp.carol.all.lines[0].record
            #expect(try await pin(.line(line), by: camp.carol) == ["meet at the gate"])
            #expect(try await pin(.text("bring a cup"), by: camp.bob) == ["bring a cup", "meet at the gate"])
            for host in [camp.here.node as any MeshNode, camp.bob.visitor, camp.carol.visitor] {
                let found = try await pins(host)
                #expect(
                    found.map(\.by.id) == [camp.bob.id, camp.carol.id]
                        && found.map(\.by.name?.text) == ["bob", "carol"])
                #expect(found.map { $0.line?.record } == [nil, line])
            }
            for listener in [camp.bob.own, camp.carol.own] {
                try await eventually("both") { told(listener) == ["carol: meet at the gate", "bob: bring a cup"] }
            }
            // Pinned again it is first.
            #expect(try await pin(.line(line), by: camp.carol) == ["meet at the gate", "bring a cup"])
            #expect(try await pin(.nothing, by: camp.bob) == ["meet at the gate"])
            #expect(try await pin(.nothing, by: camp.bob) == ["meet at the gate"])
            try await eventually("the removal") { told(camp.carol.own).last == "bob: -" }
            _ = try await camp.bob.visitor.perform(DeleteLine(line))
            #expect(try await pins(camp.carol.visitor).isEmpty)
            #expect(told(camp.here.events).count == 4)
        }
    }

    @Test func invalidPinsAreRefused() async throws {
        try await Camp.run { camp in
            _ = try await camp.bob.visitor.perform(JoinRoom(try Self.room("#park")))
            try await camp.bob.say("hi", in: "#park")
            try await camp.bob.say("oops")
            try await eventually("both lines") { camp.bob.all.lines.count == 2 }
            let (elsewhere, line) = (camp.bob.all.lines[0].record, camp.bob.all.lines[1].record)
            await #expect(throws: RequestError.unknownLine) { _ = try await pin(.line(elsewhere), by: camp.carol) }
            _ = try await camp.bob.visitor.perform(DeleteLine(line))
            await #expect(throws: RequestError.lineDeleted) { _ = try await pin(.line(line), by: camp.carol) }
            await #expect(throws: RequestError.emptyLine) { _ = try await pin(.text(" "), by: camp.carol) }
            await #expect(throws: RequestError.lineTooLong(bytes: 301, max: 300)) {
                _ = try await pin(.text(String(repeating: "a", count: 301)), by: camp.carol)
            }
            #expect(try await pins(camp.here.node).isEmpty)
        }
    }

    @Test func pinsOfIgnoredPeopleAreHidden() async throws {
        try await Camp.run { camp in
            _ = try await camp.bob.visitor.perform(IgnorePerson(PeerReference(camp.carol.id), true))
            _ = try await pin(.text("buy soap"), by: camp.carol)
            try await eventually("carol's own") { told(camp.carol.own) == ["carol: buy soap"] }
            _ = try await pin(.text("at nine"), by: camp.bob)
            try await eventually("bob's own") { told(camp.bob.own) == ["bob: at nine"] }
            #expect(try await pins(camp.bob.visitor).map(\.text) == ["at nine"])
            #expect(try await pins(camp.carol.visitor).map(\.text) == ["at nine", "buy soap"])
        }
    }

    /// From the store alone, as by a command where no node runs.
    @Test func withoutANodePinsOfIgnoredPeopleAreHiddenToo() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lattice-pins-\(UUID().uuidString)").path
        defer { _ = Result { try FileManager.default.removeItem(atPath: path) } }
        let directory = try DataDirectory(name: nil, directory: path)
        let (bob, carol) = (Identity.generate(), Identity.generate())
        let session = try StoreSession.open(
            directory: directory, identity: Identity.generate(), mesh: try MeshName("lattice"))
        let pins = try [bob, carol].map { identity in
            let body = PinBody(name: try PeerName("somebody"), .text(identity.peer.hex)).body
            return Speech.record(.pin, by: identity, topic: Array("#lobby".utf8), body)
        }
        _ = try await session.archive?.store.insert(pins, at: Clocks.machine())
        #expect(Set(try await self.pins(session.node).map(\.by.id)) == [bob.peer, carol.peer])
        _ = try await session.node.perform(IgnorePerson(PeerReference(carol.peer), true))
        #expect(try await self.pins(session.node).map(\.by.id) == [bob.peer])
    }

    @Test func onlyMembersSeeThePinsOfAPrivateRoom() async throws {
        try await Camp.run { camp in
            let den = try Self.room("#den")
            _ = try await camp.carol.visitor.perform(CreatePrivateRoom(den))
            _ = try await camp.carol.visitor.perform(InviteToRoom(PeerReference(camp.bob.id), name: nil, den))
            try await eventually("the invitation") { !camp.bob.own.roomEvents.isEmpty }
            _ = try await camp.bob.visitor.perform(EnterPrivateRoom(den, key: nil))
            try await camp.carol.say("the key is under the mat", in: "#den")
            try await eventually("the line") { camp.bob.own.lines.count == 1 }
            let line = camp.bob.own.lines[0].record
            #expect(try await pin(.line(line), by: camp.bob, in: "#den") == ["the key is under the mat"])
            try await eventually("carol's") { told(camp.carol.own) == ["bob: the key is under the mat"] }
            #expect(try await pin(.text("at nine"), by: camp.carol, in: "#den").first == "at nine")
            try await eventually("bob's") { told(camp.bob.own).last == "carol: at nine" }
            #expect(try await pins(camp.bob.visitor, in: "#den").count == 2)
            #expect(try await pins(camp.here.node, in: "#den").isEmpty)
            #expect(try await pin(.nothing, by: camp.carol, in: "#den") == ["the key is under the mat"])
            try await eventually("the removal") { told(camp.bob.own).last == "carol: -" }
            _ = try await camp.carol.visitor.perform(DeleteLine(line))
            try await eventually("the deletion") { try await pins(camp.bob.visitor, in: "#den").isEmpty }
            #expect(told(camp.here.events).isEmpty)
        }
    }

    @Test func aFloodOfPinsIsAnnouncedInPart() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                for number in 0..<300 {
                    let identity = Identity.generate()
                    let body = PinBody(name: ChatRig.name, number % 2 == 0 ? .text("pin \(number)") : .nothing).body
                    stranger.say(Speech.record(.pin, by: identity, topic: Array("#lobby".utf8), body))
                }
                try await eventually("pins") { try await pins(host.node).count == 3 }
                let last = Identity.generate()
                stranger.say(
                    Speech.record(
                        .pin, by: last, topic: Array("#lobby".utf8),
                        PinBody(name: ChatRig.name, .text("the last")).body))
                func changes() -> [PinChange] {
                    host.events.compactMap { if case .pinned(let change) = $0 { change } else { nil } }
                }
                try await eventually("the last") { changes().last?.by.id == last.peer }
                #expect(changes().allSatisfy { $0.pin != nil }, "nobody saw the pins that these remove")
            }
        }
    }
}
