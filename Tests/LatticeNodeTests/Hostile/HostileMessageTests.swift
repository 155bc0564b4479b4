import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Keys and private messages that are made to harm their user.
@Suite(.timeLimit(.minutes(10))) struct HostileMessageTests {
    /// Of orders 1, 2, 4 and 8 and their like on the other form (the list of RFC 7748's authors): what is agreed on with one of these
    /// everybody knows.
    static let lowOrder = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ]

    private static func point(_ hex: String) throws -> Bytes32 {
        try #require(Hex.bytes(hex).flatMap { Bytes32($0) })
    }

    private func keys(_ points: [Bytes32], by identity: Identity) -> VerifiedRecord {
        let prekeys = points.enumerated().map { Prekey(id: UInt64($0.offset), key: $0.element) }
        return Speech.record(
            .prekeys, by: identity, PrekeysBody(rotating: prekeys[0], oneTime: Array(prekeys.dropFirst())).body)
    }

    @Test func nothingIsSealedToAKeyThatEverybodyKnowsTheSecretOf() async throws {
        let host = try await Chatter(try Home("alice"), hasMail: true)
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                stranger.say(keys(try Self.lowOrder.map(Self.point), by: stranger.identity))
                try await eventually("the keys are here") {
                    try await host.store.prekeys.published(by: stranger.identity.peer, at: Clocks.machine()) != nil
                }
                let told = try await host.node.perform(
                    SendPrivateMessage(PeerReference(stranger.identity.peer), "for you alone", style: .says))
                // A person who also has valid keys is written to all the same.
                let bob = Identity.generate()
                stranger.say(keys([AgreementKey.generate().publicKey], by: bob))
                try await eventually("the keys of bob") {
                    try await host.store.prekeys.published(by: bob.peer, at: Clocks.machine()) != nil
                }
                _ = try await host.node.perform(
                    SendPrivateMessage(PeerReference(bob.peer), "and for you", style: .says))
                try await eventually("one is sealed") {
                    stranger.heardRecords.contains { $0.signed.record.kind == .sealed }
                }
                #expect(try await host.store.sealedCount() == 1)
                #expect(told.state == .waiting && host.states(of: told.number).isEmpty)
            }
        }
    }

    @Test func messagesThatAreBrokenAreTurnedAwayAndTheNextOpens() async throws {
        let host = try await Chatter(try Home("alice"), hasMail: true)
        let stranger = try await Chatter.stranger()
        let me = stranger.identity
        try await host.run {
            try await stranger.visit(await host.address) {
                try await eventually("keys") { try await host.hasKeys(of: host.home) }
                let prekeys = try #require(
                    try await host.store.prekeys.published(by: host.home.identity.peer, at: Clocks.machine())?.body)
                func seal(_ text: String, _ number: Int) throws -> SealedBody {
                    let line = SealedText.line(ChatLine(style: .says, name: ChatRig.name, text: text))
                    return try MessageSeal.seal(
                        line.bytes, from: me.peer, to: host.home.identity.peer, prekeys.oneTime[number])
                }
                let good = try seal("good", 0)
                var broken: [SealedBody] = []
                for hex in Self.lowOrder {
                    let point = try Self.point(hex)
                    broken.append(
                        SealedBody(tagKey: point, tag: good.tag, messageKey: good.messageKey, message: good.message))
                    broken.append(
                        SealedBody(tagKey: good.tagKey, tag: good.tag, messageKey: point, message: good.message))
                }
                var flipped = good.message
                flipped[9] ^= 1
                broken.append(
                    SealedBody(tagKey: good.tagKey, tag: good.tag, messageKey: good.messageKey, message: flipped))
                for body in broken { stranger.say(Speech.record(.sealed, by: me, body.body)) }
                // Another author's private message under the thief's name.
                let thief = Identity.generate()
                stranger.say(Speech.record(.sealed, by: thief, good.body))
                stranger.say(Speech.record(.sealed, by: me, good.body))
                try await eventually("the good one") { !host.messages.isEmpty }
                #expect(host.messages.map(\.text) == ["good"])
                #expect(host.messages.map(\.peer) == [me.peer])
                #expect(stranger.closure == nil)
            }
        }
    }

    /// `FileDeliveryTests` of the store have the other forgeries.
    @Test func whoClaimsToHaveFilesThatWereNotSentChangesNothing() async throws {
        let host = try await Chatter(try Home("alice"), hasMail: true)
        let stranger = try await Chatter.stranger()
        let me = stranger.identity
        try await host.run {
            try await stranger.visit(await host.address) {
                try await eventually("keys") { try await host.hasKeys(of: host.home) }
                let theirs = try #require(
                    try await host.store.prekeys.published(by: host.home.identity.peer, at: Clocks.machine())?.body)
                stranger.say(keys([AgreementKey.generate().publicKey], by: me))
                try await eventually("the stranger's keys") {
                    try await host.store.prekeys.published(by: me.peer, at: Clocks.machine()) != nil
                }
                let sent = try await host.node.perform(
                    SendPrivateMessage(PeerReference(me.peer), "no file", style: .says))
                let record = try #require(sent.record)
                func say(_ text: SealedText) throws {
                    let body = try MessageSeal.seal(
                        text.bytes, from: me.peer, to: host.home.identity.peer, theirs.rotating)
                    stranger.say(Speech.record(.sealed, by: me, body.body))
                }
                try say(.filesHere([record, RecordID(.zero)]))
                try say(.unknown(kind: 12))
                try say(.line(ChatLine(style: .says, name: ChatRig.name, text: "after")))
                try await eventually("the line after it") { !host.messages.isEmpty }
                #expect(host.messages.map(\.text) == ["after"])
                #expect(!host.states(of: sent.number).contains(.delivered))
                let files = host.events.filter {
                    if case .privateProgress(let progress) = $0 { progress.file != nil } else { false }
                }
                #expect(files.isEmpty && stranger.closure == nil)
            }
        }
    }

    /// A stranger takes every one-time key; later messages are sealed to the rotating one. `PrekeyPlanTests` say when
    /// keys are made again.
    @Test func whoUsesUpAllKeysKeepsNobodyFromWriting() async throws {
        let host = try await Chatter(try Home("alice"), hasMail: true)
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                func published() async throws -> PrekeysBody? {
                    try await host.store.prekeys.published(by: host.home.identity.peer, at: Clocks.machine())?.body
                }
                try await eventually("keys") { try await published() != nil }
                let first = try #require(try await published())
                func send(_ text: String, to prekey: Prekey, by author: Identity) throws {
                    let line = SealedText.line(ChatLine(style: .says, name: ChatRig.name, text: text))
                    let body = try MessageSeal.seal(
                        line.bytes, from: author.peer, to: host.home.identity.peer, prekey)
                    stranger.say(Speech.record(.sealed, by: author, body.body))
                }
                for (number, prekey) in first.oneTime.enumerated() {
                    try send("\(number)", to: prekey, by: stranger.identity)
                }
                let honest = Identity.generate()
                try send("honest", to: first.rotating, by: honest)
                try await eventually("the honest one") { host.messages.contains { $0.text == "honest" } }
            }
        }
    }
}
