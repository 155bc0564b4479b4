import LatticeAPI
import LatticeCore
import LatticeSettings
import Logging
import Synchronization
import Testing

@testable import LatticeHost

/// A node that carries out every request except those that it must refuse.
private actor AskedNode: MeshNode {
    private var requests: [any Request] = []
    private var refused: [any Request] = []

    func refuse(_ requests: [any Request]) { refused = requests }

    /// What it was asked since the last time.
    func taken() -> [any Request] {
        defer { requests = [] }
        return requests
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        requests.append(request)
        guard !refused.contains(where: { AnyHashable($0) == AnyHashable(request) }) else {
            throw RequestError.other(code: .tooManyRooms, message: "there are enough")
        }
        guard let reply = Done() as? R.Reply ?? MeshCardStatus() as? R.Reply else {
            throw RequestError.other(code: .stopped, message: "this test does not answer \(R.name)")
        }
        return reply
    }

    func events() -> NodeEvents { .over }
}

/// Keeps what is logged.
private final class Notes: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])
    var logLevel: Logger.Level {
        get { .debug }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let members = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        kept.withLock { $0.append("\(event.level): \(event.message)\(members)") }
    }

    /// Since the last time.
    func taken() -> [String] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }
}

/// SIGHUP, and what comes of it.
@Suite struct LiveSettingsTests {
    private func settings(_ file: String, _ arguments: [String] = ["run"]) throws -> Settings {
        let file = try SettingsFile(path: "/c.json", text: Array(file.utf8), home: nil)
        return try Settings(arguments: arguments, environment: [:], file: file)
    }

    /// One node from its beginning on.
    private struct Running {
        let live: LiveSettings
        let node = AskedNode()
        let notes = Notes()
        let arguments: [String]

        func reload(_ settings: Settings) async -> (asked: [AnyHashable], told: [String]) {
            let notes = notes
            await live.reload(node, Logger(label: "test") { _ in notes }) { () throws(Failure) in settings }
            return (await node.taken().map { AnyHashable($0) }, notes.taken())
        }
    }

    private func running(
        _ file: String, _ arguments: [String] = ["run"], fixed: Set<SettingKey> = []
    ) throws -> Running {
        Running(live: LiveSettings(try settings(file, arguments), fixed: fixed), arguments: arguments)
    }

    private func read(taken: String = "none", restart: String = "none") -> String {
        "notice: settings reloaded restart=\(restart) taken=\(taken)"
    }

    @Test func whatCanChangeWhileItRunsChanges() async throws {
        let node = try running(#"{"room": ["a", "b"], "peer": "x:1", "data-dir": "/d", "name": "old"}"#)
        let (asked, told) = await node.reload(
            try settings(
                #"{"room": ["b", "c"], "peer": ["x:1", "y:2"], "log": "debug", "data-dir": "/d", "name": "new", "radius": "1km"}"#
            ))
        #expect(
            asked == [
                Rename(try PeerName("new")), JoinRoom(try RoomName("#c")), LeaveRoom(try RoomName("#a")),
                DialAddress(try PeerAddress(parsing: "y:2")),
            ])
        #expect(told == [read(taken: "name,room,peer,log,radius")])
        #expect(node.live.threshold.level == .debug)
    }

