import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

@testable import LatticeIRC

/// Errors and notices use the words of IRC.
@Suite struct WordsTests {
    /// What IRC clients have themselves, under the same name.
    private static let shared: Set<String> = ["msg", "me", "query", "ignore", "unignore"]

    private static var commands: [String] {
        CommandWord.allCases.map(\.rawValue) + CommandWord.aliases.keys.sorted()
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

    /// What is below the fronts has no words for people.
    @Test(arguments: [
        "LatticeAPI", "LatticeNode", "LatticeCrypto", "LatticeMesh", "LatticeLink", "LatticeSession",
        "LatticeDiscovery", "LatticeWire",
        "LatticeCore",
    ])
    func nothingBelowTheFrontsNamesACommandOfTheChat(room: String) throws {
        for literal in try Self.literals(of: room) where literal.contains(" ") {
            #expect(Self.named(in: literal).subtracting(Self.shared) == [], "\(literal)")
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
        let camp = try RoomName("#camp")
        rig.answer = { request, _ in
            switch request {
            case .room(.enter): .failure(.severalRooms(room: camp))
            case .posts: .failure(.invalid(faults: [.noPlace]))
            default: GatewayRig.obliging(request)
            }
        }
        let alice = rig.client("alice")
        #expect(
            rig.replies(alice, "JOIN #camp key") == [
                "475 alice #camp :Cannot join: the key is wrong (+k)",
                ":mesh!mesh@lattice.local NOTICE alice :#camp: you have invitations to several rooms called #camp; "
                    + "/msg mesh forget #camp declines all of them, then ask a member to invite you again",
            ])
        rig.say(alice, "JOIN #posts")
        let heard = rig.replies(alice, "PRIVMSG #posts :hello")
        #expect(
            heard.count == 1 && heard[0].hasPrefix("404 alice #posts :This node does not know where it is"))
    }
}
