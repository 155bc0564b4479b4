import Foundation
import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

@testable import LatticeCommands

/// Who is who, as a chat and a shell ask for it.
struct PeopleCommandsTests {
    private func run(_ line: String) async -> (CommandOutput, [AnyHashable]) {
        let node = CommandNode()
        let word = String(line.prefix { $0 != " " })
        let output = await SlashCommands().run(word, String(line.dropFirst(word.count + 1)), on: node)
        return (output, await node.requests)
    }

    @Test func eachCallAsksForOneThing() async throws {
        let (bob, park) = (PeerReference("bob#k7f3"), try RoomName("#park"))
        let calls: [(String, any Request)] = [
            ("contacts", ListKnownPeople()), ("contacts list", ListKnownPeople()),
            ("contacts add bob#k7f3", AddContact(bob, petname: nil)),
            ("contacts add bob#k7f3 --called Robert", AddContact(bob, petname: try PeerName("Robert"))),
            ("contacts remove bob#k7f3", RemoveContact(bob)), ("contacts verify bob#k7f3", ShowSafetyNumber(bob)),
            ("contacts verify bob#k7f3 --yes", VerifyPerson(bob, true)), ("verify bob#k7f3", ShowSafetyNumber(bob)),
            ("verify bob#k7f3 yes", VerifyPerson(bob, true)), ("verify bob#k7f3 no", VerifyPerson(bob, false)),
            ("block", ListKnownPeople()), ("block list", ListKnownPeople()), ("block bob#k7f3", BlockPerson(bob, true)),
            ("block add bob#k7f3", BlockPerson(bob, true)), ("block remove bob#k7f3", BlockPerson(bob, false)),
            ("unblock bob#k7f3", BlockPerson(bob, false)), ("mute", ListMutedRooms()),
            ("mute park", MuteRoom(park, true)),
            ("mute #park", MuteRoom(park, true)), ("unmute park", MuteRoom(park, false)),
            ("block export", ListKnownPeople()),
        ]
        for (line, request) in calls {
            let (output, requests) = await run(line)
            #expect(output.failure == nil && requests == [AnyHashable(request)], "\(line)")
            #expect(!output.lines.isEmpty && !output.lines[0].isEmpty, "\(line)")
            #expect(!output.json.isEmpty || line == "block export", "\(line)")
        }
    }

    @Test(arguments: [
        "verify", "verify bob perhaps", "contacts verify bob --yes --no", "unmute", "unblock", "block import -",
    ])
    func whatMeansNothingIsWrongUsage(line: String) async {
        let (output, requests) = await run(line)
        #expect(output.exitCode == 2 && requests.isEmpty, "\(line)")
    }

    @Test func aListGoesOutAndComesInAgainAndItsWrongLinesAreTold() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-block-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let path = folder.appending(path: "blocked.txt").path(percentEncoded: false)
        let (exported, _) = await run("block export \(path)")
        #expect(exported.failure == nil)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try (text + "nobody\n").write(toFile: path, atomically: true, encoding: .utf8)
        let (imported, requests) = await run("block import \(path)")
        #expect(requests == [BlockPeople([BlockEntry(id: PeerID(.zero), name: nil)])])
        #expect(imported.lines == ["1 newly blocked, 0 blocked before"])
        #expect(imported.exitCode == 1 && imported.failure?.code == "wrongLines")
        #expect(imported.failure?.message.hasPrefix("line 2: not an id of 64 hexadecimal digits") == true)
        #expect(imported.json.first == #"{"event":"blocked","new":1,"known":0,"wrong_lines":[2]}"#)
        // The own id and a duplicate are reported, and not counted as blocked before.
        let (me, bob) = (CommandNode.me.hex, PeerID(.zero).hex)
        try "\(bob)\n\(me) it is me\n\(bob) bob\n".write(toFile: path, atomically: true, encoding: .utf8)
        let (own, _) = await run("block import \(path)")
        #expect(own.lines == ["1 newly blocked, 0 blocked before"] && own.exitCode == 0)
        #expect(
            own.remarks.count == 2 && own.remarks[0].hasPrefix("your own id")
                && own.remarks[1].hasPrefix("1 id is listed more than once"))
        let (missing, _) = await run("block import \(path).not")
        #expect(missing.failure?.code == "fileFailed")
    }
}
