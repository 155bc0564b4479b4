import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// IRC clients of two nodes, bare ones and those that people use.
    @Suite(.timeLimit(.minutes(10))) struct IRCTests {
        private func gateways(on stage: Stage) async throws -> (Gateway, Gateway) {
            let first = try await Gateway("first", on: stage)
            return (first, try await Gateway("second", on: stage, linked: first))
        }

        @Test func clientsOfTwoNodesTalk() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let alice = try await first.client("alice", in: "#park")
                let bob = try await second.client("bob", in: "#park")
                try await alice.hears(":bob!peer@")
                bob.say("PRIVMSG #park :grüß dich")
                try await alice.hears("PRIVMSG #park :grüß dich")
                alice.say("PRIVMSG #park :\u{1}ACTION winkt\u{1}", "NAMES #park")
                try await bob.hears("PRIVMSG #park :\u{1}ACTION winkt\u{1}")
                try await alice.hears("353 alice = #park :alice bob")
                bob.say("WHOIS alice")
                try await bob.hears(" 320 bob alice :is 2 hops away, on the node of first")
                alice.say("QUIT :bye")
                try await alice.isLetGo()
                try await bob.hears(" QUIT :Left the mesh")
                let again = try await first.client("alice", in: "#park")
                try await again.hears("PRIVMSG #park :[")
                #expect(again.lines.contains { $0.hasSuffix("] grüß dich") })
            }
        }

        /// What is for one person waits for them.
        @Test func whatIsForOnePersonComesToThemAlone() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let (alice, carol) = (try await first.client("alice", in: "#park"), try await first.client("carol"))
                let bob = try await second.client("bob", in: "#park")
                try await alice.hears(":bob!peer@")
                alice.say("PRIVMSG bob :nur für dich")
                try await bob.hears("PRIVMSG bob :nur für dich")
                bob.say("PRIVMSG alice :danke schön")
                try await alice.hears("PRIVMSG alice :danke schön")
                bob.say("QUIT")
                try await alice.hears(" QUIT :Left the mesh")
                alice.say("PRIVMSG bob :bis später")
                try await alice.hears("bob is away. Your message is delivered")
                let again = try await second.client("bob")
                try await again.hears("bis später")
                try await alice.hears("bob has received your message.")
                alice.say("PRIVMSG carol :nebenan")
                try await carol.hears("PRIVMSG carol :nebenan")
                #expect(!carol.lines.contains { $0.contains("für dich") || $0.contains("später") })
            }
        }

        @Test func aRoomWithAKeyIsForThoseWhoHaveIt() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let alice = try await first.client("alice")
                let (bob, carol) = (try await second.client("bob"), try await second.client("carol", in: "#camp"))
                alice.say("JOIN #camp four-words-of-mine")
                try await alice.hears(" 366 alice #camp ")
                bob.say("JOIN #camp four-words-of-mine")
                try await bob.hears(" 366 bob #camp ")
                alice.say("PRIVMSG #camp :unter uns")
                try await bob.hears("PRIVMSG #camp :unter uns")
                bob.say("PRIVMSG #camp :verstanden")
                try await alice.hears("PRIVMSG #camp :verstanden")
                carol.say("PRIVMSG #camp :hallo?", "NAMES #camp")
                try await carol.hears("353 carol = #camp :carol")
                #expect(!carol.lines.contains { $0.contains("unter uns") || $0.contains("verstanden") })
                #expect(!alice.lines.contains { $0.contains("hallo?") })
            }
        }

        /// A member of a private room sees a newcomer before the newcomer speaks.
        @Test func anInvitationFromAnotherNodeIsOne() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let alice = try await first.client("alice", in: "#lobby")
                let bob = try await second.client("bob", in: "#lobby")
                alice.say("JOIN #camp four-words-of-mine")
                try await alice.hears(":bob!peer@")
                try await alice.hears(" 366 alice #camp ")
                alice.say("INVITE bob #camp")
                try await bob.hears(" INVITE bob :#camp")
                try await bob.hears(
                    "alice invites you to the private room #camp. Accept: JOIN #camp. Decline: /msg mesh forget #camp"
                )
                bob.say("JOIN #camp")
                try await bob.hears(" 366 bob #camp ")
                try await eventually("alice sees bob come") {
                    alice.lines.contains { $0.hasPrefix(":bob!peer@") && $0.hasSuffix(" JOIN #camp") }
                }
                #expect(!alice.lines.contains { $0.contains(" PRIVMSG #camp ") })
                bob.say("PRIVMSG mesh :forget #camp", "JOIN #camp")
                try await bob.hears("#camp here is the public room")
                #expect(!bob.lines.contains { $0.contains("/forget") || $0.contains("/join") && !$0.contains(" 372 ") })
            }
        }

        /// A person with an older key, because they were removed or got the new one too late, is still in the channel.
        @Test func whoHasAnOlderKeyIsInvitedAgainAndReadsOn() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let alice = try await first.client("alice", in: "#lobby")
                let (bob, pat) = (try await second.client("bob"), try await second.client("pat"))
                alice.say("JOIN #shed four-words-of-mine")
                try await alice.hears("NOTICE #shed :You are alone in #shed")
                bob.say("JOIN #shed four-words-of-mine")
                try await eventually("alice sees bob come") {
                    alice.lines.contains { $0.hasPrefix(":bob!peer@") && $0.hasSuffix(" JOIN #shed") }
                }
                alice.say("KICK #shed bob :x", "PRIVMSG #shed :unter uns")
                try await alice.hears(" KICK #shed bob :x")
                pat.say("JOIN #shed four-words-of-mine", "PRIVMSG #shed :jemand da?")
                try await alice.hears("INVITE pat #shed sends them the current one")
                alice.say("INVITE pat #shed", "INVITE bob #shed")
                for (nick, client) in [("pat", pat), ("bob", bob)] {
                    try await alice.hears(" 341 alice \(nick) #shed")
                    try await client.hears(" INVITE \(nick) :#shed")
                    try await client.hears("alice invites you to #shed, which")
                    #expect(!client.lines.contains { $0.contains("unter uns") })
                    client.say("JOIN #shed")
                    try await client.hears("NOTICE #shed :You have the current key of #shed now")
                    try await client.hears("] unter uns")
                    client.say("PRIVMSG #shed :\(nick) liest mit")
                    try await alice.hears("PRIVMSG #shed :\(nick) liest mit")
                }
                alice.say("INVITE pat #shed")
                try await alice.hears(" 443 alice pat #shed ")
            }
        }

        /// Nobody sees them in the channel then.
        @Test func whoIsAwayIsPutOutAllTheSame() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let alice = try await first.client("alice", in: "#lobby")
                let bob = try await second.client("bob")
                alice.say("JOIN #shed four-words-of-mine")
                try await alice.hears("NOTICE #shed :You are alone in #shed")
                bob.say("JOIN #shed four-words-of-mine")
                try await eventually("alice sees bob come") {
                    alice.lines.contains { $0.hasPrefix(":bob!peer@") && $0.hasSuffix(" JOIN #shed") }
                }
                bob.say("QUIT")
                try await alice.hears(" QUIT :Left the mesh")
                alice.say("KICK #shed bob :x")
                try await alice.hears("NOTICE #shed :bob was removed")
                let again = try await second.client("bob")
                again.say("JOIN #shed", "PRIVMSG #shed :noch da")
                alice.say("PRIVMSG #shed :ohne bob", "KICK #shed bob :x")
                try await alice.hears(" 441 alice bob #shed ")
                #expect(!again.lines.contains { $0.contains("ohne bob") })
            }
        }

        @Test(.enabled(if: SmallDisk.isPossible, "only root mounts a disk"))
        func aFullDiskIsToldToWhoeverSpeaks() async throws {
            try await onStage { stage in
                let disk = try SmallDisk(at: "\(stage.folder)/small", bytes: 8 << 20)
                defer { disk.end() }
                let gateway = try await Gateway("first", on: stage, home: disk.path)
                let (alice, bob) = (
                    try await gateway.client("alice", in: "#park"), try await gateway.client("bob", in: "#park")
                )
                try disk.fill()
                alice.say("PRIVMSG #park :is it raining?")
                try await bob.hears("PRIVMSG #park :is it raining?")
                try await alice.hears(
                    "NOTICE #park :Your lines are sent to everybody who is connected, but this node cannot store them")
                alice.say("PRIVMSG bob :psst")
                try await alice.hears(" 404 alice bob :Not sent to bob: ")
                alice.say("JOIN #camp four-words-of-mine")
                try await alice.hears(" 437 alice #camp ")
                try await alice.hears("NOTICE alice :#camp: the disk of ")
                #expect(!bob.lines.contains { $0.contains("cannot store them") })
                disk.makeRoom()
                alice.say("PRIVMSG bob :psst")
                try await bob.hears("PRIVMSG bob :psst")
            }
        }

        @Test func anAccountIsItsOwnersFromItsFirstPasswordOn() async throws {
            try await onStage { stage in
                let gateway = try await Gateway("first", on: stage)
                let (tim, other) = (try IRCLineClient(gateway.port), try IRCLineClient(gateway.port))
                let start = ["CAP REQ :sasl", "USER x 0 * :x", "AUTHENTICATE PLAIN"]
                // tim, tanstaaftanstaaf (RFC 4616 section 4)
                for line in start + ["AUTHENTICATE AHRpbQB0YW5zdGFhZnRhbnN0YWFm", "NICK tim", "CAP END"] {
                    tim.say(line)
                }
                try await tim.hears(" 903 ")
                try await tim.hears(" 001 tim ")
                // A word and not a line: what stands behind it is counted.
                try await tim.hears(" 004 tim lattice.local lattice-0.1.0 B knt k")
                // tim, other
                for line in start + ["AUTHENTICATE AHRpbQBvdGhlcg=="] { other.say(line) }
                try await other.hears(" 904 ")
                other.say("NICK tim", "CAP END")
                try await other.hears(" 433 ")
                other.say("NICK tom")
                try await other.hears(" 001 tom ")
                other.say("WHOIS tim")
                try await other.hears(" 330 tom tim tim ")
            }
        }

        /// By the code of every address that is in use.
        @Test func anAddressThatIsInUseIsToldInPlainWords() async throws {
            try await onStage { stage in
                let first = try await Gateway("first", on: stage)
                let address = "127.0.0.1:\(first.port)"
                let second = try stage.run(["irc", "--listen", address, "--name", "second", "--discovery", "off"])
                #expect(try await second.exitCode() == 1)
                #expect(
                    second.error.text.contains(
                        "lattice: --listen: \(address) is in use by another program; choose another port, or 0"),
                    "\(second.error.text)")
            }
        }

        @Test func theEndIsToldToClients() async throws {
            try await onStage { stage in
                let gateway = try await Gateway("first", on: stage)
                let alice = try await gateway.client("alice", in: "#park")
                gateway.peer.child.send(SIGTERM)
                try await alice.hears("ERROR :Closing Link")
                try await alice.isLetGo()
                #expect(try await gateway.peer.exitCode() == 0)
            }
        }

        /// How a client is started, told to enter `#park`, and told to say a line.
        struct Program: Sendable, CustomTestStringConvertible {
            let name: String
            let arguments: @Sendable (Int, String) -> [String]
            let join: String

            var testDescription: String { name }
        }

        static let programs = [
            Program(
                name: "irssi",
                arguments: { ["--home=\($1)/irssi", "-c", "127.0.0.1", "-p", "\($0)", "-n", "guest"] },
                join: "/join #park\r"),
            Program(name: "epic5", arguments: { port, _ in ["guest", "127.0.0.1:\(port)"] }, join: "/join #park\r"),
            Program(
                name: "sic", arguments: { port, _ in ["-h", "127.0.0.1", "-p", "\(port)", "-n", "guest"] },
                join: ":j #park\r"),
        ].filter { Lab.has($0.name) }

        @Test(.enabled(if: !programs.isEmpty, "neither irssi nor epic5 nor sic is installed"), arguments: programs)
        func aClientThatPeopleUseTalks(program: Program) async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let bob = try await second.client("bob", in: "#park")
                bob.say("PRIVMSG #park :was said before")
                let client = try stage.terminal(running: [program.name] + program.arguments(first.port, stage.folder))
                try await eventually("\(program.name) is welcomed") { client.raw.contains("/msg mesh help") }
                client.type(program.join)
                try await bob.hears(":guest!peer@")
                try await eventually("the past") { client.raw.contains("was said before") }
                bob.say("PRIVMSG #park :grüß dich")
                try await eventually("\(program.name) shows the line") { client.raw.contains("grüß dich") }
                client.type("hällo zurück\r")
                try await bob.hears("PRIVMSG #park :hällo zurück")
                client.end()
                try await bob.hears(" QUIT :Left the mesh")
            }
        }

        @Test(.enabled(if: Lab.has("weechat-headless"), "weechat-headless is not installed"))
        func weechatTalks() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let bob = try await second.client("bob", in: "#park")
                let folder = "\(stage.folder)/weechat"
                let commands = [
                    "/set logger.file.flush_delay 0",
                    "/server add t 127.0.0.1/\(first.port) -notls -nicks=guest -autojoin=#park", "/connect t",
                    "/wait 4 /msg -server t #park hällo zurück",
                ]
                _ = try stage.terminal(
                    running: ["weechat-headless", "-d", folder, "-r", commands.joined(separator: "; ")])
                try await bob.hears(":guest!peer@")
                bob.say("PRIVMSG #park :grüß dich")
                try await eventually("weechat logs the line") {
                    FileManager.default.contents(atPath: "\(folder)/logs/irc.t.#park.weechatlog")
                        .map { String(decoding: $0, as: UTF8.self).contains("grüß dich") } == true
                }
                try await bob.hears("PRIVMSG #park :hällo zurück")
            }
        }

        @Test(.enabled(if: Lab.has("ii"), "ii is not installed")) func iiTalks() async throws {
            try await onStage { stage in
                let (first, second) = try await gateways(on: stage)
                let bob = try await second.client("bob", in: "#park")
                let folder = "\(stage.folder)/ii"
                _ = try stage.terminal(
                    running: ["ii", "-i", folder, "-s", "127.0.0.1", "-p", "\(first.port)", "-n", "guest"])
                try await write("/j #park", to: "\(folder)/127.0.0.1/in")
                try await bob.hears(":guest!peer@")
                bob.say("PRIVMSG #park :grüß dich")
                try await eventually("ii writes the line down") {
                    FileManager.default.contents(atPath: "\(folder)/127.0.0.1/#park/out")
                        .map { String(decoding: $0, as: UTF8.self).contains("<bob> grüß dich") } == true
                }
                try await write("hällo zurück", to: "\(folder)/127.0.0.1/#park/in")
                try await bob.hears("PRIVMSG #park :hällo zurück")
            }
        }

        /// Into a pipe that another program makes and reads.
        private func write(_ line: String, to path: String) async throws {
            let pipe = try await eventually("\(path) is read") { () -> Int32? in
                let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                return descriptor >= 0 ? descriptor : nil
            }
            let bytes = Array("\(line)\n".utf8)
            #expect(Glibc.write(pipe, bytes, bytes.count) == bytes.count)
            close(pipe)
        }
    }
}
