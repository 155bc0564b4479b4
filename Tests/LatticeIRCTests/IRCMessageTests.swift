import LatticeCore
import Testing

@testable import LatticeIRC

/// Lines, as they come and as they go.
@Suite struct IRCMessageTests {
    private static let read: [(String, IRCMessage)] = [
        ("PING", IRCMessage(command: "PING")),
        ("ping a", IRCMessage(command: "PING", params: ["a"])),
        ("JOIN :", IRCMessage(command: "JOIN", params: [""])),
        ("  PRIVMSG   #a  :b  c ", IRCMessage(command: "PRIVMSG", params: ["#a", "b  c "])),
        (":me PRIVMSG #a ::)", IRCMessage(source: "me", command: "PRIVMSG", params: ["#a", ":)"])),
        ("USER a 0 * :Änne B", IRCMessage(command: "USER", params: ["a", "0", "*", "Änne B"])),
        (
            "A 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
            IRCMessage(command: "A", params: (1...14).map(String.init) + ["15 16"])
        ),
        (
            "@label=x;+typing=a\\sb\\:\\\\\\n\\q;c :s CMD p",
            IRCMessage(
                tags: [.init("label", "x"), .init("+typing", "a b;\\\nq"), .init("c")], source: "s", command: "CMD",
                params: ["p"])
        ),
        ("@a=b\\ X", IRCMessage(tags: [.init("a", "b")], command: "X")),
    ]

    @Test(arguments: read) func aLineIsReadAsItIsMeant(line: String, message: IRCMessage) throws {
        #expect(try IRCMessage(Array(line.utf8)) == message)
        #expect(try IRCMessage(Array(line.utf8) + [0x0D]) == message)
    }

    @Test(arguments: ["", " ", "   ", ":x", "@a=b", "@a=b "]) func whereNothingIsSaidThereIsNoLine(line: String) throws
    {
        #expect(try IRCMessage(Array(line.utf8)) == nil)
    }

    @Test func whatIsTooLongIsRefused() throws {
        let text = String(repeating: "x", count: 510 - 11)
        #expect(try IRCMessage(Array("PRIVMSG a :\(text)".utf8))?.params.last == text)
        #expect(throws: IRCFault.tooLong) { try IRCMessage(Array("PRIVMSG a :\(text)x".utf8)) }
        let tag = String(repeating: "x", count: 4_093)
        #expect(try IRCMessage(Array("@a\(tag) A".utf8)) != nil)
        #expect(throws: IRCFault.tooLong) { try IRCMessage(Array("@a\(tag)x A".utf8)) }
        let tags = (0..<70).map { "k\($0)" }.joined(separator: ";")
        #expect(throws: IRCFault.tooLong) { try IRCMessage(Array("@\(tags) A".utf8)) }
    }

    @Test func whatIsNoTextIsRefused() throws {
        #expect(throws: IRCFault.notUTF8) { try IRCMessage([0x41, 0x20, 0xFF]) }
        #expect(throws: IRCFault.notUTF8) { try IRCMessage([0x40, 0xC3, 0x20, 0x41]) }
        #expect(throws: IRCFault.binary) { try IRCMessage([0x41, 0, 0x42]) }
        #expect(throws: IRCFault.binary) { try IRCMessage([0x41, 0x0D, 0x42]) }
    }

