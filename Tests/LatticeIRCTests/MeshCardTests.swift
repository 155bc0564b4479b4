import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// The card of the mesh in the message of the day.
@Suite struct MeshCardTests {
    private static func status(rules: String?) -> MeshCardStatus {
        var card = MeshCard(
            record: GatewayRig.record(1), authorName: "bob", at: WallTime(milliseconds: 0), name: "Camp\r\nPRIVMSG x :y"
        )
        (card.welcome, card.rules) = ("Hello\u{202E}!", rules)
        return MeshCardStatus(signer: GatewayRig.peer("bob"), card: card)
    }

    private func motd(_ rig: inout GatewayRig, _ id: ConnectionID) -> [String] {
        rig.output[id] = []
        rig.say(id, "MOTD")
        return (rig.output[id] ?? []).filter { $0.contains(" 372 ") }.compactMap { line in
            line.firstRange(of: " :- ").map { String(line[$0.upperBound...]) }
        }
    }

    @Test func theMessageOfTheDayGreetsWithIt() throws {
        var rig = try GatewayRig()
        let id = rig.client("amy")
        let usual = motd(&rig, id)
        #expect(usual.first?.hasPrefix("This is a mesh") == true)
        rig.handle(.card(Self.status(rules: "Quiet at ten.\n\nNo fires.")))
        #expect(
            motd(&rig, id) == ["Camp", "PRIVMSG x :y", "Hello!", "House rules:", "Quiet at ten.", "No fires.", " "]
                + usual)
        let other = rig.connect()
        rig.say(other, "NICK bea", "USER bea 0 * :Bea")
        #expect(rig.output[other]?.contains { $0.hasSuffix(" :- Hello!") } == true)
        rig.handle(.card(MeshCardStatus()))
        #expect(motd(&rig, id) == usual)
    }

    @Test func longRulesAreCutIntoLinesThatFit() throws {
        var rig = try GatewayRig()
        let id = rig.client("amy")
        let rules = String(repeating: "Ünd immer leise. ", count: 200)
        rig.handle(.card(Self.status(rules: rules)))
        let lines = motd(&rig, id).drop { $0 != "House rules:" }.dropFirst().prefix { $0 != " " }
        #expect(lines.count > 8)
        #expect(lines.joined(separator: " ").filter { $0 == "Ü" }.count == 200)
        #expect(rig.output[id]?.allSatisfy { $0.utf8.count <= 510 } == true)
    }
}
