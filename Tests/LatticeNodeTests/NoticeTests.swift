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
                let answer = try await here.node.perform(.say("done", style: .says, room: lobby, isNotice: true))
                _ = try await here.node.perform(.say("hello", style: .says, room: lobby))
                try await eventually("both lines") { there.lines.count == 2 }
                #expect(there.lines.map(\.isNotice) == [true, false])
                guard
                    case .history(let page) = try await here.node.perform(.history(HistoryQuery(room: lobby, limit: 9)))
                else { throw Person.Unexpected() }
                #expect(page.lines.map(\.isNotice) == [true, false])
                // The answer tells the date under which the line is kept.
                guard case .said(_, _, _, let date) = answer else { throw Person.Unexpected() }
                #expect(date == page.lines.first?.at)
            }
        }
    }

    @Test func aSealedNoticeIsOpenedAsOneUnderOneId() async throws {
        let (one, other, _) = try await Chatter.threeWithMail()
        try await one.run {
            try await other.run {
                try await one.meet(other)
                try await eventually("keys") { try await one.hasKeys(of: other.home) }
                let wish = NodeRequest.tell(other.home.identity.peer, "built", style: .says, isNotice: true)
                guard case .told(let told) = try await one.node.perform(wish) else { throw Person.Unexpected() }
                try await eventually("it is heard") { other.letters.count == 1 }
                let heard = try #require(other.letters.first)
                #expect(told.isNotice && heard.isNotice)
                #expect(told.record != nil && told.record == heard.record)
                #expect(try await other.privateHistory(one.home).map(\.isNotice) == [true])
            }
        }
    }
}