    @Test func aLineHasTheTagsThatAClientTakes() {
        var line = IRCLine(source: "a!b@c", "PRIVMSG", ["#x"], trailing: "hi there")
        line.time = WallTime(milliseconds: 1_795_000_000_123)
        (line.msgid, line.account, line.isBot, line.batch, line.label) = ("id", "acc", true, "b1", "l;1")
        line.others = [.init("+lattice/lat", "52.5")]
        #expect(text(line, []) == ":a!b@c PRIVMSG #x :hi there\r\n")
        #expect(text(line, .serverTime) == "@time=2026-11-18T11:06:40.123Z :a!b@c PRIVMSG #x :hi there\r\n")
        #expect(text(line, .messageTags) == "@msgid=id;bot;+lattice/lat=52.5 :a!b@c PRIVMSG #x :hi there\r\n")
        #expect(
            text(line, [.batch, .labeledResponse, .accountTag])
                == "@batch=b1;label=l\\:1;account=acc :a!b@c PRIVMSG #x :hi there\r\n")
    }

    @Test func whatIsTooLongForALineIsCutBetweenCharacters() {
        let line = IRCLine(source: "s", "NOTICE", ["x"], trailing: String(repeating: "ä", count: 400))
        let bytes = line.bytes(for: [])
        #expect(bytes.count <= 512 && bytes.count >= 511)
        #expect(String(validating: bytes, as: UTF8.self) != nil)
    }

    private func text(_ line: IRCLine, _ capabilities: IRCCapabilities) -> String {
        String(decoding: line.bytes(for: capabilities), as: UTF8.self)
    }

    private static let texts: [(String, Int, [String])] = [
        ("", 10, []), ("a\n\nb", 10, ["a", "b"]), ("one two three", 8, ["one two", "three"]),
        ("äöüß", 4, ["äö", "üß"]), ("aaaaaaaaaa", 4, ["aaaa", "aaaa", "aa"]), ("a\u{1}b\u{7}c", 10, ["abc"]),
        ("e\u{301}e\u{301}", 4, ["e\u{301}", "e\u{301}"]),
    ]

    @Test(arguments: texts) func aTextIsAsManyLinesAsItNeeds(text: String, bytesMax: Int, lines: [String]) {
        #expect(IRCText.lines(text, bytesMax: bytesMax) == lines)
    }

    private static let formatted: [(String, String)] = [
        ("plain", "plain"), ("\u{2}bold\u{2} \u{1D}it\u{1F}u\u{F}", "bold itu"), ("\u{3}4red\u{3}", "red"),
        ("\u{3}04,12red", "red"), ("\u{3}4,red", ",red"), ("\u{3}123", "3"), ("\u{4}ff8800,000000x", "x"),
        ("a\tb", "a b"),
    ]

    @Test(arguments: formatted) func whatOnlyIRCHasIsLeftOut(text: String, plain: String) {
        #expect(IRCText.plain(text) == plain)
    }

    private static let dates: [(String, Int64?)] = [
        ("1970-01-01T00:00:00.000Z", 0), ("2026-11-18T11:06:40.123Z", 1_795_000_000_123),
        ("2026-11-18T11:06:40Z", 1_795_000_000_000), ("2026-11-18T11:06:40.1Z", 1_795_000_000_100),
        ("2000-02-29T23:59:59.999Z", 951_868_799_999), ("2026-13-18T11:06:40Z", nil), ("now", nil), ("", nil),
        ("2026-11-18T11:06:40.Z", nil), ("2026-11-18 11:06:40Z", nil),
    ]

    @Test(arguments: dates) func aDateIsReadAndWritten(text: String, milliseconds: Int64?) {
        #expect(RFC3339.read(text)?.milliseconds == milliseconds)
        if text.utf8.count == 24, let milliseconds {
            #expect(RFC3339.string(WallTime(milliseconds: milliseconds)) == text)
        }
    }

    private static let masks: [(String, String, Bool)] = [
        ("alice", "*", true), ("alice", "a*e", true), ("alice", "A?ICE", true), ("alice", "a*x", false),
        ("", "*", true),
        ("", "?", false), ("aab", "*ab", true), ("alice", "", false),
    ]

    @Test(arguments: masks) func aMaskMeansWhatItMeans(text: String, mask: String, matches: Bool) {
        #expect(IRCMask.matches(text, mask) == matches)
    }

    /// RFC 4648 section 10.
    @Test func base64IsReadAsThePublishedVectorsSay() {
        for (text, plain) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")] {
            #expect(Base64Text.decoded(text) == Array(plain.utf8))
        }
        #expect(Base64Text.decoded("Zg") == [0x66])
        for text in ["Z", "Zg===", "Z g=", "!!!!"] { #expect(Base64Text.decoded(text) == nil) }
    }

    private static let nicks: [(String, Bool)] = [
        ("alice", true), ("[a]\\`_^{|}", true), ("jürgen", true), ("1a", false), ("-a", false), ("", false),
        ("a b", false),
        ("a#", false), ("a!b", false), ("a@b", false), ("a.b", false), (String(repeating: "a", count: 32), true),
        (String(repeating: "a", count: 33), false), ("a\u{202E}b", false), ("a*", false), (":a", false),
    ]

    @Test(arguments: nicks) func aNickIsWhatClientsTakeForOne(nick: String, isValid: Bool) {
        #expect(IRCNick.isValid(nick) == isValid)
    }

    @Test func whoeverChoseNoNickGetsOne() throws {
        let id = GatewayRig.peer("bob")
        for (name, nick) in [
            ("bob", "bob"), ("bob smith", "bob_smith"), ("7up", "_7up"), ("a.b", "a_b"), ("jürgen", "jürgen"),
        ] {
            #expect(IRCNick.made(from: try PeerName(name), id) { _ in false } == nick)
        }
        let taken = IRCNick.made(from: try PeerName("bob"), id) { $0 == "bob" }
        #expect(taken == "bob|\(id.short)")
        #expect(IRCNick.reference(taken) == "bob#\(id.short)")
        let long = IRCNick.made(from: try PeerName(String(repeating: "ä", count: 31)), id) { !$0.contains("|") }
        #expect(IRCNick.isValid(long) && long.hasSuffix("|\(id.short)"))
        #expect(IRCNick.isValid(IRCNick.made(from: nil, id) { _ in true }))
    }
}
