import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeBridge

/// Strangers at a broker that anybody may use.
struct LiveHostileTests {
    private static let key = Bytes32([UInt8](repeating: 7, count: 32))

    /// Somebody who knows all topics, and is no bridge.
    private struct Stranger {
        let world: LiveWorld
        let id = LiveBridgeID(rawValue: 0xBAD)

        func topics(of name: String) async throws -> LiveTopics { try #require(await world.broker.topics(of: name)) }

        func say(_ content: LiveNote.Content, on topic: String) async {
            await world.broker.insert(world.wrapping.message(of: LiveNote(from: id, content), on: topic))
        }
    }

    private func pair(_ world: LiveWorld) async throws -> (sites: [FakeSite], bridges: [RunningBridge]) {
        let sites = [FakeSite(1, world.time), FakeSite(2, world.time)]
        let bridges = try await [world.bridge(sites[0], "park"), world.bridge(sites[1], "lake")]
        await sites[0].say("line")
        try await world.areEqual(sites, count: 1)
        return (sites, bridges)
    }

    @Test(arguments: [nil, Self.key]) func rubbishIsDroppedAndCounted(key: Bytes32?) async throws {
        let world = try LiveWorld(key: key)
        let (sites, bridges) = try await pair(world)
        let topics = try await Stranger(world: world).topics(of: "lake")
        var random = SeededGenerator(seed: 5)
        var count = 0
        for topic in [topics.records(key: "0"), topics.records(key: "z"), topics.greetings] + topics.kept.dropFirst() {
            for size in [0, 1, 2, 9, 17, 40, 600, 60_001, 61_441, 200_000] {
                for version in [UInt8(0), 1, 2, 3, 255] {
                    var payload = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                    if size > 0 { payload[0] = version }
                    await world.broker.insert(LiveMessage(topic: topic, payload: payload))
                    count += 1
                }
            }
        }
        await sites[0].say("after all that")
        try await world.areEqual(sites, count: 2)
        #expect(await bridges[1].status.taken.refused >= count - 10, "by chance some are well formed")
        for bridge in bridges { try await bridge.end() }
    }

    @Test(arguments: [nil, Self.key]) func whatIsReplayedHasNoEffect(key: Bytes32?) async throws {
        let world = try LiveWorld(key: key)
        let (sites, bridges) = try await pair(world)
        for number in 0..<20 { await sites[number % 2].say("line \(number)") }
        try await world.areEqual(sites, count: 21)
        try await world.pass(.seconds(10))
        let (puts, records) = (await sites[1].puts, await world.broker.recordCount)
        for _ in 0..<5 { await world.broker.replay() }
        await sites[0].say("after all that")
        try await world.areEqual(sites, count: 22)
        try await world.pass(.seconds(10))
        let again = await sites[1].puts
        #expect(puts.allSatisfy { again[$0.key] == $0.value }, "the node is not asked again")
        #expect(await world.broker.recordCount <= records + 21, "nothing is published again but by a question")
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whatIsForgedIsRefusedByTheNode() async throws {
        let world = try LiveWorld()
        let (sites, bridges) = try await pair(world)
        let topics = try await Stranger(world: world).topics(of: "lake")
        var bytes = await sites[0].say("true").signed.bytes
        bytes[bytes.count - 1] ^= 1
        let id = RecordID(Digest.blake2b256(bytes))
        let before = await bridges[1].status.taken.refused
        await world.broker.insert(world.wrapping.message(of: bytes, id: id, on: topics))
        try await world.eventually("it is counted") { await bridges[1].status.taken.refused == before + 1 }
        try await world.areEqual(sites, count: 2)
        for bridge in bridges { try await bridge.end() }
    }

    @Test func aBridgeThatClaimsMuchAndGivesNothingDelaysNobodyForLong() async throws {
        let world = try LiveWorld()
        let stranger = Stranger(world: world)
        let (sites, bridges) = try await pair(world)
        await world.broker.join("stranger", LiveTopics(tag: world.wrapping.tag, me: stranger.id))
        let port = FakeLivePort(broker: world.broker, name: "stranger")
        let claims = ReconciliationSet(
            (0..<5_000).compactMap { number in
                ReconciliationItem(
                    timestamp: UInt64(number), id: Digest.blake2b256([UInt8(number >> 8), UInt8(number & 255)]))
            })
        let topics = LiveTopics(tag: world.wrapping.tag, me: stranger.id)
        let liar = Task {
            var answerer = LiveAnswerer()
            while !Task.isCancelled {
                for case .message(let message) in try await port.next()
                where topics.place(of: message.topic) == .questions {
                    guard let note = world.wrapping.note(in: message) else { continue }
                    let answers = topics.answers(to: note.from)
                    switch note.content {
                    case .compare(let question):
                        let answer = answerer.compare(question, from: note.from, claims, from: 0, at: world.time.now)
                        if let answer { await stranger.say(answer, on: answers) }
                    case .want(let session, let number, _):
                        await stranger.say(.served(session: session, number: number), on: answers)
                    default: break
                    }
                }
            }
        }
        for _ in 0..<20 {
            await stranger.say(.here(isNew: true, LiveSummary(claims)), on: topics.greetings)
            let lake = try await stranger.topics(of: "lake").kept[1]
            await stranger.say(.lacking(session: 1), on: lake)
            try await world.pass(.seconds(3))
        }
        await world.broker.leave("lake", isForgotten: true)
        for number in 0..<30 { await sites[0].say("line \(number)") }
        try await world.eventually("it is published") { await world.broker.recordCount >= 31 }
        await world.broker.rejoin("lake")
        try await world.areEqual(sites, count: 31)
        #expect(await sites[1].puts.count <= 31, "nothing of it reached the node")
        liar.cancel()
        for bridge in bridges { try await bridge.end() }
    }

    @Test func whoAsksForEverythingAgainAndAgainIsAnsweredSlowly() async throws {
        let world = try LiveWorld()
        let stranger = Stranger(world: world)
        let (sites, bridges) = try await pair(world)
        for number in 0..<400 { await sites[0].say("line \(number)") }
        try await world.areEqual(sites, count: 401)
        let all = await sites[0].ids.map(\.hash)
        let questions = try await stranger.topics(of: "park").kept[1]
        let (start, before) = (world.time.now, await world.broker.recordCount)
        for session in 0..<UInt64(200) {
            await stranger.say(.want(session: session, number: 2, ids: all), on: questions)
        }
        try await world.pass(.seconds(4))
        let seconds = Int64((world.time.now - start).components.seconds) + 1
        #expect(Int64(await world.broker.recordCount - before) <= 2_000 * seconds + 512)
        for bridge in bridges { try await bridge.end() }
    }
}
