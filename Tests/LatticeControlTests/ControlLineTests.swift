import Foundation
import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeControl

/// What is asked, answered and told comes out at the other end as it went in.
@Suite struct ControlLineTests {
    @Test func everyExchangeComesOutAsItWentIn() throws {
        #expect(Set(Exchange.all.map(\.name)).count == 119)
        for exchange in Exchange.all {
            let line = ControlLine.bytes(of: ControlCall(id: 7, method: .request(exchange.request)))
            let read = try ControlRequest.decoder(Exchange.names).decode(ControlRequest.self, from: Data(line))
            guard case .request(let request) = try read.method.get() else {
                Issue.record("\(exchange.name) is another method")
                continue
            }
            #expect(AnyHashable(request) == AnyHashable(exchange.request) && read.id == .number(7))
            let answer = ControlLine.bytes(
                of: ControlReply.reply(.number(7), name: exchange.replyName, exchange.reply))
            let asked = type(of: exchange.request)
            let arrived = try ControlArrival.decoder { _ in asked }.decode(ControlArrival.self, from: Data(answer))
            guard case .reply(7, let reply as any Hashable) = arrived else {
                Issue.record("\(exchange.replyName) is another reply")
                continue
            }
            #expect(AnyHashable(reply) == AnyHashable(exchange.reply))
        }
    }

    @Test func everyEventComesOutAsItWentIn() throws {
        let names: Set<String> = Set(Samples.events.map(\.call.name))
        #expect(names.count == 24)
        for event in Samples.events {
            let line = ControlLine.bytes(of: ControlReply.event(event))
            #expect(line.last == UInt8(ascii: "\n") && line.dropLast().allSatisfy { $0 >= 0x20 })
            let read = try ControlArrival.decoder { _ in nil }.decode(ControlArrival.self, from: Data(line))
            guard case .event(let back) = read else {
                Issue.record("\(event) is another line")
                continue
            }
            #expect(back == event)
        }
    }

