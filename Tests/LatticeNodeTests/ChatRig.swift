import CoreMetrics
import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticePicture
import LatticePictureDecoder
import LatticeStore
import LatticeWire
import Logging
import Synchronization
import Testing

@testable import LatticeNode

/// A person's folder, which outlives the nodes that run in it.
final class Home: Sendable {
    let identity = Identity.generate()
    let name: PeerName
    let path: String
    private let folder: String

    init(_ name: String) throws {
        var template = Array("/tmp/lattice-home-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        folder = String(cString: made)
        path = "\(folder)/lattice.sqlite"
        self.name = try PeerName(name)
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            // What is left in /tmp hurts nobody.
        }
    }

    var book: PeopleBook { PeopleBook(folder: folder) }

    func store(_ quota: StoreQuota = StoreQuota()) throws -> Store {
        try Store(path: path, owner: identity.peer, quota: quota)
    }
}

/// A node on the loopback, linked only with whom a test says, and what it told.
final class Chatter: Sendable {
    let home: Home
    let node: Node
    let store: Store
    private let heard = Mutex<[NodeEvent]>([])

    /// - Parameters:
    ///   - clock: what its machine's clock is off by.
    ///   - keeps: whether what it hears is stored.
    ///   - knows: whether whom it meets is remembered.
    ///   - hasMail: whether it publishes keys, which are records like others, and opens private messages.
    ///   - farewell: how long a refused peer has to read the reason.
    init(
        _ home: Home, clock: Duration = .zero, keeps: Bool = true, knows: Bool = false, hasMail: Bool = false,
        rooms: [RoomName]? = nil, isStoreClosed: Bool = false, machine: (@Sendable () -> WallTime)? = nil,
        logger: Logger? = nil, metrics: (any MetricsFactory)? = nil, rates: SpeechRates? = nil,
        farewell: Duration? = nil, fetchesPhotos: Bool = true
    ) async throws {
        self.home = home
        store = try home.store()
        var configuration = NodeConfiguration(
            identity: home.identity, name: home.name, rooms: try rooms ?? [RoomName("#lobby")],
            mesh: try MeshName("synced"))
        configuration.isStoreClosed = isStoreClosed
        configuration.discovery = .off
        configuration.hasMail = hasMail
        if keeps { configuration.archive = Archive(store: store, identity: home.identity, name: home.name) }
        if knows { configuration.people = home.book }
        configuration.machineClock = machine ?? { Clocks.machine().shifted(by: clock) }
        if let metrics { configuration.metrics = metrics }
        configuration.rates = rates
        configuration.invitations.farewell = farewell
        configuration.photos.fetchesUnasked = fetchesPhotos
        // The program of a test has no child that could do it.
        configuration.photos.render = { bytes throws(PictureFault) in try PictureRenderer.render(bytes) }
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        node = try await Node(configuration, logger: logger ?? quiet)
    }

    /// Runs it, and stops it when the work is done.
    func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        let events = await node.events()
        return try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.node.run() }
            group.addTask { for await event in events { self.heard.withLock { $0.append(event) } } }
            do {
                let value = try await work()
                await node.stop()
                return value
            } catch {
                await node.stop()
                throw error
            }
        }
    }

    func meet(_ other: Chatter) async throws {
        let address = PeerAddress(host: "127.0.0.1", port: await other.node.me.port)
        _ = try await node.perform(DialAddress(address))
        try await eventually("a link to \(other.home.name.text)") {
            let peers = try await self.node.perform(ListPeers()).peers
            return peers.contains { $0.id == other.home.identity.peer && $0.state == .connected }
        }
    }

    func say(_ text: String) async throws {
        _ = try await node.perform(Say(text, style: .says, room: try RoomName("#lobby")))
    }

    /// Every line it has in its room, oldest first.
    func history(_ limit: Int = 10_000) async throws -> [Message] {
        let page = try await node.perform(
            HistoryQuery(room: try RoomName("#lobby"), limit: limit))
        return page.lines
    }

    var events: [NodeEvent] { heard.withLock { $0 } }

    /// The lines it received, in order.
    var lines: [Message] {
        events.compactMap { if case .message(let line) = $0 { line } else { nil } }
    }

    var clashes: [NameClash] {
        events.compactMap { if case .nameClash(let clash) = $0 { clash } else { nil } }
    }

    var notices: [Notice] {
        events.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
    }

    func count() async throws -> Int {
        try await store.reconciling.groupCounts().map(\.records).reduce(0, +)
    }
}

enum ChatRig {
    static let name: PeerName = {
        do {
            return try PeerName("somebody")
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// Lines that somebody said a while ago, a second apart.
    ///
    /// - Parameter bytes: added to each.
    static func lines(
        _ count: Int, by identity: Identity, bytes: Int = 0
    ) -> [VerifiedRecord] {
        let start = Clocks.machine().milliseconds - Int64(count) * 1_000
        return (0..<count).map { number in
            let text = "line \(number)" + String(repeating: ".", count: bytes)
            return identity.sign(
                Record(
                    kind: .chat, author: identity.peer,
                    created: HybridTime(wallTime: WallTime(milliseconds: start + Int64(number) * 1_000)),
                    lifetimeSeconds: 7 * 86_400,
                    topic: Array("#lobby".utf8),
                    body: ChatLine(style: .says, name: name, text: text).body))
        }
    }
}

extension WallTime {
    func shifted(by duration: Duration) -> WallTime {
        WallTime(milliseconds: milliseconds + duration.wholeMilliseconds)
    }
}

/// Looks again until it is so. Looks are counted and not seconds: a test that gets no processor for a minute has not
/// failed.
func eventually(
    _ what: String, _ isSo: () async throws -> Bool, location: SourceLocation = #_sourceLocation
) async throws {
    var looks = 0
    while try await !isSo() {
        looks += 1
        try #require(looks < 12_000, "not in 12,000 looks: \(what)", sourceLocation: location)
        try await Task.sleep(for: .milliseconds(5))
    }
}
