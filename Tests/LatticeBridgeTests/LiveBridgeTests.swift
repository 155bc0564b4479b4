import LatticeBridge
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// Bridges over a broker that keeps no history.
struct LiveBridgeTests {
    private static let key = Bytes32([UInt8](repeating: 7, count: 32))

    @Test func whatIsSaidOnOneSideIsReadOnTheOther() async throws {
        let world = try LiveWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<30 { await park.say("before \(number)", days: number < 10 ? 7 : 365) }
        let bridges = try await [world.bridge(park, "park"), world.bridge(lake, "lake")]
        try await world.areEqual([park, lake], count: 30)
        await park.say("to the lake")
        await lake.say("to the park")
        try await world.areEqual([park, lake], count: 32)
        try await world.eventually("both are complete") {
            var isComplete = true
            for bridge in bridges where await !bridge.bridge.isComplete { isComplete = false }
            return isComplete
        }
        for bridge in bridges {
            #expect(await bridge.status.taken.refused == 0)
            #expect(await bridge.status.bridges == 1)
            try await bridge.end()
        }
    }

    @Test func aNewcomerGetsAllFromOneOfThoseThatAreThere() async throws {
        let world = try LiveWorld()
        let sites = (1...3).map { FakeSite(UInt8($0), world.time) }
        for number in 0..<600 { await sites[0].say("line \(number)") }
        let bridges = try await [world.bridge(sites[0], "0"), world.bridge(sites[1], "1")]
        try await world.areEqual(Array(sites.prefix(2)), count: 600)
        try await world.pass(.seconds(5))
        let before = await world.broker.recordCount
        let newcomer = try await world.bridge(sites[2], "2")
        try await world.areEqual(sites, count: 600)
        #expect(await world.broker.recordCount == before + 600, "each was published for it once")
        for bridge in bridges + [newcomer] { try await bridge.end() }
    }

    @Test func twoNewcomersGetEverythingAtMostTwice() async throws {
        let world = try LiveWorld()
        let sites = (1...3).map { FakeSite(UInt8($0), world.time) }
        for number in 0..<300 { await sites[0].say("line \(number)") }
        let first = try await world.bridge(sites[0], "0")
        try await world.eventually("all is published") { await world.broker.recordCount == 300 }
        let others = try await [world.bridge(sites[1], "1"), world.bridge(sites[2], "2")]
        try await world.areEqual(sites, count: 300)
        try await world.pass(.seconds(10))
        // Who asks before the other's answers have come gets its own.
        #expect(await world.broker.recordCount <= 900)
        for bridge in others + [first] { try await bridge.end() }
    }

    @Test func whatItsFirstSiteNoLongerSaysComesFromAnother() async throws {
        let world = try LiveWorld()
        let sites = (1...3).map { FakeSite(UInt8($0), world.time) }
        for number in 0..<40 { await sites[0].say("line \(number)") }
        let (first, second) = try await (world.bridge(sites[0], "0"), world.bridge(sites[1], "1"))
        try await world.areEqual(Array(sites.prefix(2)), count: 40)
        try await first.end()
        await world.broker.leave("0")
        let third = try await world.bridge(sites[2], "2")
        try await world.areEqual(sites, count: 40)
        for bridge in [second, third] { try await bridge.end() }
    }