    /// The author of a client has nothing but the page.
    @Test func thePageNamesEverything() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/LatticeControl/LatticeControl.docc/LatticeControl.md")
        let page = try String(contentsOf: path, encoding: .utf8)
        let names = Samples.events.map(\.call.name) + Exchange.all.flatMap { [$0.name, $0.replyName] }
        for name in Set(names) {
            #expect(page.contains("`\(name)`"), "\(name) is not on the page")
        }
    }

    /// What programs of others rely on.
    @Test func whatGoesWithoutSayingIsSet() throws {
        let (peer, item) = (##"{"peer":"\##(Samples.bob.text)"}"##, ##"{"item":"\##(Samples.item.text)"}"##)
        for (method, params, request) in [
            ("known.block", peer, BlockPerson(Samples.bob, true)),
            ("known.ignore", peer, IgnorePerson(Samples.bob, true)),
            ("known.verify", peer, VerifyPerson(Samples.bob, true)),
            ("known.mute", ##"{"room":"#park","muted":null}"##, MuteRoom(Samples.room, true)),
            ("people.follow", peer, FollowPerson(Samples.bob, true)),
            ("posts.like", item, LikeItem(Samples.item, true)),
            ("posts.attend", item, AttendEvent(Samples.item, true)), ("people.profile", "{}", ShowProfile()),
            ("posts.show", item, ShowItem(Samples.item)), ("posts.timeline", "{}", ListTimeline()),
            ("posts.events", "{}", ListEvents()),
            (
                "posts.timeline", ##"{"limit":3,"author":"\##(Samples.bob.text)","photos":true}"##,
                ListTimeline(PageRequest(limit: 3), by: Samples.bob, onlyPhotos: true)
            ),
            ("posts.near", ##"{"radius":250}"##, NearQuery(.posts, centre: nil, radius: 250)),
            ("posts.near", ##"{"within":900}"##, NearQuery(.posts, centre: nil, within: 900)),
            ("posts.create", ##"{"text":"x"}"##, NewPost(text: "x")),
            ("store.exportBundle", ##"{"path":"x"}"##, ExportBundle(path: "x")),
            ("say", ##"{"text":"hi","room":"#park"}"##, Say("hi", style: .says, room: Samples.room)),
            (
                "sayLines", ##"{"lines":[{"text":"hi"}],"room":"#park"}"##,
                SayLines([SayLines.Line("hi")], room: Samples.room)
            ),
            (
                "tell", ##"{"peer":"\##(Samples.bob.text)","text":"psst"}"##,
                SendPrivateMessage(Samples.bob, "psst", style: .says)
            ),
            ("privateHistory", peer, ListPrivateMessages(Samples.bob, limit: 50)),
            ("history", ##"{"room":"#park"}"##, HistoryQuery(room: Samples.room, limit: 50)),
            ("flush", ##"{"timeout":1.5}"##, Flush(timeout: .milliseconds(1_500))), ("peers", "null", ListPeers()),
        ] as [(String, String, any Request)] {
            let line = ##"{"id":1,"method":"\##(method)","params":\##(params)}"##
            guard case .request(let read) = try understood(line).method.get() else {
                Issue.record("another method")
                return
            }
            #expect(AnyHashable(read) == AnyHashable(request))
        }
    }

    private static let wrong: [(String, ControlCode, String)] = [
        (##"{"id":1,"method":"fly"}"##, .methodNotFound, "unknown request 'fly'"),
        (##"{"id":1,"method":"posts.fly"}"##, .methodNotFound, "unknown request 'posts.fly'"),
        (##"{"id":1,"method":"say","params":{"text":"hi"}}"##, .invalidParams, "say: 'room' is missing"),
        (
            ##"{"id":1,"method":"sayLines","params":{"lines":[],"room":"#park"}}"##, .invalidParams,
            "sayLines: 'lines': send 1 to 64 lines at once"
        ),
        (
            ##"{"id":1,"method":"join","params":{"room":"park"}}"##, .invalidParams,
            "join: 'room': a room starts with '#' and goes on with at least one character, as in #park"
        ),
        (
            ##"{"id":1,"method":"history","params":{"room":"#park","limit":0}}"##, .invalidParams,
            "history: 'limit': between 1 and 10000 lines can be requested"
        ),
        (##"{"id":1,"method":"say","params":[1]}"##, .invalidParams, "say: must be an object"),
        (##"{"id":1,"method":"flush"}"##, .invalidParams, "flush: 'timeout' is missing"),
        (
            ##"{"id":1,"method":"flush","params":{"timeout":1e300}}"##, .invalidParams,
            "flush: 'timeout': this length of time is too long"
        ),
        (
            ##"{"id":1,"method":"subscribe","params":{"topics":["moon"]}}"##, .invalidParams,
            "subscribe: 'topics': unknown topic; use messages, private, peers, posts, sync, notices, changes"
        ),
    ]

    private static let beyond: [(String, String)] = [
        (##"{"id":1,"method":"store.setRetention","params":{"days":400}}"##, "'days': days are from 1 to 365"),
        (##"{"id":1,"method":"store.setRetention","params":{"days":0}}"##, "'days': days are from 1 to 365"),
        (##"{"id":1,"method":"store.setRetention","params":{"days":-1}}"##, "'days': days are from 1 to 365"),
        (
            ##"{"id":1,"method":"store.setRetention","params":{"days":9223372036854775807}}"##,
            "'days': days are from 1 to 365"
        ),
        (
            ##"{"id":1,"method":"store.setRetention","params":{"groups":["chat","noise"]}}"##,
            "'groups[1]': 'noise' is not one of chat, posts, people"
        ),
        (
            ##"{"id":1,"method":"posts.createEvent","params":{"starts":9223372036854775807}}"##,
            "'starts': a date is in milliseconds since 1970; this one is out of range"
        ),
        (
            ##"{"id":1,"method":"posts.near","params":{"page":{"limit":0}}}"##,
            "'page.limit': a page has 1 to 100 entries"
        ),
        (
            ##"{"id":1,"method":"history","params":{"room":"#park","limit":9223372036854775808}}"##,
            "'limit': between 1 and 10000 lines can be requested"
        ),
        (##"{"id":1,"method":"flush","params":{"timeout":1e10}}"##, "'timeout': this length of time is too long"),
        (
            ##"{"id":1,"method":"say","params":{"text":"hi","room":"#park","style":"yells"}}"##,
            "'style': 'yells' is not one of says, acts"
        ),
    ]

    @Test(arguments: beyond) func whatNothingHereHasIsRefusedBeforeAnybodyIsAsked(line: String, text: String) throws {
        guard case .failure(let error) = try understood(line).method else {
            Issue.record("it was understood")
            return
        }
        #expect(error.code == .invalidParams && error.message.hasSuffix(": \(text)"))
    }

    @Test func asManyRoomsAsARuleHoldsAreTakenAndNoMore() throws {
        for (count, isTaken) in [(64, true), (65, false)] {
            let rooms = (0..<count).map { "\"#room\($0)\"" }.joined(separator: ",")
            let read = try understood(##"{"id":1,"method":"store.setRetention","params":{"rooms":[\##(rooms)]}}"##)
            let isUnderstood = if case .success = read.method { true } else { false }
            #expect(isUnderstood == isTaken)
        }
    }

    @Test(arguments: wrong) func whatIsWrongIsTold(line: String, code: ControlCode, text: String) throws {
        guard case .failure(let error) = try understood(line).method else {
            Issue.record("it was understood")
            return
        }
        #expect(error.code == code && error.message == text)
    }

    private func understood(_ line: String) throws -> ControlRequest {
        try ControlRequest.decoder(Exchange.names).decode(ControlRequest.self, from: Data(line.utf8))
    }
}
