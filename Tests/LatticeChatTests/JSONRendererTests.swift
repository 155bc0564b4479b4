import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// The lines for programs, exactly.
struct JSONRendererTests {
    private let renderer = JSONRenderer()
    private let two = Samples.peer(2)

    private func object(_ item: ChatItem) throws -> [String: Any] {
        let rendered = renderer.render(item)
        #expect(rendered.error.isEmpty && rendered.output.count == 1 && !rendered.rings)
        let line = try #require(rendered.output.first)
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func message(_ message: Message) -> ChatItem {
        .message(message, shown: "somebody", isCurrentRoom: false, isMention: true)
    }

    @Test func aLineOfABridgeSaysOverWhatItCame() throws {
        var line = try Samples.message("hi")
        #expect(try object(message(line))["via"] == nil)
        line.via = .mqtt
        #expect(try object(message(line))["via"] as? String == "mqtt")
    }

    @Test func everyEventIsOneLine() throws {
        let record = try Samples.message("hi").record.hex
        let bob = try PeerName("bob")
        let lobby = try RoomName("#lobby")
        let expected: [(ChatItem, String)] = [
            (
                .ready(try Samples.me()),
                #"{"event":"ready","id":"\#(Samples.peer(1).hex)","name":"alice","mesh":"lattice","closed":false,"port":4000,"#
                    + #""discovery":"system"}"#
            ),
            (
                message(try Samples.message("hi")),
                ##"{"event":"message","record":"\##(record)","room":"#lobby","from":"\##(two.hex)","name":"bob","##
                    + #""text":"hi","at":"2026-11-21T09:30:00.250Z","hops":1}"#
            ),
            (
                .peer(PeerChange(id: two, name: bob, state: .connecting, reason: nil), shown: "bob"),
                #"{"event":"peer","state":"connecting","id":"\#(two.hex)","name":"bob","reason":null}"#
            ),
            (
                .presence(
                    PresenceChange(id: two, name: bob, isHere: true, rooms: [lobby], hops: 3), shown: "", was: nil),
                ##"{"event":"presence","state":"here","id":"\##(two.hex)","name":"bob","rooms":["#lobby"],"hops":3}"##
            ),
            (
                .notice(Notice(.information, code: "alone", "hm")),
                #"{"event":"notice","code":"alone","message":"hm"}"#
            ),
            (
                .notice(Notice(.problem, code: "noInterface", "hm")),
                #"{"event":"error","code":"noInterface","message":"hm"}"#
            ),
            (.error(code: "lineTooLong", "hm"), #"{"event":"error","code":"lineTooLong","message":"hm"}"#),
            (.missed(7), #"{"event":"missed","count":7}"#),
            (.reply(.text("done")), #"{"event":"reply","message":"done"}"#),
        ]
        for (item, line) in expected {
            #expect(renderer.render(item) == Rendered(output: [line]))
        }
    }

    @Test func whatSomebodyDoesSaysSo() throws {
        let acted = try object(message(try Samples.message("waves", style: .acts)))
        #expect(acted["action"] as? Bool == true)
        #expect(try object(message(try Samples.message("hi")))["action"] == nil)
    }

    @Test func ourOwnLinesAreTold() throws {
        #expect(try object(message(try Samples.message("hi", from: 1, hops: 0)))["hops"] as? Int == 0)
    }

    @Test(arguments: Samples.hostileTexts + [String(repeating: "\u{1F469}\u{200D}", count: 100), "\u{10FFFF}\u{FFFF}"])
    func anyTextComesBackAsItWas(text: String) throws {
        let items: [(ChatItem, String)] = [
            (message(try Samples.message(text)), "text"),
            (.notice(Notice(.problem, code: "x", text)), "message"),
            (.error(code: "x", text), "message"),
            (.invitation(two, shown: "bob", context: Array(text.utf8)), "context"),
            (.reply(.text(text)), "message"),
        ]
        for (item, member) in items {
            let back = try #require(try object(item)[member] as? String)
            #expect(Array(back.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test(arguments: Samples.hostileTexts)
    func aLogOfItIsSafeToLookAt(text: String) throws {
        for line in renderer.render(message(try Samples.message(text))).output {
            #expect(!line.unicodeScalars.contains(where: Samples.isForbidden))
        }
    }

    @Test func seededGarbageRoundTrips() throws {
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<300 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                let isSmall = Bool.random(using: &generator)
                let value = UInt32.random(in: 0...(isSmall ? 0xFF : 0x10FFFF), using: &generator)
                if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
            }
            let text = String(scalars)
            let back = try #require(try object(message(try Samples.message(text)))["text"] as? String)
            #expect(Array(back.unicodeScalars) == Array(scalars))
        }
    }

    @Test func repliesAreObjects() throws {
        let stops = [
            ProbeInfo.Stop(id: Samples.peer(1), name: try PeerName("alice")), .init(id: two, name: try PeerName("bob")),
        ]
        let probe = ProbeInfo(roundTrip: .microseconds(1_500), path: stops)
        let ping = try object(.reply(.ping(two, shown: "bob", probe)))
        #expect(ping["event"] as? String == "ping" && ping["ms"] as? Double == 1.5 && ping["hops"] as? Int == 1)
        let trace = try object(.reply(.trace(two, shown: "bob", probe, path: [])))
        let path = try #require(trace["path"] as? [[String: String]])
        #expect(path == [["id": Samples.peer(1).hex, "name": "alice"], ["id": two.hex, "name": "bob"]])
        let info = PeerInfo(
            id: nil, prefix: two.prefix, name: "bob", state: .notConnected, source: .given,
            reason: .broken(reason: "Connection refused"), info: ["role=kitchen"])
        let peers = try #require(try object(.reply(.peers([info], shown: ["bob"])))["peers"] as? [[String: Any]])
        #expect(peers.first?["id"] as? String == "0200000000000000")
        #expect(peers.first?["found_by"] as? String == "given")
        #expect(peers.first?["rtt_ms"] is NSNull && peers.first?["info"] as? [String] == ["role=kitchen"])
        #expect(try object(.reply(.whois(info, shown: "bob")))["reason"] as? String == "Connection refused")
        let room = RoomList.Room(room: try RoomName("#park"), isJoined: true, isCurrent: false, people: 2)
        let rooms = try #require(try object(.reply(.rooms(RoomList(rooms: [room]))))["rooms"] as? [[String: Any]])
        #expect(rooms.first?["room"] as? String == "#park" && rooms.first?["others"] as? Int == 2)
        #expect(try object(.reply(.help(["a", "b"])))["lines"] as? [String] == ["a", "b"])
        #expect(try object(.reply(.names(try RoomName("#park"), ["bob"])))["names"] as? [String] == ["bob"])
    }

    @Test func whatIsNoNumberIsNull() {
        let line = JSONLine([
            ("a", .number(.infinity)), ("b", .number(.nan)), ("c", .number(-0.5)), ("d", .flag(false)),
        ])
        #expect(line.description == #"{"a":null,"b":null,"c":-0.5,"d":false}"#)
        #expect(JSONLine([]).description == "{}")
    }
}
