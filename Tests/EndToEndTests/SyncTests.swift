import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// What was said while somebody was away reaches them.
    @Suite(.timeLimit(.minutes(10))) struct SyncTests {
        @Test func aLateJoinerReadsWhatWasSaid() async throws {
            try await onStage { stage in
                let alice = try stage.host("alice")
                let bob = try await stage.guest("bob", of: alice)
                alice.say("one", "two")
                try await bob.hears("two")
                bob.say("three")
                try await alice.hears("three")
                let carol = try await stage.guest("carol", of: bob)
                for text in ["one", "two", "three"] { try await carol.hears(text) }
                #expect(try carol.heard().sorted() == ["one", "three", "two"])
                // A peer that was there hears nothing twice.
                alice.say("four")
                for peer in [bob, carol] { #expect(try await peer.hears("four").late != true) }
                #expect(try bob.heard() == ["one", "two", "four"])
            }
        }

        /// They are never there at the same time.
        @Test func somebodyInBetweenKeepsALineForWhoeverComesLater() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/bob"
                let before = try stage.start("bob", ["--discovery", "off"], home: home)
                let alice = try await stage.guest("alice", of: before)
                alice.say("carol, I am gone")
                try await before.hears("carol, I am gone")
                for peer in [alice, before] {
                    peer.endInput()
                    #expect(try await peer.exitCode() == 0)
                }
                // Her history is shown before anything can come.
                let carol = try stage.host("carol")
                let bob = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await carol.address()], home: home)
                let line = try await carol.hears("carol, I am gone")
                #expect(line.name == "alice")
                #expect(line.late == true)
                // Bob had read it, and is reminded of it.
                try await bob.event("the line among the history") {
                    $0.text == "carol, I am gone" && $0.history == true
                }
                #expect(try bob.events().count { $0.text == "carol, I am gone" } == 1)
            }
        }

        @Test func whoComesBackGetsWhatWasMissedAndFindsTheirOwnThere() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/bob"
                let alice = try stage.host("alice")
                let address = try await alice.address()
                let before = try stage.start("bob", ["--discovery", "off", "--peer", address], home: home)
                try await before.connected(to: alice)
                before.say("back soon")
                try await alice.hears("back soon")
                before.endInput()
                #expect(try await before.exitCode() == 0)
                alice.say("while you were away")
                try await alice.event("its own line") { $0.event == "message" && $0.text == "while you were away" }
                let after = try stage.start("bob", ["--discovery", "off", "--peer", address], home: home)
                try await after.event("bob's own line of before") {
                    $0.event == "message" && $0.text == "back soon" && $0.history == true
                }
                try await after.hears("while you were away")
            }
        }

        @Test func twoThatWereApartHaveTheSameInTheSameOrder() async throws {
            try await onStage { stage in
                let homes = ["alice", "bob"].map { "\(stage.folder)/\($0)" }
                for (name, home) in zip(["alice", "bob"], homes) {
                    let alone = try stage.start(name, ["--discovery", "off"], home: home)
                    try await alone.ready()
                    for number in 1...30 { alone.say("\(name) \(number)") }
                    try await alone.event("the last line") { $0.event == "message" && $0.text == "\(name) 30" }
                    alone.child.send(SIGKILL)
                    _ = try await alone.exitCode()
                }
                let alice = try stage.start("alice", ["--discovery", "off"], home: homes[0])
                let bob = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await alice.address()], home: homes[1])
                try await alice.hears("bob 30")
                try await bob.hears("alice 30")
                try await eventually("both tell the same history") {
                    let histories = try await homes.asyncMap { try await Self.history(stage, home: $0) }
                    return histories[0].count == 60 && histories[0] == histories[1]
                }
            }
        }

        /// The receiver dies in the middle, comes again, and has it all; so does the giver.
        @Test(arguments: ["receiver", "giver"]) func aKillInTheMiddleCostsNothing(victim: String) async throws {
            try await onStage { stage in
                let (giving, taking) = ("\(stage.folder)/giver", "\(stage.folder)/taker")
                let count = 3_000
                var giver = try stage.start("giver", ["--discovery", "off"], home: giving)
                try await giver.ready()
                giver.say((1...count).map { "line \($0)" })
                try await giver.event("the last line") { $0.event == "message" && $0.text == "line \(count)" }
                var address = try await giver.address()
                var taker = try stage.start("taker", ["--discovery", "off", "--peer", address], home: taking)
                try await eventually("some have come") { try taker.heard().count > 100 }
                if victim == "receiver" {
                    taker.child.send(SIGKILL)
                    _ = try await taker.exitCode()
                } else {
                    giver.child.send(SIGKILL)
                    _ = try await giver.exitCode()
                    taker.endInput()
                    _ = try await taker.exitCode()
                    giver = try stage.start("giver", ["--discovery", "off"], home: giving)
                    address = try await giver.address()
                }
                taker = try stage.start("taker", ["--discovery", "off", "--peer", address], home: taking)
                try await eventually("the taker has all of it") {
                    try await Self.history(stage, home: taking).count == count
                }
                #expect(try await Self.history(stage, home: taking) == Self.history(stage, home: giving))
            }
        }

        @Test func aPostOfSomebodyWhoLeftIsNearWhoeverComesLater() async throws {
            try await onStage { stage in
                let (alice, bob, carol) = (
                    PersonShell(stage, "alice"), PersonShell(stage, "bob"), PersonShell(stage, "carol")
                )
                _ = try await alice.one("post", "Soup", "at", "six", "--at", park, "--wait", "0")
                let gone = try await alice.one("post", "Nonsense", "--at", park, "--wait", "0")
                _ = try await alice.one("delete", try #require(gone["short"] as? String), "--wait", "0")
                let first = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                let between = try stage.start(
                    "carol", ["--discovery", "off", "--peer", try await first.address()], home: carol.home)
                try await between.ready()
                try await eventually("carol has it") {
                    try await carol.one("near", park)["text"] as? String == "Soup at six"
                }
                first.endInput()
                _ = try await first.exitCode()
                let second = try stage.start(
                    "bob", ["--discovery", "off", "--peer", try await between.address()], home: bob.home)
                try await second.connected(to: between)
                try await eventually("the post is near bob, and what was taken back is not") {
                    try await bob.all("near", park).compactMap { $0["text"] as? String } == ["Soup at six"]
                }
            }
        }

        /// What a command is for that runs now and then.
        @Test func oneCommandCatchesUpAndSaysSo() async throws {
            try await onStage { stage in
                let (alice, bob) = (PersonShell(stage, "alice"), PersonShell(stage, "bob"))
                for text in ["one", "two"] { _ = try await alice.one("post", text, "--at", park, "--wait", "0") }
                let listener = try stage.start("alice", ["--discovery", "off"], home: alice.home)
                let address = try await listener.address()
                _ = try await bob.all("sync", "--discovery", "off", "--peer", address, "--wait", "60")
                #expect(try await Set(bob.all("near", park).compactMap { $0["text"] as? String }) == ["one", "two"])
                // Nobody is there any more.
                listener.endInput()
                _ = try await listener.exitCode()
                _ = try await bob.all("sync", "--discovery", "off", "--peer", address, "--wait", "1", exitCode: 69)
            }
        }

        static func history(_ stage: Stage, home: String) async throws -> [String] {
            let name = home.split(separator: "/").last.map(String.init) ?? "lattice"
            let asked = try stage.run(
                ["history", "-n", "10000", "--json", "--name", name], as: "history", home: home)
            try #require(try await asked.exitCode() == 0)
            return try asked.events().filter { $0.event == "message" }.compactMap(\.text)
        }
    }

    /// The same between hosts, over cables that are bad.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Lab.isPossible, "a lab of hosts needs root and iproute2"))
    struct SyncLabTests {
        /// The one in between is away half of the time, and there are always only two.
        @Test func aPeerThatWalksBetweenTwoIslandsCarriesBothWays() async throws {
            try await inLab("islands 1") { stage, lab in
                let left = try stage.start("left", on: "l1", MeshTests.embedded)
                let right = try stage.start("right", on: "r1", MeshTests.embedded)
                let walker = try stage.start("walker", on: "w", MeshTests.embedded)
                try await walker.connected(to: left)
                left.say("from the left")
                right.say("from the right")
                try await walker.hears("from the left")
                try await lab.move("w", to: "r1")
                try await right.hears("from the left")
                try await walker.hears("from the right")
                try await lab.move("w", to: "l1")
                try await left.hears("from the right")
            }
        }

        @Test func aLossyAndSlowCableCostsTimeAndNothingElse() async throws {
            try await inLab("line") { stage, lab in
                let alice = try stage.start("alice", on: "a", MeshTests.embedded)
                try await alice.ready()
                alice.say((1...200).map { "line \($0)" })
                try await lab.loss("c", percent: 20)
                try await lab.delay("a", milliseconds: 50)
                let bob = try stage.start("bob", on: "b", MeshTests.embedded)
                let carol = try stage.start("carol", on: "c", MeshTests.embedded)
                try await eventually("carol has every line") { try Set(carol.heard()).count == 200 }
                try await eventually("bob has every line") { try Set(bob.heard()).count == 200 }
                #expect(try carol.heard().count == 200)
            }
        }

        @Test func whatWasSaidOnBothSidesOfACutIsOnBothSidesAfterIt() async throws {
            try await inLab("line") { stage, lab in
                let alice = try stage.start("alice", on: "a", MeshTests.embedded)
                let bob = try stage.start("bob", on: "b", MeshTests.embedded)
                let carol = try stage.start("carol", on: "c", MeshTests.embedded)
                try await bob.connected(to: alice)
                try await bob.connected(to: carol)
                try await lab.cut("c")
                try await bob.notConnected(to: carol)
                let first = try carol.events().count
                alice.say((1...20).map { "alice \($0)" })
                carol.say((1...20).map { "carol \($0)" })
                try await bob.hears("alice 20")
                try await lab.mend("c")
                try await carol.connected(to: bob, from: first)
                for number in 1...20 {
                    try await carol.hears("alice \(number)")
                    try await alice.hears("carol \(number)")
                }
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