    @Test func aCardOfTheMeshIsTakenFromAnotherPerson() async throws {
        let node = try running("{}")
        let key = PeerID(Bytes32(words: (1, 2, 3, 4)))
        let (asked, told) = await node.reload(try settings(#"{"mesh-card": "\#(key.hex.uppercased())"}"#))
        #expect(asked == [TakeMeshCard(PeerReference(key))] && told == [read(taken: "mesh-card")])
        // What it took stays until somebody takes another one.
        #expect(await node.reload(try settings("{}")).asked.isEmpty)
    }

    @Test func whatWaitsForARestartIsToldUntilItIsAsWhatRuns() async throws {
        let node = try running(#"{"ttl": 5}"#)
        let waits = "warning: this setting takes effect after a restart now=5 setting=ttl then=6"
        #expect(await node.reload(try settings(#"{"ttl": 6}"#)).told == [read(restart: "ttl"), waits])
        #expect(await node.reload(try settings(#"{"ttl": 6, "port": 0}"#)).told == [read(restart: "ttl"), waits])
        // It runs with 5 all the time.
        #expect(await node.reload(try settings(#"{"ttl": 5}"#)).told == [read()])
        #expect(await node.reload(try settings("{}")).told.last?.contains("now=5 setting=ttl then=32") == true)
    }

    @Test func whatAnOptionHidesIsNoChange() async throws {
        let arguments = ["run", "--ttl", "7", "--room", "park", "--log=error"]
        let node = try running(#"{"ttl": 5, "room": "a"}"#, arguments)
        let (asked, told) = await node.reload(
            try settings(#"{"ttl": 6, "room": ["b", "c"], "log": "debug"}"#, arguments))
        #expect(asked == [] && told == [read()])
        #expect(node.live.threshold.level == .error)
        let gateway = try running(#"{"room": "a"}"#, ["irc", "--listen", "127.0.0.1:1"], fixed: [.room, .ircListen])
        let changed = try settings(#"{"room": "b", "irc.listen": "127.0.0.1:2"}"#, gateway.arguments)
        #expect(await gateway.reload(changed) == ([], [read()]))
    }

    @Test func whatTheNodeRefusedIsAskedOfItAgain() async throws {
        let node = try running(#"{"room": ["a"]}"#)
        let (b, c) = (JoinRoom(try RoomName("#b")), JoinRoom(try RoomName("#c")))
        await node.node.refuse([c])
        let wish = try settings(#"{"room": ["a", "b", "c"]}"#)
        let first = await node.reload(wish)
        #expect(first.asked == [b, c] && first.told.last == read())
        #expect(first.told.first == "error: cannot change a setting error=there are enough setting=room")
        await node.node.refuse([])
        #expect(await node.reload(wish) == ([AnyHashable(c)], [read(taken: "room")]))
        #expect(await node.reload(wish) == ([], [read()]))
    }

    @Test func aDefaultThatIsWrittenDownIsNoChange() async throws {
        let node = try running("{}")
        let written = try settings(
            ##"{"ttl": 32, "room": ["#lobby"], "mesh": "lattice", "discovery": "auto", "port": 0, "plain": false}"##)
        #expect(await node.reload(written) == ([], [read()]))
        // Without a room setting it is the lobby again.
        let park = try running(#"{"room": "park"}"#)
        #expect(
            await park.reload(try settings("{}")).asked
                == [JoinRoom(try RoomName("#lobby")), LeaveRoom(try RoomName("#park"))])
    }

    @Test func aPeerThatIsNamedAgainIsLinkedWithAgain() async throws {
        let node = try running(#"{"peer": "x:1"}"#)
        #expect(await node.reload(try settings("{}")).asked == [])
        let asked = await node.reload(try settings(#"{"peer": "x:1"}"#)).asked
        #expect(asked == [DialAddress(try PeerAddress(parsing: "x:1"))])
    }

    @Test func aNameAloneSaysWhoseFolderItIs() async throws {
        let node = try running(#"{"name": "old"}"#)
        let (asked, told) = await node.reload(try settings(#"{"name": "new"}"#))
        #expect(asked == [] && told.first == read(restart: "name"))
    }

    @Test func ofABrokenFileNothingIsTaken() async throws {
        let node = try running(#"{"ttl": 5}"#)
        let notes = node.notes
        await node.live.reload(node.node, Logger(label: "test") { _ in notes }) { () throws(Failure) in
            throw Failure(.usage, "line 3")
        }
        #expect(notes.taken() == ["error: cannot read the settings; keeping the current ones error=line 3"])
        #expect(await node.reload(try settings(#"{"ttl": 5}"#)).told == [read()])
    }
}
