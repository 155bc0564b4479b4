import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

@testable import LatticeCommands

/// What `lattice send` and `lattice messages` ask and answer.
@Suite struct PrivateCommandsTests {
    private static let (bob, carol) = (peer(2), peer(3))
    private static let now = CommandNode.item.at

    private static func peer(_ rank: UInt8) -> PeerID {
        guard let key = Bytes32([rank] + [UInt8](repeating: 0, count: 31)) else {
            preconditionFailure("32 bytes are 32 bytes")
        }
        return PeerID(key)
    }

    /// Has talked with carol; bob, and a second carol if there is one, are known by what they wrote.
    private actor TalkNode: MeshNode {
        private(set) var told: [SendPrivateMessage] = []
        private var state: PrivateState = .waiting
        private let archiveCarol: PeerID?

        init(archiveCarol: PeerID? = nil) {
            self.archiveCarol = archiveCarol
        }

        func reach(_ state: PrivateState) {
            self.state = state
        }

        func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
            guard let reply = try reply(to: request) as? R.Reply else {
                throw RequestError.other(code: .stopped, message: "nothing else is asked")
            }
            return reply
        }

        private func reply(to request: any Request) throws(RequestError) -> any Sendable {
            let (bob, carol) = (PrivateCommandsTests.bob, PrivateCommandsTests.carol)
            switch request {
            case let message as SendPrivateMessage:
                told.append(message)
                return try privateMessage(message.text, message.peer.id ?? bob, number: 2, isMine: true)
            case is ListConversations: return PrivateMessages([try privateMessage("come by", carol)])
            case let list as ListPrivateMessages:
                guard list.peer.id == carol else { return PrivateMessages([]) }
                return PrivateMessages([
                    try privateMessage("come by", carol), try privateMessage("yes", carol, number: 2, isMine: true),
                ])
            case let request as FindPerson: return try find(request.peer.text)
            default: return Done()
            }
        }

        private func find(_ text: String) throws(RequestError) -> KnownPerson {
            let people: [KnownPerson]
            do {
                let (bob, carol) = (try PeerName("bob"), try PeerName("carol"))
                people =
                    [
                        KnownPerson(id: PrivateCommandsTests.bob, name: bob),
                        KnownPerson(id: PrivateCommandsTests.carol, name: carol),
                    ] + (archiveCarol.map { [KnownPerson(id: $0, name: carol)] } ?? [])
            } catch {
                throw RequestError.other(code: .invalid, message: "\(error)")
            }
            let found = Naming.meant(by: text, among: people)
            guard found.count < 2 else { throw .ambiguousPeer(candidates: found, at: PrivateCommandsTests.now) }
            if let one = found.first ?? PeerID(hex: text).map({ KnownPerson(id: $0) }) { return one }
            throw RequestError.other(code: .unknownPeer, message: "nobody")
        }

        private func privateMessage(
            _ text: String, _ peer: PeerID, number: Int64 = 1, isMine: Bool = false
        ) throws(RequestError) -> PrivateMessage {
            do {
                return PrivateMessage(
                    number: number, peer: peer,
                    peerName: peer == PrivateCommandsTests.carol ? try PeerName("carol") : nil, isMine: isMine,
                    text: text, style: .says, at: PrivateCommandsTests.now, isLate: false,
                    state: isMine ? state : .delivered)
            } catch {
                throw RequestError.other(code: .invalid, message: "\(error)")
            }
        }

