import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeLink
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Somebody who is blocked and tries every way in there is.
@Suite(.timeLimit(.minutes(10))) struct BlockedPeerTests {
    private func block(_ identity: Identity, by host: Chatter) async throws {
        _ = try await host.node.perform(BlockPerson(PeerReference(identity.peer), true))
    }

    private func count(_ reason: RefusalReason, of host: Chatter) async throws -> Int {
        try await host.stats().refused[reason]
    }

    @Test func whatTheySayIsNotHeardOverAFriendUnderAnyName() async throws {
        let host = try await Chatter(try Home("alice"), knows: true)
        let (friend, witness) = (try await Chatter.stranger(), try await Chatter.stranger())
        let mallory = Identity.generate()
        try await host.run {
            try await block(mallory, by: host)
            try await witness.visit(await host.address) {
                try await friend.visit(await host.address) {
                    for name in ["mallory", "somebody new"] {
                        friend.say(try Speech.presence(by: mallory, named: name))
                        friend.say(try Speech.line("hello, I am \(name)", by: mallory))
                    }
                    friend.say(try Speech.line("behind it", by: friend.identity))
                    try await eventually("what follows") { host.heardTexts.contains("behind it") }
                    try await eventually("it is passed on") { witness.heardLines.contains("behind it") }
                    #expect(host.heardTexts == ["behind it"] && witness.heardLines == ["behind it"])
                    try await eventually("it is kept") { try await !host.history().isEmpty }
                    #expect(try await host.history().map(\.text) == ["behind it"])
                    #expect(try await host.peer(mallory.peer) == nil)
                    #expect(try await count(.blocked, of: host) == 4)
                    // A relay cannot know, and is not at fault.
                    #expect(friend.closure == nil)
                }
            }
        }
    }

    @Test func theirOwnLinkIsRefusedAndSaysWhy() async throws {
        let host = try await Chatter(try Home("alice"), knows: true, farewell: .seconds(240))
        let mallory = try await Chatter.stranger()
        try await host.run {
            try await block(mallory.identity, by: host)
            try await mallory.dial(await host.address) {
                try await eventually("it is sent away") { mallory.closure != nil }
                guard case .goodbye(let goodbye)? = mallory.closure else { throw Person.Unexpected() }
                #expect(goodbye.code == .refused)
            }
            #expect(try await host.peer(mallory.identity.peer)?.state != .connected)
        }
    }

    /// What is offered has no author yet: it is asked for, and then not taken.
    @Test func whatOthersKeepOfThemIsNotTakenIn() async throws {
        let host = try await Chatter(try Home("alice"), knows: true)
        let friend = try await Chatter.stranger()
        let mallory = Identity.generate()
        let theirs = ChatRig.lines(3, by: mallory)
        let others = ChatRig.lines(2, by: Identity.generate())
        try await host.run {
            try await block(mallory, by: host)
            try await friend.visit(await host.address) {
                friend.say(.keeping(.everything))
                // Before that it has not read its store, and asks for nothing.
                try await eventually("it says what it keeps") {
                    friend.frames.contains { if case .keeping = $0 { true } else { false } }
                }
                friend.say(.offer(RecordIDs((theirs + others).map(\.id))))
                func asked() -> [RecordID] {
                    friend.frames.flatMap { frame -> [RecordID] in
                        if case .fetch(let list) = frame { list.ids } else { [] }
                    }
                }
                try await eventually("all are asked for") { asked().count >= 5 }
                for record in theirs + others {
                    friend.say(.serve(ServedRecord(ageSeconds: 0, signed: record.signed)))
                }
                try await eventually("the others are kept") { try await host.count() == 2 }
                try await eventually("it is counted") { try await count(.blocked, of: host) == 3 }
                #expect(try await host.history().map(\.record) == others.map(\.id))
                // Offered again, they are not asked for again.
                let before = asked().count
                friend.say(.offer(RecordIDs(theirs.map(\.id))))
                friend.say(try Speech.line("behind it", by: friend.identity))
                try await eventually("what follows") { host.heardTexts.contains("behind it") }
                #expect(asked().count == before)
            }
        }
    }

    @Test func theirCommentsAndLikesOfAnothersPostDoNotCount() async throws {
        let host = try await Chatter(try Home("alice"), knows: true)
        let friend = try await Chatter.stranger()
        let (mallory, dave) = (Identity.generate(), Identity.generate())
        let place = Place(try .park())
        let post = Speech.record(
            .post, by: friend.identity, PostBody(name: ChatRig.name, place: place, text: "water", placeName: "").body)
        try await host.run {
            try await block(mallory, by: host)
            try await friend.visit(await host.address) {
                friend.say(post)
                for author in [mallory, dave] {
                    let topic = post.id.hash.bytes
                    friend.say(
                        Speech.record(
                            .comment, by: author, topic: topic, CommentBody(name: ChatRig.name, text: "mine").body))
                    friend.say(Speech.record(.like, by: author, topic: topic, Statement(holds: true).body))
                    friend.say(
                        Speech.record(
                            .post, by: author,
                            PostBody(
                                name: ChatRig.name, place: place, text: "buy this", placeName: ""
                            ).body))
                }
                try await eventually("all that is taken") { try await host.count() == 4 }
                try await eventually("the rest is counted") { try await count(.blocked, of: host) == 3 }
                let detail = try await host.node.perform(
                    ShowItem(ItemReference(post.id.hex)))
                #expect(detail.comments.map(\.author) == [dave.peer])
                #expect(detail.item.likes == 1 && detail.item.comments == 1)
            }
        }
    }
}
