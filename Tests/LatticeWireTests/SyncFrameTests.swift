import LatticeCore
import LatticeWire
import Testing

struct SyncFrameTests {
    private func error(type: UInt64, _ write: (inout ByteWriter) -> Void) -> WireError? {
        let message = Samples.frame(type: type, Samples.written(write))
        return wireError { () throws(WireError) in try Frame.decode(message: message[...]) }
    }

    private func comesBack(_ frame: Frame) throws -> Bool {
        try Frame.decode(message: frame.bytes[...]) == [frame]
    }

    private let thirtyTwo = [UInt8](repeating: 1, count: 32)

    // MARK: - What is kept

    private func keepingError(groups: [UInt64], hasRooms: UInt8 = 0, rooms: [[UInt8]] = []) -> WireError? {
        error(type: 15) { writer in
            writer.varint(UInt64(groups.count))
            for group in groups {
                writer.varint(group)
                writer.integer(0, bytes: 8)
            }
            writer.byte(hasRooms)
            guard hasRooms == 1 else { return }
            writer.varint(UInt64(rooms.count))
            for room in rooms { writer.bytes(room) }
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17])
    func aKeepingNamesAtMost16Groups(count: UInt64) {
        let groups = Array(UInt64(1)..<(count + 1))
        #expect(keepingError(groups: groups) == (count > 16 ? .outOfRange(field: "kept groups") : nil))
    }

    @Test func groupsStandInAscendingOrderAndOnce() {
        #expect(keepingError(groups: [1, 2, 5, 9, .max]) == nil)
        for groups in [[0], [1, 1], [2, 1], [9, 9], [.max, 1]] as [[UInt64]] {
            #expect(keepingError(groups: groups) == .outOfRange(field: "kept group"))
        }
    }

    @Test func groupsThatAreNotKnownAreLeftOut() throws {
        let body = Samples.written { writer in
            writer.varint(3)
            for group in [2, 6, 700] as [UInt64] {
                writer.varint(group)
                writer.integer(4, bytes: 8)
            }
            writer.byte(0)
        }
        let frames = try Frame.decode(message: Samples.frame(type: 15, body)[...])
        #expect(frames == [.keeping(Keeping([Keeping.Entry(.posts, since: HybridTime(rawValue: 4))]))])
    }

    @Test(arguments: [0, 1, 63, 64, 65])
    func aKeepingNamesAtMost64Rooms(count: Int) {
        let rooms = (0..<count).map { [UInt8($0)] }
        let error = keepingError(groups: [1], hasRooms: 1, rooms: rooms)
        #expect(error == (count > 64 ? .outOfRange(field: "kept rooms") : nil))
    }

    @Test func roomsStandInAscendingOrderAndOnce() {
        #expect(keepingError(groups: [1], hasRooms: 1, rooms: [[], [1], [1, 0], [2]]) == nil)
        for rooms in [[[1], [1]], [[2], [1]], [[1, 0], [1]], [[], []]] as [[[UInt8]]] {
            #expect(keepingError(groups: [1], hasRooms: 1, rooms: rooms) == .outOfRange(field: "kept room"))
        }
    }

    @Test(arguments: [0, 255, 256, 257])
    func aRoomThatIsKeptIsATopic(count: Int) {
        let error = keepingError(groups: [1], hasRooms: 1, rooms: [[UInt8](repeating: 1, count: count)])
        #expect(error == (count > 256 ? .tooLong(field: "kept room", bytes: count, bytesMax: 256) : nil))
    }

    @Test(arguments: [0, 1, 2, 255] as [UInt8])
    func roomsAreNamedOrNot(flag: UInt8) {
        #expect(keepingError(groups: [1], hasRooms: flag) == (flag > 1 ? .outOfRange(field: "kept rooms") : nil))
    }

    @Test func aRoomThatNobodyKeepsIsStillAKeeping() throws {
        #expect(try comesBack(.keeping(Keeping([], rooms: []))))
        #expect(try comesBack(.keeping(.everything)))
    }

    // MARK: - Comparisons