        func events() -> NodeEvents { .over }
    }

    private func send(
        _ words: String..., on node: TalkNode = TalkNode(), reaching state: PrivateState = .waiting,
        besideChat: Bool = false
    ) async throws -> CommandOutput {
        let command = try #require(try CommandsRoot.parseAsRoot(["send"] + words) as? SendCommand)
        return await command.output(on: node) { watch in
            await node.reach(state)
            _ = await watch.isDone()
            return besideChat
        }
    }

    @Test func itIsToldToWhomItIsFor() async throws {
        for (typed, peer) in [
            ("bob", Self.bob), ("carol", Self.carol), ("@carol", Self.carol),
            ("carol#\(Self.carol.short)", Self.carol), (Self.peer(9).hex, Self.peer(9)),
        ] {
            let node = TalkNode()
            #expect(try await send(typed, "on", "my", "way", on: node).exitCode == 0, "\(typed)")
            #expect(await node.told == [SendPrivateMessage(PeerReference(peer), "on my way", style: .says)], "\(typed)")
        }
    }

    @Test func aNameOfTwoOrOfNobodyIsRefused() async throws {
        let node = TalkNode(archiveCarol: Self.peer(4))
        let output = try await send("carol", "hi", on: node)
        let shorts = "carol#\(Self.carol.short), carol#\(Self.peer(4).short)"
        #expect(
            output.failure?.message == "several people have that name: \(shorts); say which one"
                && output.exitCode == 1)
        #expect(try await send("dave", "hi", on: node).failure?.code == "unknownPeer")
        #expect(output.json[0].contains(#""candidates":[{"id":"\#(Self.carol.hex)","#))
        #expect(await node.told.isEmpty)
        #expect(try await send("carol", "hi", on: TalkNode(archiveCarol: Self.carol)).exitCode == 0)
    }

    @Test(arguments: [
        (PrivateState.waiting, false, "waiting: nobody has it yet; it is sent when 'lattice chat' runs"),
        (.waiting, true, "waiting: nobody has it yet; your running chat delivers it"),
        (.relayed, false, "relayed: a peer has it and relays it"),
        (.delivered, false, "delivered: their program has it"),
    ])
    func itSaysHowFarItCame(state: PrivateState, besideChat: Bool, told: String) async throws {
        let output = try await send("carol", "yes", reaching: state, besideChat: besideChat)
        #expect(output.lines[0].hasPrefix("sent to carol#\(Self.carol.short): \(told)") && output.exitCode == 0)
        #expect(output.json.count == 1 && output.json[0].hasSuffix(#""state":"\#(state.rawValue)"}"#))
    }

    @Test func whatCannotBeSealedYetIsToldSo() throws {
        let unsealed = PrivateMessage(
            number: 1, peer: Self.bob, peerName: nil, isMine: true, text: "hi", style: .says, at: Self.now,
            isLate: false,
            state: .waiting, isSealed: false)
        let output = SendAnswer.output(unsealed, isRunning: false, until: nil, seconds: 3)
        #expect(output.lines[0].contains("waiting: their keys are not known here yet") && output.exitCode == 0)
        #expect(output.remarks == ["it is stored here; nobody else has it yet"])
        #expect(output.json[0].contains(#""sealed":false"#))
    }

    @Test func whoWaitsForMoreIsToldWhenItDoesNotCome() async throws {
        for (until, state, code) in [
            ("relayed", PrivateState.waiting, Int32(69)), ("relayed", .relayed, 0), ("delivered", .relayed, 75),
            ("delivered", .delivered, 0), ("delivered", .lapsed, 75), ("delivered", .waiting, 69),
        ] {
            let output = try await send("carol", "yes", "--until", until, "--wait", "9", reaching: state)
            #expect(output.exitCode == code && output.lines.count == 1)
            if code != 0 {
                #expect(output.failure?.message == "not \(until) within 9 s; it is stored, and delivery continues")
            }
        }
        #expect(throws: (any Error).self) { try CommandsRoot.parseAsRoot(["send", "bob", "hi", "--until", "read"]) }
        #expect(throws: (any Error).self) { try CommandsRoot.parseAsRoot(["send", "bob"]) }
    }

    @Test func conversationsAndTheirLinesNeedNoNetwork() async throws {
        func messages(_ words: String...) async throws -> CommandOutput {
            let command = try #require(try CommandsRoot.parseAsRoot(["messages"] + words) as? any SharedCommand)
            return await command.output(on: TalkNode(), context: CommandContext(now: Self.now))
        }
        let date = LocalCalendar.utc.text(Self.now)
        #expect(try await messages().lines == ["carol  \(date.suffix(5))  come by"])
        #expect(
            try await messages("carol").lines == ["\(date) *carol* come by", "\(date) → carol: yes (waiting)"])
        #expect(try await messages("carol", "-n", "2").remarks == ["More: add -n 4"])
        #expect(try await messages("-n", "1").lines.count == 1)
        #expect(try await messages("carol").json.allSatisfy { $0.hasSuffix(#""history":true}"#) })
        #expect(
            try await messages("bob").remarks == ["No private messages with bob yet."])
        #expect(try await messages("dave").failure?.code == "unknownPeer")
        #expect(throws: (any Error).self) { try CommandsRoot.parseAsRoot(["messages", "-n", "0"]) }
    }

    @Test func theyExplainThemselvesWithExamplesThatAreUnderstood() throws {
        for type in SharedCommands.messages {
            let manual = type.manual
            #expect(!manual.examples.isEmpty && manual.abstract.hasSuffix("."), "\(manual.words)")
            for example in manual.examples {
                let words = try WordSplitter.words(of: example)
                #expect(throws: Never.self, "\(example)") { try CommandsRoot.parseAsRoot(words) }
            }
            #expect(SharedCommands.named([manual.words])?.manual.words == manual.words)
        }
    }
}
