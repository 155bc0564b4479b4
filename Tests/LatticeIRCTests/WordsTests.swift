import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

@testable import LatticeIRC

/// What the node says in the words of the terminal chat is said to clients in theirs.
@Suite struct WordsTests {
    @Test(arguments: [
        ("take at least 8, or /create draws one", "take at least 8, or /msg mesh create #room draws one"),
        ("/join #camp enters it, /forget #camp declines", "JOIN #camp enters it, /msg mesh forget #camp declines"),
        (
            "not private: /create #name makes one, /join #name KEY enters one",
            "not private: /msg mesh create #name makes one, JOIN #name KEY enters one"
        ),
        ("they are not in it; /members lists who is", "they are not in it; NAMES lists who is"),
        ("which is all; /forget one", "which is all; /msg mesh forget #room one"),
        ("/forget \u{2068}#camp\u{2069}", "/msg mesh forget \u{2068}#camp\u{2069}"),
        ("the disk of /key/join/lattice.sqlite is full", "the disk of /key/join/lattice.sqlite is full"),
        ("and/or, 1/2, /", "and/or, 1/2, /"), ("/joiner", "/joiner"), ("", ""),
    ])
    func commandsOfTheChatAreSaidAsIRCSaysThem(sentence: String, said: String) {
        #expect(IRCWords.said(sentence) == said)
    }

    /// What IRC clients have themselves, under the same name.
    private static let shared: Set<String> = ["msg", "me", "query", "ignore", "unignore"]

    private static var commands: [String] {
        CommandWord.allCases.map(\.rawValue) + CommandWord.aliases.keys.sorted()
    }

    @Test(arguments: commands) func noCommandOfTheChatIsLeft(word: String) {
        for sentence in ["/\(word)", "say /\(word) #room", "('/\(word)' does it)", "do it; /\(word) bob"] {
            let found = Self.named(in: IRCWords.said(sentence)).subtracting(Self.shared)
            #expect(found == [], "\(sentence) → \(IRCWords.said(sentence))")
        }
    }

    /// Those that a text names.
    private static func named(in text: String) -> Set<String> {
        let words = text.matches(of: /(?:^|[\s'"(])\/([a-z]+)(?![a-z\/])/).map { String($0.1) }
        return Set(words).intersection(commands)
    }

    /// Every literal of the rooms from which sentences come to clients.
    private static func literals(of room: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/\(room)").path(percentEncoded: false)
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }.flatMap {
            path in
            try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8).split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
                .flatMap { $0.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.1) } }
        }
    }

    @Test(arguments: [
        "LatticeAPI", "LatticeNode", "LatticeStore", "LatticeCrypto", "LatticeMesh", "LatticeLink", "LatticeSession",
        "LatticeDiscovery", "LatticeWire", "LatticeCore",
    ])
    func noSentenceComesToAClientInTheWordsOfTheChat(room: String) throws {
        for literal in try Self.literals(of: room) where literal.contains(" ") {
            #expect(Self.named(in: IRCWords.said(literal)).subtracting(Self.shared) == [], "\(literal)")
        }
    }

    /// Its own are those that every client has, too.
    @Test func theGatewayItselfNamesNoCommandOfTheChat() throws {
        for literal in try Self.literals(of: "LatticeIRC") where literal.contains(" ") {
            #expect(Self.named(in: literal).subtracting(Self.shared.union(["join"])) == [], "\(literal)")
            #expect(!literal.contains("--at"))
        }
    }

    @Test func errorsAreToldInWordsOfIRC() throws {
        var rig = try GatewayRig()
        rig.answer = { request, _ in
            switch request {
            case .room(.enter): .failure(RequestError(.wrongKey, "wrong; /forget #camp first"))
            case .wall:
                .failure(
                    RequestError(
                        .invalid, "say where: add --at PLACE", faults: [.init("place", "say where: add --at PLACE")]))
            default: GatewayRig.obliging(request)
            }
        }
        let alice = rig.client("alice")
        #expect(
            rig.replies(alice, "JOIN #camp key") == [
                "475 alice #camp :Cannot join: the key is wrong (+k)",
                ":mesh!mesh@lattice.local NOTICE alice :#camp: wrong; /msg mesh forget #camp first",
            ])
        rig.say(alice, "JOIN #wall")
        let heard = rig.replies(alice, "PRIVMSG #wall :hello")
        #expect(
            heard.count == 1 && heard[0].hasPrefix("404 alice #wall :This node does not know where it is"))
    }
}
