import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Pins of public rooms.
@Suite struct PinTests {
    private static let park = Array("#park".utf8)
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let store: Store

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
    }

    @discardableResult
    private func insert(_ records: VerifiedRecord...) async throws -> [InsertOutcome] {
        try await store.insert(records, at: Morning.arrival)
    }

    private func pins(except unheard: Set<PeerID> = [], at now: WallTime = Morning.arrival) async throws -> [String] {
        try await store.pins.newest(in: Self.park, except: unheard, at: now).map { pin in
            switch pin.pinned {
            case .text(let text): text
            case .line(let line): "line of \(line.author.short)"
            }
        }
    }

    @Test func theNewestThreePinsAreShown() async throws {
        for number in UInt8(1)...4 {
            let author = try Author(number)
            try await insert(author.pin(.text("by \(number)"), at: Morning.milliseconds + Int64(number)))
        }
        #expect(try await pins() == ["by 4", "by 3", "by 2"])
        let pinned = try await store.pins.newest(in: Self.park, except: [], at: Morning.arrival)
        #expect(pinned.first?.author == (try Author(4)).peer && pinned.first?.name.text == "author 4")
        #expect(try await pins(except: [try Author(4).peer]) == ["by 3", "by 2", "by 1"])
        #expect(try await store.pins.newest(in: Array("#lobby".utf8), except: [], at: Morning.arrival).isEmpty)
        #expect(try await store.pins.own(in: Self.park, at: Morning.arrival) == .text("by 1"))
        let later = Morning.after(seconds: 31 * 86_400)
        #expect(try await store.pins.own(in: Self.park, at: later) == nil)
    }

    @Test func theNewestPinOfAnAuthorReplacesTheOthers() async throws {
        let (first, second, none) = (bert.pin(.text("at eight")), bert.pin(.text("at nine")), bert.pin(.nothing))
        #expect(try await insert(second, first) == [.added, .superseded])
        #expect(try await pins() == ["at nine"])
        try await insert(none)
        #expect(try await insert(second) == [.superseded])
        #expect(try await pins().isEmpty)
        try await insert(bert.pin(.text("at ten")))
        #expect(try await pins() == ["at ten"])
    }

    @Test func aPinnedLineIsShownWhileItIsStored() async throws {
        let line = bert.chat("meet at the gate")
        try await insert(anna.pin(.line(line.id)))
        #expect(try await pins().isEmpty, "the line is not here")
        try await insert(line)
        #expect(try await pins() == ["line of \(bert.peer.short)"])
        #expect(try await pins(except: [bert.peer]).isEmpty)
        let elsewhere = bert.say(.chat, topic: Array("#lobby".utf8), body: bert.lineBody("hi"))
        try await insert(elsewhere, bert.pin(.line(elsewhere.id)))
        #expect(try await pins().count == 1, "a line of another room")
        try await insert(bert.delete(line.id))
        #expect(try await pins().isEmpty)
    }

    @Test func aFutureDateKeepsNoPinFirst() async throws {
        try await insert(bert.pin(.text("for ever"), at: Morning.milliseconds + 365 * 86_400_000))
        let later = Morning.after(seconds: 120)
        _ = try await store.insert([anna.pin(.text("now"), at: later.milliseconds)], at: later)
        #expect(try await pins(at: later) == ["now", "for ever"])
    }

    @Test func aRebuildKeepsThePins() async throws {
        let line = bert.chat("meet at the gate")
        try await insert(line, anna.pin(.line(line.id)), bert.pin(.text("x")), bert.pin(.nothing))
        let before = try await pins()
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await pins() == before && before.count == 1)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func recordsThatAreNoPinsAreRefused() async throws {
        let body = PinBody(name: anna.name, .text("x")).body
        for record in [
            anna.say(.pin, topic: [], body: body), anna.say(.pin, topic: [0xC0], body: body),
            anna.say(.pin, topic: Self.park, body: []), anna.say(.pin, topic: Self.park, body: body + [0]),
        ] {
            let outcomes = try await insert(record)
            #expect(outcomes.allSatisfy { if case .refused = $0 { true } else { false } })
        }
    }

    /// All pins count against the quotas. Only some of them are read to find the newest three.
    @Test func aFloodOfPinsIsReadInPart() async throws {
        let nowhere = bert.chat("never told").id
        for portion in 0..<4 {
            let flood = (0..<100).map { number -> VerifiedRecord in
                let seed = [UInt8(portion), UInt8(number)] + [UInt8](repeating: 7, count: 30)
                return Author(seed: seed).pin(.line(nowhere), at: Morning.milliseconds + 10)
            }
            _ = try await store.insert(flood, at: Morning.arrival)
        }
        try await insert(anna.pin(.text("older"), at: Morning.milliseconds + 5))
        #expect(try await pins() == [])
        try await insert(anna.pin(.text("newer"), at: Morning.milliseconds + 20))
        #expect(try await pins() == ["newer"])
        let place = try Folder()
        let small = try place.store(of: anna, quota: StoreQuota(bytes: 40_000, authorBytes: 10_000))
        let line = anna.chat("kept")
        _ = try await small.insert([line], at: Morning.arrival)
        for number in 0..<400 {
            let seed = [UInt8(number & 255), UInt8(number >> 8)] + [UInt8](repeating: 8, count: 30)
            _ = try await small.insert([Author(seed: seed).pin(.text("flood"))], at: Morning.arrival)
        }
        #expect(try await small.history.lines([line.id], at: Morning.arrival).count == 1)
        #expect(try await small.upkeep.totals().kinds.reduce(0) { $0 + $1.records } < 400)
    }

    @Test func theQueryUsesTheIndexOfTheRoom() async throws {
        try await insert(bert.pin(.text("x")))
        let plan = try await store.access.read { database in
            try database.all(
                "EXPLAIN QUERY PLAN \(PinReader.query)", [.bytes(Self.park), .int(3)]
            ) { $0.text(3) }
        }
        #expect(plan.contains { $0.contains("USING INDEX pin_room") || $0.contains("USING COVERING INDEX pin_room") })
        #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    /// Anybody with the key of a room can create any number of authors whose pins have the same date.
    @Test func aPrivateRoomKeepsALimitedNumberOfPins() async throws {
        let (room, root) = (try RoomName("#den"), Bytes32(words: (1, 2, 3, 4)))
        _ = try await store.rooms.hold(
            NewRoomKey(room: room, root: root, id: root, sealed: [1]), at: Morning.arrival, roomsMax: 1, keysMax: 1)
        let key = try #require(try await store.rooms.keys(of: room).first)
        let (person, name) = (store.access.person, anna.name)
        let count = Int(PrivateRoomTable.pinsMax) + 100
        try await store.access.commit { transaction in
            for number in 1...UInt64(count) {
                let id = Bytes32(words: (number, 0, 0, 0))
                _ = try PrivateRoomTable.keep(
                    PinBody(name: name, .text("flood")), by: PeerID(id), HybridTime(rawValue: 1 << 16), RecordID(id),
                    Morning.arrival, in: key, person, transaction, at: Morning.arrival)
            }
        }
        let stored = try await store.access.read { database in
            try database.one("SELECT count(*) FROM room_pin", []) { $0.int(0) }
        }
        #expect(stored == PrivateRoomTable.pinsMax)
    }
}
