import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Somebody with a store and without a network: what is in their outbox is carried by hand.
final class Camper {
    let home: Home
    let store: Store
    let mail: PrivateMail
    var desk: RoomDesk { mail.rooms }
    /// Lines they received.
    private(set) var lines: [String] = []
    /// What others did to lines that they received before.
    private(set) var changes: [LineChange] = []
    private(set) var news: [RoomNews] = []
    static let camp: RoomName = {
        do {
            return try RoomName("#camp")
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    init(_ name: String) throws {
        home = try Home(name)
        store = try home.store()
        mail = PrivateMail(store: store, identity: home.identity)
    }

    var peer: PeerID { home.identity.peer }

    func hears(_ others: Camper..., at now: WallTime = Clocks.machine()) async throws {
        for other in others { try await home.takes(from: other.home, store, other.store) }
        try await looks(at: now)
    }

    /// One pass of a node.
    func looks(at now: WallTime = Clocks.machine()) async throws {
        _ = try await mail.tendKeys(at: now, ranFor: .zero)
        let all = try await store.messages.sealed(after: 0, limit: 10_000)
        for record in all { mail.fresh.note(record.id) }
        while try await mail.openNext(at: now).hasMore {}
        news += try await desk.judge(at: now, unheard: [])
        while true {
            let opened = try await desk.openNext(at: now)
            lines += opened.lines.map(\.text)
            changes += opened.changes
            news += opened.news
            if !opened.hasMore { break }
        }
        _ = try await desk.sendKeys(at: now)
    }

    func joins(_ key: String? = nil, at now: WallTime = Clocks.machine()) async throws -> Bool? {
        try await desk.enter(Self.camp, key.map { TypedKey($0) }, as: home.name, at: now)
    }

    func says(_ text: String, at now: WallTime = Clocks.machine()) async throws {
        _ = try await desk.say([SpokenText(text, .says)], in: Self.camp, as: home.name, at: now)
    }

    func history() async throws -> [String] {
        try await desk.history(HistoryQuery(room: Self.camp, limit: 100)).lines.map(\.text)
    }

    /// What they speak under.
    func current() async throws -> StoredRoomKey {
        try #require(try await store.rooms.keys(of: Self.camp).first)
    }

    func members() async throws -> Set<PeerID> {
        Set(try await desk.members(of: Self.camp).map(\.peer))
    }

    /// Some who are in one room by its key, and have each other's keys.
    static func camp(_ names: [String]) async throws -> [Camper] {
        let all = try names.map { try Camper($0) }
        for one in all { _ = try await one.joins("correct horse") }
        for _ in 0..<2 { try await mix(all) }
        return all
    }

    /// Everybody hears everybody.
    static func mix(_ all: [Camper]) async throws {
        for one in all { try await one.looks() }
        for one in all {
            for other in all where other !== one { try await one.home.takes(from: other.home, one.store, other.store) }
        }
        for one in all { try await one.looks() }
    }
}