    private func comparisonError(
        side: UInt8 = 0, session: UInt64 = 1, group: UInt64 = 1, hasRoom: UInt8 = 0, room: [UInt8] = [1],
        message: Int = 1
    ) -> WireError? {
        error(type: 16) { writer in
            writer.byte(side)
            writer.varint(session)
            writer.varint(group)
            writer.byte(hasRoom)
            if hasRoom == 1 { writer.bytes(room) }
            writer.integer(0, bytes: 8)
            writer.bytes([UInt8](repeating: 1, count: message))
        }
    }

    @Test(arguments: [0, 1, 2, 255] as [UInt8])
    func aComparisonAsksOrAnswers(side: UInt8) {
        #expect(comparisonError(side: side) == (side > 1 ? .outOfRange(field: "comparison side") : nil))
    }

    @Test(arguments: [0, 1, 4_294_967_294, 4_294_967_295, 4_294_967_296, .max] as [UInt64])
    func aSessionIsANumberOf32Bits(session: UInt64) {
        let isRefused = session > 4_294_967_295
        #expect(comparisonError(session: session) == (isRefused ? .outOfRange(field: "comparison session") : nil))
    }

    @Test(arguments: [0, 1, 4, 5, 6, 257, .max] as [UInt64])
    func onlyKnownGroupsAreCompared(group: UInt64) {
        let isRefused = !(1...5).contains(group)
        #expect(comparisonError(group: group) == (isRefused ? .outOfRange(field: "comparison group") : nil))
    }

    @Test func onlyChatIsComparedRoomByRoom() {
        #expect(comparisonError(group: 1, hasRoom: 1) == nil)
        #expect(comparisonError(group: 1, hasRoom: 2) == .outOfRange(field: "comparison room"))
        for group in 2...5 as ClosedRange<UInt64> {
            #expect(comparisonError(group: group, hasRoom: 1) == .outOfRange(field: "comparison room"))
        }
    }

    @Test(arguments: [0, 255, 256, 257])
    func aRoomThatIsComparedIsATopic(count: Int) {
        let error = comparisonError(hasRoom: 1, room: [UInt8](repeating: 1, count: count))
        #expect(error == (count > 256 ? .tooLong(field: "comparison room", bytes: count, bytesMax: 256) : nil))
    }

    @Test(arguments: [0, 59_999, 60_000, 60_001])
    func aMessageHasAtMost60000Bytes(count: Int) {
        let error = comparisonError(message: count)
        #expect(error == (count > 60_000 ? .tooLong(field: "comparison message", bytes: count, bytesMax: 60_000) : nil))
    }

    // MARK: - Ids and records

    @Test(arguments: [17, 18, 20, 21] as [UInt64], [0, 1, 2, 1_023, 1_024, 1_025])
    func aListNames1To1024Records(type: UInt64, count: Int) {
        let error = error(type: type) { writer in
            writer.varint(UInt64(count))
            for _ in 0..<count { writer.fixed(thirtyTwo) }
        }
        let fields: [UInt64: String] = [17: "offered ids", 18: "fetched ids", 20: "lacking ids", 21: "stored ids"]
        let field = fields[type, default: ""]
        #expect(error == ((1...1_024).contains(count) ? nil : .outOfRange(field: field)))
    }

