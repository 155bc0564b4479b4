import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeWire
import Testing

/// Pictures and files follow the records that name them.
struct PieceTests {
    private static let file = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static let key = Bytes32([UInt8](repeating: 7, count: 32))

    /// Two sites, and a file that the first has shared.
    private func shared() async throws -> (world: BridgeWorld, park: FakeSite, lake: FakeSite, name: BlobName) {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        try await park.have(Self.file)
        return (world, park, FakeSite(2, world.time), try await park.share(Self.file))
    }

    @Test(arguments: [nil, key])
    func aFileFollowsTheRecordThatNamesIt(key: Bytes32?) async throws {
        let world = try BridgeWorld(key: key)
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        try await park.have(Self.file)
        let name = try await park.share(Self.file)
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.eventually("the lake has the file") { await lake.bytes(of: name) == Self.file }
        try await world.eventually("both are complete") {
            let isParkComplete = await bridges[0].bridge.isComplete
            return await bridges[1].bridge.isComplete && isParkComplete
        }
        #expect(await bridges[0].status.published.pieces == 6)
        #expect(await bridges[1].status.taken.pieces == 6)
        #expect(await bridges[0].status.taken.refused == 0)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func aSiteThatComesLaterGetsIt() async throws {
        let (world, park, lake, name) = try await shared()
        let first = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await first.bridge.isComplete }
        try await first.end()
        let second = try world.bridge(lake, file: "lake")
        try await world.eventually("the lake has the file") { await lake.bytes(of: name) == Self.file }
        try await second.end()
    }

    @Test(arguments: 0..<10)
    func aBridgeThatIsKilledGoesOnWithTheNextPiece(seed: UInt64) async throws {
        let world = try BridgeWorld()
        var random = SeededGenerator(seed: seed)
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        try await park.have(Self.file)
        let name = try await park.share(Self.file)
        for _ in 0..<4 {
            let bridge = try world.bridge(park, file: "park")
            let count = Int.random(in: 0...3, using: &random)
            try await world.eventually("some pieces are out") {
                world.time.advance(by: .milliseconds(100))
                return await world.broker.ids.count > count
            }
            await world.broker.loseAnswers(Int.random(in: 0...2, using: &random))
            try await bridge.end()
        }
        await world.broker.loseAnswers(0)
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.eventually("the lake has the file") {
            world.time.advance(by: .seconds(1))
            await world.broker.tick()
            return await lake.bytes(of: name) == Self.file
        }
        let ids = await world.broker.ids
        #expect(Set(ids).count == ids.count)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func piecesThatComeBeforeTheirRecordAreNotLost() async throws {
        let (world, park, lake, name) = try await shared()
        let first = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await first.bridge.isComplete }
        // The record has to be put three times before the lake takes it.
        await lake.beBusy(2)
        let second = try world.bridge(lake, file: "lake")
        try await world.eventually("pieces came too early") { await lake.blobs.unknownCount > 0 }
        try await world.eventually("the lake has the file") {
            world.time.advance(by: .seconds(1))
            await world.broker.tick()
            return await lake.bytes(of: name) == Self.file
        }
        try await first.end()
        try await second.end()
    }

    @Test func aPieceNeverComesBehindThoseThatItProves() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.eventually("both are done") { await bridges[0].bridge.isComplete }
        try await park.have(Self.file)
        await world.broker.refuseFirsts(4)
        let name = try await park.share(Self.file)
        try await world.eventually("the lake has the file") {
            world.time.advance(by: .milliseconds(100))
            return await lake.bytes(of: name) == Self.file
        }
        #expect(await bridges[1].status.taken.refused == 0)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func aFileIsPublishedOnceHoweverOftenItIsNamed() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for site in [park, lake] { try await site.have(Self.file) }
        _ = try await park.share(Self.file)
        let first = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await first.bridge.isComplete }
        try await first.end()
        // The broker does not know the ids any more, and the first bridge has lost its file.
        world.time.advance(by: .seconds(700))
        _ = try await lake.share(Self.file)
        let bridges = try [world.bridge(park, file: "new"), world.bridge(lake, file: "lake")]
        try await world.areEqual(park, lake, count: 2)
        for bridge in bridges {
            try await world.eventually("it is done") { await bridge.bridge.isComplete }
        }
        #expect(await world.broker.ids.count == 2 + 6)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func aFileFollowsARecordThatWasPublishedBeforeTheBridgeWasKilled() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let name = try await park.share(Self.file)
        // Its file is new, but the record is at the broker.
        let first = try world.bridge(park, file: "park")
        try await world.eventually("the record is out") { await first.bridge.isComplete }
        try await first.end()
        try await park.have(Self.file)
        let bridges = try [world.bridge(park, file: "new"), world.bridge(lake, file: "lake")]
        try await world.eventually("the lake has the file") { await lake.bytes(of: name) == Self.file }
        for bridge in bridges { try await bridge.end() }
    }

    @Test func piecesThatAreMadeAnewAreFilledAgain() async throws {
        let (world, park, lake, name) = try await shared()
        let first = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await first.bridge.isComplete }
        await world.broker.remove(.pieces)
        let second = try world.bridge(lake, file: "lake")
        try await world.eventually("the lake has the file") {
            world.time.advance(by: .milliseconds(100))
            await world.broker.tick()
            return await lake.bytes(of: name) == Self.file
        }
        try await first.end()
        try await second.end()
    }

    @Test(arguments: [0, Int64(file.count) - 1]) func whatIsTooLargeStays(blobBytesMax: Int64) async throws {
        let world = try BridgeWorld(blobBytesMax: blobBytesMax)
        let park = FakeSite(1, world.time)
        try await park.have(Self.file)
        _ = try await park.share(Self.file)
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await bridge.bridge.isComplete }
        #expect(await world.broker.ids.count == 1)
        try await bridge.end()
    }

    @Test func whatTheNodeDoesNotHaveYetFollowsLater() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let name = try await park.share(Self.file)
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.eventually("the node was asked for it") { await bridges[0].bridge.isComplete }
        try await park.have(Self.file)
        try await world.eventually("the lake has the file") {
            world.time.advance(by: .seconds(1))
            await world.broker.tick()
            return await lake.bytes(of: name) == Self.file
        }
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whatIsNoPieceIsDropped() async throws {
        let world = try BridgeWorld()
        let lake = FakeSite(2, world.time)
        let name = try await lake.share(Self.file)
        let bridge = try world.bridge(lake, file: "lake")
        try await world.eventually("the lake is done") { await bridge.bridge.isComplete }
        let record = try #require(await lake.ids.first)
        let wrong = BridgePiece(name, namedBy: record, 0, [UInt8](repeating: 1, count: 160))
        let short = BridgePiece(name, namedBy: record, 0, [1])
        let rubbish = [[], [3], [1, 2, 3], [UInt8](repeating: 3, count: 61_440)]
        for payload in rubbish + [[3] + short.bytes, [3] + wrong.bytes] {
            await world.broker.insert(payload, in: .pieces)
        }
        try await world.eventually("all are refused") { await bridge.status.taken.refused == 6 }
        #expect(await bridge.status.taken.pieces == 0)
        try await bridge.end()
    }
}
