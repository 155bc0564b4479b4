import LatticeAPI
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

/// A notice stays one on its way: over links, in stores, sealed or not.
@Suite(.timeLimit(.minutes(10))) struct NoticeTests {
    @Test func aNoticeInARoomIsHeardAndKeptAsOne() async throws {
        let (here, there) = (try await Chatter(try Home("ann")), try await Chatter(try Home("ben")))
        try await here.run {
            try await there.run {
                try await here.meet(there)
                let lobby = try RoomName("#lobby")
                let said = try await here.node.perform(Say("done", style: .says, room: lobby, isNotice: true))
                _ = try await here.node.perform(Say("hello", style: .says, room: lobby))
                try await eventually("both lines") { there.lines.count == 2 }
                #expect(there.lines.map(\.isNotice) == [true, false])
                let page = try await here.node.perform(HistoryQuery(room: lobby, limit: 9))
                #expect(page.lines.map(\.isNotice) == [true, false])
                // The answer tells the date under which the line is kept.
                #expect(said.at != nil && said.at == page.lines.first?.at)
            }
        }
    }

    @Test func aSealedNoticeIsOpenedAsOneUnderOneId() async throws {
        let (one, other, _) = try await Chatter.threeWithMail()
        try await one.run {
            try await other.run {
                try await one.meet(other)
                try await eventually("keys") { try await one.hasKeys(of: other.home) }
                let wish = SendPrivateMessage(
                    PeerReference(other.home.identity.peer), "built", style: .says, isNotice: true)
                let told = try await one.node.perform(wish)
                try await eventually("it is heard") { other.messages.count == 1 }
                let heard = try #require(other.messages.first)
                #expect(told.isNotice && heard.isNotice)
                #expect(told.record != nil && told.record == heard.record)
                #expect(try await other.privateHistory(one.home).map(\.isNotice) == [true])
            }
        }
    }
}