    @Test(arguments: [15, 16, 17, 18, 20, 21] as [UInt64])
    func aCountWithoutWhatItCountsIsRefused(type: UInt64) {
        for count in [1, 16, 1_024, .max] as [UInt64] {
            #expect(
                error(type: type) { writer in
                    if type == 16 { writer.fixed([0, 1, 1, 0] + [UInt8](repeating: 0, count: 8)) }
                    writer.varint(count)
                } != nil)
        }
    }

    @Test(arguments: [0, 1, 4_294_967_294, 4_294_967_295, 4_294_967_296, .max] as [UInt64])
    func anAgeIsANumberOf32Bits(age: UInt64) throws {
        let record = try Samples.signed().bytes
        let error = error(type: 19) { writer in
            writer.varint(age)
            writer.fixed(record)
        }
        #expect(error == (age > 4_294_967_295 ? .outOfRange(field: "serve age") : nil))
    }

    @Test func whatIsSuppliedIsARecordAndNothingElse() throws {
        let record = try Samples.signed().bytes
        for bytes in [[], Array(record.dropLast()), record + [0], [2] + record.dropFirst()] {
            #expect(
                error(type: 19) { writer in
                    writer.varint(0)
                    writer.fixed(bytes)
                } != nil)
        }
    }

    @Test func theLargestFramesFitAMessage() throws {
        let rooms = (0..<64).map { [UInt8](repeating: UInt8($0), count: 256) }
        let entries = SyncScope.Group.allCases.map { Keeping.Entry($0, since: HybridTime(rawValue: .max)) }
        let ids = RecordIDs([RecordID](repeating: try Samples.recordID(255), count: 1_024))
        let comparison = Comparison(
            side: .answer, session: .max, scope: SyncScope(.chat, room: rooms[63]), since: HybridTime(rawValue: .max),
            message: [UInt8](repeating: 255, count: 60_000))
        let record = Record(
            kind: RecordKind(rawValue: .max), author: try Samples.peer(255), created: HybridTime(rawValue: .max),
            lifetimeSeconds: 31_536_000, topic: rooms[63], body: [UInt8](repeating: 255, count: 59_500))
        let signed = SignedRecord(record, signature: [UInt8](repeating: 255, count: 64))
        let frames: [Frame] = [
            .keeping(Keeping(entries, rooms: rooms)), .comparison(comparison), .offer(ids), .fetch(ids), .lack(ids),
            .stored(ids), .serve(ServedRecord(ageSeconds: .max, signed: signed)),
        ]
        for frame in frames {
            #expect(frame.bytes.count <= Frame.plaintextBytesMax)
            #expect(frame.byteCount == frame.bytes.count)
            #expect(try comesBack(frame))
        }
    }

    // MARK: - What both keep

    private func ranges(_ ours: Keeping, _ theirs: Keeping) -> [String] {
        ours.overlap(with: theirs).map { "\($0.scope.group) \($0.scope.room ?? []) \($0.since.rawValue)" }
    }

    @Test func whatBothKeepIsComparedFromTheLaterDateOn() {
        let ours = Keeping([
            Keeping.Entry(.changes, since: HybridTime(rawValue: 3)),
            Keeping.Entry(.chat, since: HybridTime(rawValue: 7)),
            Keeping.Entry(.posts, since: HybridTime(rawValue: 1)),
        ])
        let theirs = Keeping([
            Keeping.Entry(.chat, since: HybridTime(rawValue: 5)), Keeping.Entry(.other, since: HybridTime(rawValue: 0)),
            Keeping.Entry(.changes, since: HybridTime(rawValue: 4)),
        ])
        #expect(ranges(ours, theirs) == ["chat [] 7", "changes [] 4"])
        #expect(ranges(theirs, ours) == ["chat [] 7", "changes [] 4"])
    }

    @Test func whereEitherNamesRoomsTheseAreCompared() {
        let since = HybridTime(rawValue: 2)
        func keeping(_ rooms: [[UInt8]]?) -> Keeping { Keeping([Keeping.Entry(.chat, since: since)], rooms: rooms) }
        #expect(ranges(keeping(nil), keeping(nil)) == ["chat [] 2"])
        #expect(ranges(keeping([[2], [1]]), keeping(nil)) == ["chat [1] 2", "chat [2] 2"])
        #expect(ranges(keeping(nil), keeping([[2], [1]])) == ["chat [1] 2", "chat [2] 2"])
        #expect(ranges(keeping([[1], [2], [3]]), keeping([[3], [0], [1]])) == ["chat [1] 2", "chat [3] 2"])
        #expect(ranges(keeping([[1]]), keeping([])) == [])
    }

    @Test func everyKindThatIsKeptBelongsToOneGroup() {
        let groups = (UInt64(1)...21).map { SyncScope.Group(of: RecordKind(rawValue: $0)) }
        #expect(
            groups == [
                .chat, nil, .people, .posts, .posts, .people, .people, .posts, .people, .changes, .changes, .posts,
                .people, .people, .people, .posts, .posts, .people, .people, .people, .other,
            ])
    }
}
