import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeNode
import Logging
import Testing

/// Data between programs, over real links.
@Suite(.timeLimit(.minutes(10))) struct DataTests {
    private let nodes = BareNodes(mesh: "data")

    /// Waits until there is a way; what is sent until then is refused.
    private func say(
        _ bytes: [UInt8], from node: Node, to peer: PeerID, retriesUnwanted: Bool = true
    ) async throws {
        try await eventually("a way to the other") {
            do {
                try await node.data.send(bytes, to: peer)
                try await node.data.flush(to: peer)
                return true
            } catch DataError.noRoute {
                return false
            } catch DataError.unwanted where retriesUnwanted {
                // A reader that has just begun may come after this.
                return false
            }
        }
    }

    private func message(_ number: Int) -> [UInt8] {
        [UInt8(number >> 16), UInt8(number >> 8 & 255), UInt8(number & 255)]
            + [UInt8](repeating: 7, count: number % 700)
    }

    @Test func neighboursHearEachOtherInOrderBothWaysAtOnce() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let (a, b) = (await alice.me.id, await bob.me.id)
            let (toAlice, toBob) = (try alice.data.received(), try bob.data.received())
            try await say([9], from: alice, to: b)
            try await say([8], from: bob, to: a)
            let messages = (0..<5_000).map(message)
            async let heardByBob = heard(toBob, messages.count + 1)
            async let heardByAlice = heard(toAlice, messages.count + 1)
            for message in messages {
                try await alice.data.send(message, to: b)
                try await bob.data.send(message, to: a)
            }
            try await alice.data.flush(to: b)
            try await bob.data.flush(to: a)
            let (theirs, ours) = (await heardByBob, await heardByAlice)
            let areSame = theirs.map(\.bytes) == [[9]] + messages && ours.map(\.bytes) == [[8]] + messages
            #expect(areSame)
            #expect(theirs.allSatisfy { $0.from == a && !$0.isRouted })
        }
    }

    @Test func whoeverIsFurtherOffHearsItOverThoseBetween() async throws {
        let middle = try await nodes.node("middle")
        let left = try await nodes.node("left", given: [middle], invitations: .none)
        let right = try await nodes.node("right", given: [middle], invitations: .none)
        try await nodes.running([left, middle, right]) {
            let (l, r) = (await left.me.id, await right.me.id)
            let (toLeft, toRight) = (try left.data.received(), try right.data.received())
            try await say([9], from: left, to: r)
            try await say([8], from: right, to: l)
            let messages = (0..<3_000).map(message)
            async let heardByRight = heard(toRight, messages.count + 1)
            for message in messages { try await left.data.send(message, to: r) }
            let theirs = await heardByRight
            let areSame = theirs.map(\.bytes) == [[9]] + messages
            #expect(areSame)
            #expect(theirs.allSatisfy { $0.from == l && $0.isRouted })
            #expect(await heard(toLeft, 1).first?.isRouted == true)
        }
    }

    @Test func whereNobodyTakesDataItsSenderIsToldOnce() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let b = await bob.me.id
            await #expect(throws: DataError.unwanted) {
                try await say([1], from: alice, to: b, retriesUnwanted: false)
            }
            let toBob = try bob.data.received()
            try await say([2], from: alice, to: b)
            // What was refused may come once more all the same, where its answer was slow.
            for await message in toBob where message.bytes == [2] { break }
        }
    }

    @Test func whoeverIsNotThereIsNoWay() async throws {
        let alice = try await nodes.node("alice")
        try await nodes.running([alice]) {
            let nobody = Identity.generate().peer
            try await alice.data.send([1], to: nobody)
            await #expect(throws: DataError.noRoute) { try await alice.data.flush(to: nobody) }
            await #expect(throws: DataError.tooLong(bytes: 60_001)) {
                try await alice.data.send([UInt8](repeating: 0, count: 60_001), to: nobody)
            }
        }
    }

    @Test func aReaderThatDoesNotReadHoldsItsSenderUpAndNothingIsLost() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        try await nodes.running([alice, bob]) {
            let b = await bob.me.id
            let toBob = try bob.data.received()
            try await say([1], from: alice, to: b)
            let count = 40
            let large = [UInt8](repeating: 5, count: 60_000)
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    // More than all that waits anywhere.
                    for _ in 0..<count { try await alice.data.send(large, to: b) }
                    return count
                }
                // Lines are heard all the same, and nobody takes the reader's place.
                #expect(throws: DataError.hasReader) { try bob.data.received() }
                _ = try await alice.perform(Say("hello", style: .says, room: try RoomName("#lobby")))
                _ = try await alice.perform(Flush(timeout: .seconds(600)))
                let all = await heard(toBob, count + 1)
                #expect(all.count == count + 1 && all.dropFirst().allSatisfy { $0.bytes == large })
                _ = try await group.next()
            }
        }
    }

    @Test func whenANodeEndsWhoeverReadsOrSendsIsTold() async throws {
        let alice = try await nodes.node("alice")
        var toAlice: ReceivedData? = try alice.data.received()
        try await nodes.running([alice]) { await alice.stop() }
        try await eventually("the end") {
            do {
                try await alice.data.send([1], to: Identity.generate().peer)
                return false
            } catch DataError.stopped {
                return true
            }
        }
        if let sequence = toAlice { #expect(await heard(sequence, 1).isEmpty) }
        toAlice = nil
    }

    private func heard(_ data: ReceivedData, _ count: Int) async -> [ReceivedData.Element] {
        var all: [ReceivedData.Element] = []
        for await message in data {
            all.append(message)
            if all.count == count { break }
        }
        return all
    }
}
