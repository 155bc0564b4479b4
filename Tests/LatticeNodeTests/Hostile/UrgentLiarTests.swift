import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Somebody who claims that everything is urgent.
@Suite(.timeLimit(.minutes(10))) struct UrgentLiarTests {
    private func line(_ text: String, by identity: Identity) -> VerifiedRecord {
        Speech.record(
            .chat, by: identity, topic: Array("#lobby".utf8),
            ChatLine(style: .says, name: ChatRig.name, text: text, isUrgent: true).body)
    }

    private func urgent(_ host: Chatter) async throws -> [String?] {
        try await host.node.perform(ListUrgent()).notifications.map(\.text)
    }

    @Test func threeStandInSightHoweverManyCome() async throws {
        let host = try await Chatter(try Home("alice"))
        let liar = try await Chatter.stranger()
        try await host.run {
            try await liar.visit(await host.address) {
                for number in 1...20 { liar.say(line("line \(number)", by: liar.identity)) }
                try await eventually("all") { host.heardTexts.count == 20 }
                #expect(host.lines.filter(\.isUrgent).map(\.text) == ["line 1", "line 2", "line 3"])
                try await eventually("three") { try await urgent(host) == ["line 3", "line 2", "line 1"] }
                // After these are dismissed, no others take their place.
                _ = try await host.node.perform(DismissUrgent())
                liar.say(line("line 21", by: liar.identity))
                try await eventually("one more") { host.heardTexts.count == 21 }
                try await eventually("it is stored") { try await host.history().count == 21 }
                #expect(try await urgent(host).isEmpty)
                #expect(try await host.history().filter(\.isUrgent).count == 3)
            }
        }
    }

    @Test func aRestartGivesNobodyMore() async throws {
        let home = try Home("alice")
        let liar = Identity.generate()
        for start in [0, 3] {
            let host = try await Chatter(home)
            let stranger = try await Chatter.stranger()
            try await host.run {
                try await stranger.visit(await host.address) {
                    for number in start..<(start + 3) { stranger.say(line("line \(number)", by: liar)) }
                    try await eventually("they are stored") { try await host.history().count == start + 3 }
                    try await eventually("the first three are in sight") {
                        try await urgent(host) == ["line 2", "line 1", "line 0"]
                    }
                    #expect(host.lines.filter(\.isUrgent).count == (start == 0 ? 3 : 0))
                }
            }
        }
    }

    @Test func manyKeysOnOneLinkAreAFewUrgentLines() async throws {
        let host = try await Chatter(try Home("alice"))
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                for number in 0..<400 { stranger.say(line("line \(number)", by: Identity.generate())) }
                try await eventually("all") { host.heardTexts.count == 400 }
                let count = host.lines.count { $0.isUrgent }
                #expect(count > 0 && count < 250, "\(count)")
                try await eventually("three") { try await urgent(host).count == 3 }
            }
        }
    }
}
