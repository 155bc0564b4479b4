import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Commands with several targets, and lists with limits.
@Suite struct TargetsTests {
    @Test func eachRoomWaitsForTheOneBeforeIt() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        let start = rig.asked.count
        rig.holds = true
        rig.say(alice, "JOIN #a,#b", "PRIVMSG #b :hi")
        #expect(rig.held.count == 1)
        rig.letGo()
        let rooms = rig.asked.dropFirst(start).compactMap { request -> String? in
            switch request {
            case .room(.enter(let room, _)): "enter \(room.text)"
            case .join(let room): "join \(room.text)"
            case .history(let query): "past \(query.room.text)"
            case .say(let lines, let room, _): "say \(lines[0].text) \(room.text)"
            default: nil
            }
        }
        #expect(rooms == ["enter #a", "join #a", "past #a", "enter #b", "join #b", "past #b", "say hi #b"])
    }

    @Test func aTargetThatFailsDoesNotHoldUpTheNext() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        #expect(
            rig.replies(alice, "PART #a,park,#b").map { $0.prefix(3) } == ["442", "476", "442"])
        #expect(rig.replies(alice, "PRIVMSG #a,nobody,#b :hi").map { $0.prefix(3) } == ["404", "401", "404"])
    }

    @Test func nothingMoreIsAskedForAClientThatLeft() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        try rig.comes("bob")
        try rig.comes("carol")
        rig.holds = true
        rig.say(alice, "PRIVMSG bob,carol :hi")
        rig.handle(.ended(alice, "gone"))
        let before = rig.asked.count
        rig.letGo()
        #expect(rig.asked.count == before + 1)
    }

    @Test func aFullWatchListSaysWhatIsLeftOut() throws {
        var rig = try GatewayRig { $0.limits.monitorMax = 2 }
        let alice = rig.client("alice")
        let heard = rig.replies(alice, "MONITOR + bob,carol,dave,eve")
        #expect(heard.first == "734 alice 2 dave,eve :You watch 2 nicks, the most there can be")
        #expect(heard.dropFirst() == ["731 alice :bob,carol"])
        _ = rig.replies(alice, "MONITOR - BOB")
        #expect(rig.replies(alice, "MONITOR + dave") == ["731 alice :dave"])
        #expect(rig.replies(alice, "MONITOR L").first == "732 alice :carol,dave")
    }

    @Test func namesThatChangeAreNewsOfTheMesh() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        rig.say(alice, "JOIN &mesh")
        _ = rig.heard(alice)
        let (bob, rob) = (GatewayRig.peer("bob"), GatewayRig.peer("rob"))
        let (old, new) = (try PeerName("bob"), try PeerName("rob"))
        rig.handle(.told(.renamed(bob, from: old, to: new)))
        rig.handle(.told(.nameClash(NameClash(newcomer: KnownPerson(id: rob), known: KnownPerson(id: bob)))))
        rig.handle(.told(.invitation(rob, new, context: [])))
        let mesh = ":mesh!mesh@lattice.local PRIVMSG &mesh"
        #expect(
            rig.heard(alice) == [
                "\(mesh) :bob#\(bob.short) is now called rob",
                "\(mesh) :Careful: #\(rob.short) uses a name that looks like the name of #\(bob.short). WHOIS shows their keys.",
                "\(mesh) :rob wants to connect. The owner of this node decides.",
            ])
    }

    @Test func theSameNamesakeIsShownEachTime() throws {
        for _ in 0..<8 {
            var rig = try GatewayRig()
            for key in ["a", "b", "c", "d"] { try rig.comes("alice", key: key, []) }
            let alice = rig.connect()
            rig.say(alice, "NICK alice", "USER a 0 * :A")
            let note = rig.heard(alice).last
            #expect(note?.contains("Here they are alice|\(GatewayRig.peer("a").short);") == true)
        }
    }

    @Test func theServiceSaysWhoTheClientIs() throws {
        var rig = try GatewayRig()
        let alice = rig.client("alice")
        let person = GatewayRig.peer("~alice")
        #expect(
            rig.replies(alice, "PRIVMSG mesh :whoami") == [
                ":mesh!mesh@lattice.local NOTICE alice :You are alice!alice@\(person.short).mesh. Your key is \(person.hex)."
            ])
    }
}
