import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// Several people through one node: each is a person as any other.
@Suite(.timeLimit(.minutes(10))) struct VisitorTests {
    /// Two linked nodes; what is done with them is done while both run.
    private func two(
        _ work: (_ here: Chatter, _ there: Chatter) async throws -> Void
    ) async throws {
        let (here, there) = (try await Chatter(try Home("ann")), try await Chatter(try Home("ben")))
        try await here.run {
            try await there.run {
                try await here.meet(there)
                try await work(here, there)
            }
        }
    }

    @Test func peopleOfOneNodeAndOfTwoHearOneAnother() async throws {
        try await two { here, there in
            let (bob, carol, dave) = (
                try await here.admit("bob"), try await here.admit("carol"), try await there.admit("dave")
            )
            for one in [bob, carol, dave] { try await one.join() }
            let (near, far) = (await here.everybody(), await there.everybody())
            try await bob.say("hello")
            try await dave.say("grüß dich")
            for listener in [near, far, bob.all, carol.all, dave.all] {
                try await eventually("both lines") { Set(listener.lines.map(\.text)) == ["hello", "grüß dich"] }
            }
            #expect(near.lines.first { $0.text == "hello" }?.hops == 0)
            #expect(far.lines.first { $0.text == "hello" }?.hops == 1)
            #expect(near.lines.allSatisfy { [bob.id, dave.id].contains($0.from) })
            // The owners are in the room, too; each heard each line once.
            try await eventually("the owners hear them") { here.lines.count == 2 && there.lines.count == 2 }
            #expect(near.lines.count == 2 && far.lines.count == 2 && bob.all.lines.count == 2)
            #expect(bob.own.events.isEmpty)
            try await eventually("both are kept") {
                Set(try await carol.history().map(\.text)) == ["hello", "grüß dich"]
            }
        }
    }

    @Test func eachSeesTheOthersAsPeers() async throws {
        try await two { here, there in
            let bob = try await here.admit("bob")
            try await bob.join("#park")
            let dave = try await there.admit("dave")
            try await eventually("dave sees bob") { dave.all.isHere(bob.id) == true || dave.all.presences.isEmpty }
            try await eventually("all are seen there") {
                let peers = try await dave.peers()
                return Set(peers.filter(\.isHere).compactMap(\.id))
                    == [here.home.identity.peer, there.home.identity.peer, bob.id]
            }
            let rooms = try await dave.peers().first { $0.id == bob.id }?.rooms
            #expect(rooms == [try RoomName("#park")])
            #expect(try await dave.peers().first { $0.id == there.home.identity.peer }?.hops == 0)
            // Nobody is linked with but the node itself.
            #expect(try await there.peers().filter { $0.state == .connected }.map(\.id) == [here.home.identity.peer])
            try await eventually("the owner sees them, too") {
                try await there.peers().contains { $0.id == bob.id && $0.isHere }
            }
            #expect(try await here.peers().first { $0.id == bob.id }?.hops == 0)
        }
    }

    @Test func whoLeavesIsToldAsGoneAndDoesNothingMore() async throws {
        try await two { here, there in
            let bob = try await here.admit("bob")
            let (near, far) = (await here.everybody(), await there.everybody())
            try await bob.join()
            try await eventually("bob is seen there") { far.isHere(bob.id) == true }
            await bob.visitor.leave()
            try await eventually("bob is gone") { far.isHere(bob.id) == false && near.isHere(bob.id) == false }
            try await eventually("what bob receives ends") { bob.own.isOver && bob.all.isOver }
            await #expect(throws: RequestError.self) { try await bob.say("hello?") }
            // The same account is the same person, and the place before is still none.
            let again = try await here.admit("bob")
            #expect(again.id == bob.id)
            await #expect(throws: RequestError.self) { try await bob.say("hello?") }
            await bob.visitor.leave()
            try await again.join()
            try await eventually("bob is back") { far.presences.last { $0.id == bob.id }?.rooms.isEmpty == false }
        }
    }

    @Test func whenTheNodeStopsAllOfThemAreGone() async throws {
        let there = try await Chatter(try Home("ben"))
        try await there.run {
            let far = await there.everybody()
            let home = try Home("ann")
            let here = try await Chatter(home)
            let ids = try await here.run {
                try await here.meet(there)
                let guests = [try await here.admit("bob"), try await here.admit("carol")]
                try await eventually("both are seen") { guests.allSatisfy { far.isHere($0.id) == true } }
                return guests.map(\.id)
            }
            try await eventually("both are gone") { ids.allSatisfy { far.isHere($0) == false } }
            // Another start, the same people.
            let restarted = try await Chatter(home)
            let again = try await restarted.run { try await restarted.admit("bob").id }
            #expect(again == ids[0])
        }
    }

    @Test func anAccountIsInOnce() async throws {
        let here = try await Chatter(try Home("ann"))
        try await here.run {
            _ = try await here.admit("bob")
            let account = try #require(AccountName("~bob"))
            let error = await #expect(throws: RequestError.self) {
                try await here.node.admit(account, as: try PeerName("robert"))
            }
            #expect(error?.code == .busy)
        }
    }

    @Test func anotherNameIsTheSamePerson() async throws {
        try await two { here, there in
            let bob = try await here.admit("bob")
            let far = await there.everybody()
            try await bob.join()
            _ = try await bob.visitor.perform(Rename(try PeerName("robert")))
            try await bob.say("it is me")
            try await eventually("the line under the new name") { far.lines.first?.name.text == "robert" }
            #expect(far.lines.first?.from == bob.id)
            try await eventually("the name") { far.presences.last { $0.id == bob.id }?.name.text == "robert" }
        }
    }

    @Test func whatIsSaidInARoomThatNobodyHereIsInIsNotTold() async throws {
        try await two { here, there in
            let (bob, dave) = (try await here.admit("bob"), try await there.admit("dave"))
            let near = await here.everybody()
            try await bob.join("#park")
            try await dave.join("#pier")
            try await dave.join("#park")
            try await dave.say("nobody hears it", in: "#pier")
            try await dave.say("bob does", in: "#park")
            try await eventually("the line in the park") { bob.all.lines.map(\.text) == ["bob does"] }
            try await eventually("the front has it, too") { near.lines.map(\.text) == ["bob does"] }
            // The owner is in the lobby alone.
            #expect(here.lines.isEmpty)
            _ = try await bob.visitor.perform(LeaveRoom(try RoomName("#park")))
            try await dave.say("bob does no more", in: "#park")
            try await dave.say("lobby", in: "#lobby")
            try await eventually("the line in the lobby") { near.lines.last?.text == "lobby" }
            #expect(near.lines.map(\.text) == ["bob does", "lobby"])
        }
    }

    @Test func whomTheOwnerBlocksHasToGo() async throws {
        let here = try await Chatter(try Home("ann"), knows: true)
        try await here.run {
            let bob = try await here.admit("bob")
            _ = try await here.node.perform(BlockPerson(PeerReference(bob.id), true))
            try await eventually("what bob receives ends") { bob.own.isOver }
            let account = try #require(AccountName("~bob"))
            let error = await #expect(throws: RequestError.self) {
                try await here.node.admit(account, as: try PeerName("bob"))
            }
            #expect(error?.code == .blocked)
        }
    }

    @Test func whatIsTheOwnersIsNotForThem() async throws {
        let here = try await Chatter(try Home("ann"), knows: true)
        try await here.run {
            let bob = try await here.admit("bob")
            for request in [
                DialAddress(PeerAddress(host: "127.0.0.1", port: 1)), VacuumStore(),
            ] as [any Request] {
                let error = await #expect(throws: RequestError.self) { _ = try await bob.visitor.perform(request) }
                #expect(error?.code == .invalid)
            }
            let me = try await bob.visitor.perform(ShowMe())
            #expect(me.id == bob.id && me.name.text == "bob" && me.rooms.isEmpty)
        }
    }

    @Test func whatTheyPostIsTheirs() async throws {
        try await two { here, there in
            let (bob, dave) = (try await here.admit("bob"), try await there.admit("dave"))
            let post = NewPost(text: "water is here", at: try .park())
            let item = try await bob.visitor.perform(post)
            #expect(item.author == bob.id)
            let nearby = NearQuery(.posts, centre: try .park())
            try await eventually("dave sees it") {
                let page = try await dave.visitor.perform(nearby)
                return page.items.map(\.author) == [bob.id]
            }
        }
    }

    @Test func fiveHundredComeAndSpeak() async throws {
        try await two { here, there in
            let far = await there.everybody()
            var guests: [any Visitor] = []
            let lobby = try RoomName("#lobby")
            for number in 0..<500 {
                let account = try #require(AccountName("~guest\(number)"))
                let guest = try await here.node.admit(account, as: try PeerName("guest\(number)"))
                _ = try await guest.perform(JoinRoom(lobby))
                guests.append(guest)
            }
            for (number, guest) in guests.enumerated() {
                _ = try await guest.perform(Say("line \(number)", style: .says, room: lobby))
            }
            try await eventually("every line is there") { far.lines.count == 500 }
            #expect(Set(far.lines.map(\.from)) == Set(guests.map(\.id)))
            try await eventually("everybody is seen") {
                let ids = Set(try await there.peers().filter(\.isHere).compactMap(\.id))
                return ids.isSuperset(of: guests.map(\.id))
            }
        }
    }
}
