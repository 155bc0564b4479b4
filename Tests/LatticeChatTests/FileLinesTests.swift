import LatticeAPI
import LatticeChat
import LatticeCore
import Testing

/// Files that people share, as a terminal shows them.
@Suite struct FileLinesTests {
    private static func file(
        _ name: String = "map.pdf", size: Int64 = 2_000_000, state: FileInfo.State, here: Int64 = 0,
        path: String? = nil, isDelivered: Bool = false, given: Int64 = 0
    ) throws -> FileInfo {
        FileInfo(
            id: Samples.record("1"), name: name, type: "application/pdf", size: size,
            by: RoomEvent.Person(Samples.peer(2), try PeerName("bob")), at: Samples.at, room: try RoomName("#lobby"),
            state: state, here: here, path: path, isDelivered: isDelivered, given: given)
    }

    @Test func aTableShowsHowMuchIsHere() throws {
        let files = [
            try Self.file(state: .shared), try Self.file(state: .coming, here: 500_000), try Self.file(state: .waiting),
            try Self.file("a\u{202E}b.txt", state: .here),
        ]
        let lines = FileLines.table(files, CommandContext(now: Samples.at))
        #expect(lines[0] == "ID      SIZE    BY   ROOM    HERE     NAME")
        #expect(lines[1].hasSuffix("2.0 MB  bob  #lobby  no       map.pdf"))
        #expect(lines[2].contains("25 % …"))
        #expect(lines[3].contains("waiting"))
        #expect(!lines[4].unicodeScalars.contains("\u{202E}"))
    }

    @Test func progressHasSpeedAndTimeLeft() throws {
        let coming = try Self.file(state: .coming, here: 500_000)
        #expect(FileLines.progress(coming, perSecond: 100_000) == "25 %, 100.0 kB/s, 15 s left")
        #expect(FileLines.progress(coming, perSecond: 1_000) == "25 %, 1.0 kB/s, 25 min left")
        #expect(FileLines.progress(coming, perSecond: 0) == "25 %, 0 bytes/s")
        #expect(FileLines.progress(try Self.file(state: .waiting), perSecond: 5) == "waiting: nobody has it now")
        #expect(
            FileLines.progress(try Self.file(size: 0, state: .coming), perSecond: 5) == "100 %, 5 bytes/s, 0 s left")
    }

    @Test func aFileThatTheOtherHasIsMarked() throws {
        let files = [try Self.file(state: .here, isDelivered: true), try Self.file(state: .here)]
        let lines = FileLines.table(files, CommandContext(now: Samples.at))
        #expect(lines[1].hasSuffix("yes   map.pdf (delivered)") && lines[2].hasSuffix("yes   map.pdf"))
        #expect(FileLines.object(files[0]).description.contains(#""delivered":true"#))
        #expect(!FileLines.object(files[1]).description.contains("delivered"))
        #expect(FileLines.delivery(files[1], perSecond: 0) == "(waiting)")
        let going = try Self.file(state: .here, given: 500_000)
        #expect(FileLines.delivery(going, perSecond: 100_000) == "25 %, 100.0 kB/s")
    }

    @Test func programsGetAnObject() throws {
        let line = FileLines.object(try Self.file(state: .here, here: 2_000_000, path: "/tmp/map.pdf")).description
        #expect(
            line.contains(#""event":"file""#) && line.contains(#""state":"here","here":2000000,"path":"/tmp/map.pdf""#))
    }
}
