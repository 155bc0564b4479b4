import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import Testing

@testable import LatticeNode

/// Replies, reactions, edits and deletions of lines, by the owner and by visitors of one node.
@Suite(.timeLimit(.minutes(10))) struct LineRequestTests {
    private func say(_ text: String, _ guest: Guest, replyTo: RecordID? = nil) async throws -> RecordID {
        try await guest.visitor.perform(
            Say(text, style: .says, room: try RoomName("#lobby"), replyTo: replyTo)
        ).record
    }

    @Test func anAnswerComesWithWhatItAnswers() async throws {
        try await Camp.run { camp in
            let asked = try await say("two seats left?", camp.bob)
            let answer = try await say("yes", camp.carol, replyTo: asked)
            try await eventually("both lines") { camp.here.lines.count == 2 && camp.bob.all.lines.count == 2 }
            for line in [camp.here.lines[1], camp.bob.all.lines[1], try await camp.here.history()[1]] {
                #expect(line.record == answer && line.reply?.record == asked)
                #expect(line.reply?.from == camp.bob.id && line.reply?.text == "two seats left?")
            }
            let nowhere = RecordID(Bytes32(words: (1, 2, 3, 4)))
            let alone = try await say("what?", camp.carol, replyTo: nowhere)
            let shown = try await camp.here.node.perform(ShowLine(alone)).lineInRoom?.reply
            #expect(shown == LineReference(nowhere))
        }
    }

    @Test func aReactionIsGivenAndTakenBack() async throws {
        try await Camp.run { camp in
            let line = try await say("at nine", camp.bob)
            #expect(
                try await camp.carol.visitor.perform(ReactToLine(line, "👍")).lineInRoom?.reactions == [
                    LineReaction("👍", by: [camp.carol.id])
                ])
            // Nothing changes.
            _ = try await camp.carol.visitor.perform(ReactToLine(line, ":+1:"))
            let both = try #require(try await camp.here.node.perform(ReactToLine(line, "👍")).lineInRoom).reactions
            #expect(both.map(\.emoji) == ["👍"] && both.first?.by.count == 2)
            let taken = try await camp.carol.visitor.perform(ReactToLine(line, "👍", holds: false))
            let left = try #require(taken.lineInRoom).reactions
            #expect(left.map(\.by) == [[camp.here.home.identity.peer]])
            try await eventually("three changes") { camp.bob.all.changes.count == 3 && camp.here.changes.count == 3 }
            #expect(camp.bob.all.changes.map(\.kind) == [.reacted, .reacted, .unreacted])
            #expect(camp.bob.all.changes.map(\.by) == [camp.carol.id, camp.here.home.identity.peer, camp.carol.id])
            #expect(camp.bob.all.changes.allSatisfy { $0.line.record == line && $0.emoji == "👍" })
        }
    }

    @Test(arguments: [
        "", "ok", ":ok", ":no_such_emoji:", "👍👍", "1", "a👍", "  ",
        "\u{1F468}" + String(repeating: "\u{200D}\u{1F468}", count: 9),
    ])
    func whatIsNotOneEmojiIsRefused(text: String) async throws {
        try await Camp.run { camp in
            let line = try await say("at nine", camp.bob)
            await #expect(throws: RequestError.invalid(faults: [.notAnEmoji(given: text)])) {
                _ = try await camp.carol.visitor.perform(ReactToLine(line, text))
            }
        }
    }

    @Test(arguments: ["👍", "❤️", "🇩🇪", "1️⃣", "👩🏽‍🚒", "☀"]) func emojiOfAllFormsAreTaken(text: String) {
        #expect(Emoji(text)?.text == text)
    }

    @Test func anEditReplacesTheTextForEverybody() async throws {
        try await Camp.run { camp in
            let asked = try await say("who?", camp.carol)
            let line = try await say("at nien", camp.bob, replyTo: asked)
            let edited = try #require(try await camp.bob.visitor.perform(EditLine(line, "at nine")).lineInRoom)
            #expect(edited.text == "at nine" && edited.isEdited && edited.reply?.record == asked)
            try await eventually("the change") { camp.here.changes.count == 1 && camp.carol.all.changes.count == 1 }
            #expect(camp.carol.all.changes[0].kind == .edited && camp.carol.all.changes[0].line.text == "at nine")
            let lines = try await camp.here.history()
            #expect(lines.map(\.text) == ["who?", "at nine"] && lines.map(\.isEdited) == [false, true])
            await #expect(throws: RequestError.notYourLine(act: .edit)) {
                _ = try await camp.carol.visitor.perform(EditLine(line, "never"))
            }
            await #expect(throws: RequestError.emptyLine) {
                _ = try await camp.bob.visitor.perform(EditLine(line, " "))
            }
        }
    }

    @Test func aDeletionLeavesAGapWithoutText() async throws {
        try await Camp.run { camp in
            let line = try await say("oops", camp.bob)
            _ = try await camp.carol.visitor.perform(ReactToLine(line, "😮"))
            await #expect(throws: RequestError.notYourLine(act: .delete)) {
                _ = try await camp.here.node.perform(DeleteLine(line))
            }
            let deleted = try #require(try await camp.bob.visitor.perform(DeleteLine(line)).lineInRoom)
            #expect(deleted.isDeleted && deleted.text.isEmpty && deleted.from == camp.bob.id)
            #expect(try await camp.bob.visitor.perform(DeleteLine(line)).lineInRoom == deleted)
            try await eventually("the change") { camp.here.changes.contains { $0.kind == .deleted } }
            let lines = try await camp.carol.history()
            #expect(lines.map(\.isDeleted) == [true] && lines[0].reactions.isEmpty && lines[0].name.text == "bob")
            for act in [EditLine(line, "again")] {
                await #expect(throws: RequestError.lineDeleted) { _ = try await camp.bob.visitor.perform(act) }
            }
            await #expect(throws: RequestError.lineDeleted) {
                _ = try await camp.carol.visitor.perform(ReactToLine(line, "👍"))
            }
            let answer = try await say("what?", camp.carol, replyTo: line)
            #expect(try await camp.carol.visitor.perform(ShowLine(answer)).lineInRoom?.reply?.text?.isEmpty == true)
        }
    }

    @Test func whatIsNoLineOfAPublicRoomIsUnknown() async throws {
        try await Camp.run { camp in
            let nothing = RecordID(Bytes32(words: (1, 2, 3, 4)))
            await #expect(throws: RequestError.unknownLine) { _ = try await camp.here.node.perform(ShowLine(nothing)) }
            await #expect(throws: RequestError.unknownLine) {
                _ = try await camp.here.node.perform(ReactToLine(nothing, "👍"))
            }
            let post = try await camp.here.node.perform(
                NewPost(text: "soup", at: Coordinate(latitude: 48.137, longitude: 11.575)))
            await #expect(throws: RequestError.unknownLine) {
                _ = try await camp.here.node.perform(DeleteLine(post.id))
            }
        }
    }

    @Test func onlyPeopleOfTheRoomHearOfAChange() async throws {
        try await Camp.run { camp in
            let dave = try await camp.here.admit("dave")
            try await dave.join("#park")
            let line = try await say("hi", camp.bob)
            _ = try await camp.carol.visitor.perform(ReactToLine(line, "👋"))
            try await eventually("the change") { camp.bob.all.changes.count == 1 }
            #expect(dave.all.changes.isEmpty)
        }
    }

    @Test func anAnswerInAPrivateRoomIsSealedWithTheLine() async throws {
        try await Camp.run { camp in
            let room = try RoomName("#camp")
            _ = try await camp.here.node.perform(CreatePrivateRoom(room))
            let asked = try await camp.here.node.perform(Say("who?", style: .says, room: room)).record
            let answer = try await camp.here.node.perform(Say("me", style: .says, room: room, replyTo: asked)).record
            let lines = try await camp.here.node.perform(HistoryQuery(room: room, limit: 10)).lines
            #expect(lines.map(\.record) == [asked, answer])
            #expect(lines[1].reply?.text == "who?" && lines[1].reply?.record == asked)
        }
    }
}

extension Chatter {
    var changes: [LineChange] {
        events.compactMap { if case .lineChanged(let change) = $0 { change } else { nil } }
    }
}
