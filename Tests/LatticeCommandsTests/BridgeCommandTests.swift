import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

@testable import LatticeCommands

/// What may cross bridges.
@Suite struct BridgeCommandTests {
    private static func run(_ line: String, _ node: CommandNode = CommandNode()) async -> (CommandOutput, [AnyHashable])
    {
        let word = String(line.prefix { $0 != " " })
        let output = await SlashCommands().run(word, String(line.dropFirst(word.count + 1)), on: node)
        return (output, await node.requests)
    }

    @Test func whatIsTypedIsAsked() async throws {
        let rooms = try ["#park", "#camp"].map { try RoomName($0) }
        for (line, request) in [
            ("bridge", ShowCrossing()), ("bridge show", ShowCrossing()), ("bridge allow", SetCrossing(rooms: [])),
            ("bridge allow #park camp", SetCrossing(rooms: rooms)), ("bridge deny", SetCrossing(rooms: nil)),
            ("bridge status", ShowBridges()),
        ] as [(String, AnyHashable)] {
            let (output, requests) = await Self.run(line)
            #expect(output.failure == nil && requests == [request], "\(line): \(output.failure?.message ?? "")")
        }
        let (nothing, _) = await Self.run("bridge")
        #expect(nothing.lines == ["Nothing of yours may cross a bridge to another network."])
        #expect(nothing.remarks == ["To allow it: /bridge allow"])
    }

    @Test(arguments: ["bridge allow a,b", "bridge deny #park", "bridge show #park", "bridge status nats"])
    func whatIsWrongIsSaid(line: String) async {
        let (output, requests) = await Self.run(line)
        #expect(output.exitCode == 2 && requests.isEmpty)
    }

    @Test func withoutANodeThereIsNoBridge() async throws {
        let node = CommandNode { _ throws(RequestError) in throw .stopped(why: .noNode) }
        let (output, _) = await Self.run("bridge status", node)
        #expect(output.exitCode == 69 && output.failure?.message.contains("lattice run") == true)
        let (busy, _) = await Self.run("bridge status", CommandNode { _ throws(RequestError) in throw .ownerOnly })
        #expect(busy.failure?.code == RequestError.ownerOnly.code.rawValue)
    }

    @Test func theHelpSaysWhatStays() {
        for topic in ["bridge allow", "bridge deny"] {
            let help = SlashCommands().help(topic).joined(separator: " ")
            #expect(help.contains("stays at the broker for up to a year"), "\(help)")
        }
        #expect(
            SlashCommands().help("bridge").joined(separator: " ").contains("Nothing of yours crosses unless you allow"))
    }
}
