import LatticeAPI
import LatticeCore
import LatticeStore
import Synchronization
import Testing

@testable import LatticeNode

/// What a stream told so far. It ends with the stream.
final class EventListener: Sendable {
    private let heard = Mutex<(events: [NodeEvent], isOver: Bool)>(([], false))

    init(_ events: NodeEvents) {
        Task {
            for await event in events { self.heard.withLock { $0.events.append(event) } }
            self.heard.withLock { $0.isOver = true }
        }
    }

    var events: [NodeEvent] { heard.withLock { $0.events } }
    var isOver: Bool { heard.withLock { $0.isOver } }

    var lines: [Message] {
        events.compactMap { if case .message(let line) = $0 { line } else { nil } }
    }

    var presences: [PresenceChange] {
        events.compactMap { if case .presence(let change) = $0 { change } else { nil } }
    }

    var changes: [LineChange] {
        events.compactMap { if case .lineChanged(let change) = $0 { change } else { nil } }
    }

    var messageChanges: [PrivateMessageChange] {
        events.compactMap { if case .privateMessageChanged(let change) = $0 { change } else { nil } }
    }

    var notifications: [NotificationInfo] {
        events.compactMap { if case .notification(let one) = $0 { one } else { nil } }
    }

    var posted: [RecordID] {
        events.compactMap { if case .posted(let item) = $0 { item.id } else { nil } }
    }

    var messages: [PrivateMessage] {
        events.compactMap { if case .privateMessage(let message) = $0 { message } else { nil } }
    }

    func states(of number: Int64) -> [PrivateState] {
        events.compactMap {
            if case .privateProgress(let progress) = $0, progress.number == number { progress.state } else { nil }
        }
    }

    var roomEvents: [RoomEvent] {
        events.compactMap { if case .room(let event) = $0 { event } else { nil } }
    }

    func isHere(_ id: PeerID) -> Bool? {
        presences.last { $0.id == id }?.isHere
    }
}

/// A persona on another's node, and the events it got.
struct Guest: Sendable {
    let visitor: any Visitor
    let own: EventListener
    let all: EventListener

    var id: PeerID { visitor.id }

    init(_ visitor: any Visitor) async {
        self.visitor = visitor
        own = EventListener(await visitor.ownEvents())
        all = EventListener(await visitor.events())
    }

    func say(_ text: String, in room: String = "#lobby") async throws {
        _ = try await visitor.perform(Say(text, style: .says, room: try RoomName(room)))
    }

    func join(_ room: String = "#lobby") async throws {
        _ = try await visitor.perform(JoinRoom(try RoomName(room)))
    }

    func peers() async throws -> [PeerInfo] {
        let peers = try await visitor.perform(ListPeers()).peers
        return peers
    }

    func tell(_ text: String, _ other: PeerID) async throws -> PrivateMessage {
        let message = try await visitor.perform(SendPrivateMessage(PeerReference(other), text, style: .says))
        return message
    }

    func privateHistory(_ other: PeerID) async throws -> [PrivateMessage] {
        let lines = try await visitor.perform(ListPrivateMessages(PeerReference(other), limit: 100)).messages
        return lines
    }

    func conversations() async throws -> [PrivateMessage] {
        let lines = try await visitor.perform(ListConversations()).messages
        return lines
    }

    func history(_ room: String = "#lobby") async throws -> [Message] {
        let page = try await visitor.perform(
            HistoryQuery(room: try RoomName(room), limit: 100))
        return page.lines
    }
}

/// A node with two visitors, all in #lobby.
struct Camp {
    let here: Chatter
    let bob: Guest
    let carol: Guest

    static func run(_ work: (Camp) async throws -> Void) async throws {
        let here = try await Chatter(try Home("ann"), knows: true, hasMail: true)
        try await here.run {
            let camp = Camp(here: here, bob: try await here.admit("bob"), carol: try await here.admit("carol"))
            for guest in [camp.bob, camp.carol] { try await guest.join() }
            try await work(camp)
        }
    }
}

extension Chatter {
    /// - Parameter account: `nil` is named as they are.
    func admit(_ name: String, account: String? = nil) async throws -> Guest {
        let account = try #require(AccountName(account ?? "~\(name)"))
        return await Guest(try await node.admit(account, as: try PeerName(name)))
    }

    func hasKeys(of peer: PeerID) async throws -> Bool {
        try await store.prekeys.published(by: peer, at: Clocks.machine()) != nil
    }

    func privateHistory(with peer: PeerID) async throws -> [PrivateMessage] {
        let lines = try await node.perform(ListPrivateMessages(PeerReference(peer), limit: 100)).messages
        return lines
    }

    func everybody() async -> EventListener { EventListener(await node.publicEvents()) }

    func peers() async throws -> [PeerInfo] {
        let peers = try await node.perform(ListPeers()).peers
        return peers
    }
}
