import Foundation
import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

struct BridgeTests {
    @Test func whatIsSaidOnOneSideIsOnTheOther() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<30 { await park.say("before \(number)", days: number < 10 ? 7 : number < 20 ? 31 : 365) }
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.areEqual(park, lake, count: 30)
        await park.say("to the lake")
        await lake.say("to the park")
        try await world.areEqual(park, lake, count: 32)
        #expect(await world.broker.ids == park.hexIDs)
        #expect(await world.broker.subjects.map { $0.split(separator: ".")[3] }.sorted().first == "m")
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whatBothHaveAlreadyCrossesTheBrokerOnce() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<40 {
            let record = await park.say("common \(number)")
            await lake.keep(record, via: nil)
        }
        let first = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await first.status.isLive }
        // The broker does not know its ids any more.
        world.time.advance(by: .seconds(250))
        await world.broker.tick()
        world.time.advance(by: .seconds(250))
        await world.broker.tick()
        world.time.advance(by: .seconds(250))
        await world.broker.tick()
        await lake.say("new")
        let second = try world.bridge(lake, file: "lake")
        try await world.areEqual(park, lake, count: 41)
        #expect(await world.broker.ids == park.hexIDs)
        #expect(await second.status.taken.known >= 40)
        try await first.end()
        try await second.end()
    }

    @Test(arguments: 0..<20)
    func aBridgeThatIsKilledLosesNothingAndSendsNothingTwice(seed: UInt64) async throws {
        let world = try BridgeWorld()
        var random = SeededGenerator(seed: seed)
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let lakeBridge = try world.bridge(lake, file: "lake")
        var said = 0
        for _ in 0..<5 {
            let bridge = try world.bridge(park, file: "park")
            for _ in 0..<20 {
                said += 1
                await park.say("line \(said)")
                said += 1
                await lake.say("line \(said)")
            }
            let wanted = Int.random(in: 0...said, using: &random)
            try await world.eventually("some have come") { await park.ids.count >= min(wanted, said / 2) }
            for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
            try await bridge.end()
        }
        let bridge = try world.bridge(park, file: "park")
        try await world.areEqual(park, lake, count: said)
        #expect(await world.broker.ids == park.hexIDs)
        try await bridge.end()
        try await lakeBridge.end()
    }

    @Test func anAnswerThatIsLostMakesNoSecondCopy() async throws {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("it has begun") { await bridge.status.isLive }
        await world.broker.loseAnswers(3)
        for number in 0..<5 { await park.say("line \(number)") }
        try await world.eventually("it is tried again") {
            world.time.advance(by: .milliseconds(500))
            let status = await bridge.status
            return status.published.repeated >= 3 && status.isLive
        }
        try await world.eventually("each was stored") { await world.broker.ids == park.hexIDs }
        try await bridge.end()
    }

    @Test func afterALongOutageOthersAreReadFirst() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let parkBridge = try world.bridge(park, file: "park")
        let lakeBridge = try world.bridge(lake, file: "lake")
        await park.say("first")
        try await world.areEqual(park, lake, count: 1)
        // The park loses the broker; the lake does not, and both get the same record from a guest who walked over.
        let guest = Identity(seed: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        let record = guest.sign(
            Record(
                kind: .chat, author: guest.peer, created: HybridTime(wallTime: world.time.wallTime),
                lifetimeSeconds: 86_400, topic: [], body: []))
        await world.broker.set(isDown: true)
        await park.keep(record, via: nil)
        try await world.eventually("the park has noticed") { await parkBridge.status.obstacleIn != nil }
        try await parkBridge.end()
        await world.broker.set(isDown: false)
        await lake.keep(record, via: nil)
        try await world.eventually("the lake has published it") {
            // Its readers wait before they try again.
            world.time.advance(by: .milliseconds(500))
            await world.broker.tick()
            return await world.broker.ids.count == 2
        }
        try await lakeBridge.end()
        world.time.advance(by: .seconds(3_600))
        let again = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await again.status.isLive }
        #expect(await world.broker.ids.count == 2)
        try await again.end()
    }

    @Test func aFullStreamIsTriedAgainAndNothingIsLost() async throws {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        await world.broker.limit(to: 2)
        for number in 0..<4 { await park.say("line \(number)") }
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("it is full") { await bridge.status.obstacleOut == .full }
        await world.broker.limit(to: 10)
        try await world.eventually("each was stored") {
            world.time.advance(by: .seconds(30))
            await world.broker.tick()
            return await world.broker.ids == park.hexIDs
        }
        try await world.eventually("nothing is in the way") { await bridge.status.obstacleOut == nil }
        try await bridge.end()
    }

    @Test func aStreamThatWasMadeAnewIsFilledAgain() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<9 { await park.say("line \(number)", days: number < 5 ? 7 : 31) }
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.areEqual(park, lake, count: 9)
        for bridge in bridges { try await bridge.end() }
        world.time.advance(by: .seconds(86_400))
        await world.broker.remove(.week)
        let again = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.eventually("it is filled again") { await world.broker.ids == park.hexIDs }
        await lake.say("after it")
        try await world.areEqual(park, lake, count: 10)
        #expect(await world.broker.ids == park.hexIDs)
        for bridge in again { try await bridge.end() }
    }

    @Test func aStreamThatIsMadeAnewWhileBridgesRunIsFilledAgain() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<9 { await park.say("line \(number)", days: number < 5 ? 7 : 31) }
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.areEqual(park, lake, count: 9)
        try await world.eventually("both are live") {
            var isLive = true
            for bridge in bridges where await !bridge.status.isLive { isLive = false }
            return isLive
        }
        await world.broker.remove(.week)
        await lake.say("meanwhile")
        try await world.eventually("it is filled again") {
            world.time.advance(by: .seconds(1))
            await world.broker.tick()
            return await world.broker.ids == lake.hexIDs
        }
        try await world.areEqual(park, lake, count: 10)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func anotherStoreOfTheNodeSendsNothingTwice() async throws {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        for number in 0..<9 { await park.say("line \(number)") }
        let first = try world.bridge(park, file: "park")
        try await world.eventually("all is there") { await world.broker.ids == park.hexIDs }
        try await first.end()
        world.time.advance(by: .seconds(86_400))
        await park.takeAnotherStore()
        await park.say("into the new store")
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("the new one is there") {
            // The bridge asks each stream for its end again.
            await world.broker.tick()
            return await world.broker.ids.count == 10
        }
        try await world.eventually("it is live") { await bridge.status.isLive }
        #expect(await world.broker.ids == park.hexIDs)
        try await bridge.end()
    }

    @Test func whatABrokerForgesOrReplaysIsRefusedAndPassed() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        await park.say("line")
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.areEqual(park, lake, count: 1)
        let record = await park.say("another")
        try await world.areEqual(park, lake, count: 2)
        var changed = [1] + record.signed.bytes
        changed[changed.count - 70] ^= 1
        let large = [1] + [UInt8](repeating: 0, count: 1 << 20)
        for payload in [[], [0], [1], [2, 3], [1] + [UInt8](repeating: 0, count: 50_000), changed, large] {
            await world.broker.insert(payload, in: .week)
        }
        await world.broker.replay(.week)
        await park.say("after all that")
        try await world.areEqual(park, lake, count: 3)
        #expect(await bridges[1].status.taken.refused >= 7)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whatTheNodeHasNoTimeForIsBroughtAgain() async throws {
        let world = try BridgeWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let record = await park.say("line")
        await lake.beBusy(3)
        let bridges = try [world.bridge(park, file: "park"), world.bridge(lake, file: "lake")]
        try await world.eventually("it was put three times in vain") {
            world.time.advance(by: .seconds(1))
            return await lake.ids.count == 1
        }
        #expect(await lake.puts[record.id] == 4)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whatEndsWithinAMinuteAndPresencesStay() async throws {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        await park.say("presence", kind: .presence)
        await park.say("line")
        world.time.advance(by: .seconds(7 * 86_400 - 59))
        await park.say("new line")
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("it is done") { await bridge.status.isLive }
        #expect(await world.broker.ids.count == 1)
        try await bridge.end()
    }

    @Test func aFileIsOneBridgesAlone() throws {
        let world = try BridgeWorld()
        let path = world.folder.appending(path: "park").path
        let state = try BridgeState(path: path)
        #expect(throws: BridgeState.Fault.taken(path: path)) { _ = try BridgeState(path: path) }
        try state.close()
        try BridgeState(path: path).close()
    }

    @Test func whatIsWithdrawnWhileTheBrokerIsAwayStaysHere() async throws {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await bridge.status.isLive }
        await world.broker.set(isDown: true)
        for number in 0..<3 { await park.say("line \(number)") }
        try await world.eventually("it waits") { await !bridge.status.isLive }
        await park.set(allows: false)
        await world.broker.set(isDown: false)
        try await world.eventually("it goes on") {
            world.time.advance(by: .milliseconds(500))
            await world.broker.tick()
            return await bridge.status.isLive
        }
        #expect(await world.broker.ids == [])
        try await bridge.end()
    }

    @Test func anAnswerThatIsLostLeavesNoObstacle() async throws {
        let world = try BridgeWorld()
        let park = FakeSite(1, world.time)
        let bridge = try world.bridge(park, file: "park")
        try await world.eventually("the park is done") { await bridge.status.isLive }
        await world.broker.loseAnswers(1)
        await park.say("one")
        try await world.eventually("it is there, and nothing is in the way") {
            world.time.advance(by: .milliseconds(100))
            await world.broker.tick()
            let status = await bridge.status
            return await world.broker.ids.count == 1 && status.isLive && status.obstacleOut == nil
        }
        try await bridge.end()
    }
}
