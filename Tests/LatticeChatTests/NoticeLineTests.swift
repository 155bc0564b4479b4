import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// How a notice looks to people, and to programs.
struct NoticeLineTests {
    private func notice() throws -> Message {
        let line = try Samples.message("done")
        return Message(
            record: line.record, room: line.room, from: line.from, name: line.name, text: line.text, style: .says,
            at: line.at, hops: 1, isNotice: true)
    }

    private func message(isMine: Bool) throws -> PrivateMessage {
        PrivateMessage(
            number: 1, peer: Samples.peer(2), peerName: try PeerName("bob"), isMine: isMine, text: "done", style: .says,
            at: Samples.at, isLate: false, state: .delivered, isNotice: true)
    }

    @Test func programsAreToldThatALineIsANotice() throws {
        let items: [ChatItem] = [
            .message(try notice(), shown: "bob", isCurrentRoom: true, isMention: false),
            .privateMessage(try message(isMine: false), shown: "bob", isPast: false),
        ]
        for item in items {
            #expect(JSONRenderer().render(item).output.allSatisfy { $0.contains(#""notice":true"#) })
        }
        let plain = ChatItem.message(try Samples.message("hi"), shown: "bob", isCurrentRoom: true, isMention: false)
        #expect(JSONRenderer().render(plain).output.allSatisfy { !$0.contains("notice") })
    }

    @Test func peopleSeeThatALineIsANotice() throws {
        let line = ChatItem.message(try notice(), shown: "bob", isCurrentRoom: true, isMention: false)
        #expect(Samples.plainRenderer.render(line).output.allSatisfy { $0.contains("-bob- ") && !$0.contains("<bob>") })
        for (isMine, start) in [(false, "*bob* (notice) "), (true, "→ bob: (notice) ")] {
            let item = ChatItem.privateMessage(try message(isMine: isMine), shown: "bob", isPast: false)
            #expect(Samples.plainRenderer.render(item).output.allSatisfy { $0.contains(start) })
        }
    }
}