    @Test func bothSidesGoOnTalkingWhileTheBrokerIsGone() async throws {
        let world = try LiveWorld()
        let sites = (1...3).map { FakeSite(UInt8($0), world.time) }
        let names = ["0", "1", "2"]
        var bridges: [RunningBridge] = []
        for (site, name) in zip(sites, names) { bridges.append(try await world.bridge(site, name)) }
        await sites[0].say("before")
        try await world.areEqual(sites, count: 1)
        await world.broker.end()
        for site in sites { await site.say("meanwhile") }
        try await world.eventually("all have noticed") {
            var waiting = 0
            for bridge in bridges where await bridge.status.obstacleIn != nil { waiting += 1 }
            return waiting == 3
        }
        await world.broker.begin()
        // One comes late, and the broker has forgotten it: what was published meanwhile is lost to it.
        for name in names.prefix(2) { await world.broker.rejoin(name) }
        try await world.areEqual(Array(sites.prefix(2)), count: 3)
        await world.broker.rejoin("2")
        try await world.areEqual(sites, count: 4)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whatTheBrokerDroppedIsFetchedOnceAGreetingShowsIt() async throws {
        let world = try LiveWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        let bridges = try await [world.bridge(park, "park"), world.bridge(lake, "lake")]
        await park.say("before")
        try await world.areEqual([park, lake], count: 1)
        try await world.pass(.seconds(70))
        await world.broker.set(keptMax: 3)
        await world.broker.leave("lake")
        for number in 0..<20 { await park.say("line \(number)") }
        try await world.eventually("they are published") { await world.broker.recordCount >= 21 }
        // A short gap with a session: the bridge believes that it has missed nothing.
        await world.broker.rejoin("lake")
        try await world.areEqual([park, lake], count: 21)
        for bridge in bridges { try await bridge.end() }
    }

    @Test(arguments: 0..<20)
    func bridgesThatAreKilledEndWithTheSame(seed: UInt64) async throws {
        let world = try LiveWorld(seed: seed)
        var random = SeededGenerator(seed: seed)
        let sites = (1...3).map { FakeSite(UInt8($0), world.time) }
        var bridges: [RunningBridge?] = [nil, nil, nil]
        await world.broker.set(copies: 10, swaps: 20)
        var said = 0
        for _ in 0..<12 {
            let victim = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                try await bridges[victim].take()?.end()
                await world.broker.leave("\(victim)", isForgotten: Bool.random(using: &random))
            case 1: await world.broker.leave("\(victim)", isForgotten: Bool.random(using: &random))
            case 2:
                await world.broker.end()
                await world.broker.begin()
            default: break
            }
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                said += 1
                await sites[Int.random(in: 0..<3, using: &random)].say("line \(said)")
            }
            for index in 0..<3 where Bool.random(using: &random) {
                if bridges[index] == nil {
                    bridges[index] = try await world.bridge(sites[index], "\(index)")
                } else if await !world.broker.isConnected("\(index)") {
                    await world.broker.rejoin("\(index)")
                }
            }
            try await world.pass(.milliseconds(Int64.random(in: 0..<20_000, using: &random)))
        }
        for index in 0..<3 {
            if bridges[index] == nil { bridges[index] = try await world.bridge(sites[index], "\(index)") }
            if await !world.broker.isConnected("\(index)") { await world.broker.rejoin("\(index)") }
        }
        try await world.areEqual(sites, count: said)
        for bridge in bridges { try await bridge?.end() }
    }

    @Test func aClosedMeshIsSealed() async throws {
        let world = try LiveWorld(key: Self.key)
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<5 { await park.say("a secret of the camp \(number)") }
        let first = try await world.bridge(park, "park")
        try await world.eventually("all is published") { await world.broker.recordCount == 5 }
        let second = try await world.bridge(lake, "lake")
        try await world.areEqual([park, lake], count: 5)
        let secret = Array("secret".utf8)
        for message in await world.broker.published {
            #expect(message.payload.first == 2)
            #expect(!message.payload.indices.contains { message.payload[$0...].starts(with: secret) })
        }
        for bridge in [first, second] { try await bridge.end() }
    }

    @Test func anotherStoreOfTheNodeIsComparedAnew() async throws {
        let world = try LiveWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<9 { await park.say("line \(number)") }
        let first = try await world.bridge(park, "park")
        try await world.eventually("it is done") { await first.bridge.isComplete }
        await park.takeAnotherStore()
        await park.say("into the new store")
        let second = try await world.bridge(lake, "lake")
        try await world.areEqual([park, lake], count: 10)
        for bridge in [first, second] { try await bridge.end() }
    }

    @Test func whatIsGoneIsAskedForInVainOnce() async throws {
        let world = try LiveWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<9 { await park.say("line \(number)") }
        let first = try await world.bridge(park, "park")
        try await world.eventually("it is done") { await first.bridge.isComplete }
        await park.remove(3)
        let second = try await world.bridge(lake, "lake")
        try await world.areEqual([park, lake], count: 8)
        // What could be lost on its way is asked for once more.
        try await world.pass(.seconds(20))
        try await world.eventually("it is complete") { await second.bridge.isComplete }
        let before = await world.broker.published.count { $0.topic.contains("/a/") }
        try await world.pass(.seconds(300))
        #expect(await world.broker.published.count { $0.topic.contains("/a/") } == before, "nobody asks again")
        for bridge in [first, second] { try await bridge.end() }
    }

    @Test func theOldestAreLeftOutIfThereAreTooMany() async throws {
        let world = try LiveWorld()
        let (park, lake) = (FakeSite(1, world.time), FakeSite(2, world.time))
        for number in 0..<200 {
            await park.say("line \(number)")
            world.time.advance(by: .milliseconds(5))
        }
        let first = try await world.bridge(park, "park", itemsMax: 64)
        try await world.eventually("all is published") { await world.broker.recordCount == 200 }
        let second = try await world.bridge(lake, "lake", itemsMax: 1_000)
        try await world.eventually("the newest have come") { await lake.ids.count >= 50 }
        try await world.eventually("both are complete") { await second.bridge.isComplete }
        #expect(await lake.ids.count <= 64)
        // An old line that comes late is carried, and not compared.
        let old = await park.say("too old", at: world.time.wallTime.milliseconds - 86_400_000, days: 365)
        try await world.eventually("it has come") { await lake.ids.contains(old.id) }
        for bridge in [first, second] { try await bridge.end() }
        #expect(try world.comparedCount("park") <= 64)
    }
}
