import Lattice
import Testing

@testable import LatticeTesting

/// Unreliable messages are lost as the seed decides; reliable ones are not.
@Suite(.timeLimit(.minutes(10))) struct LossTests {
    private func conditions(_ perMille: Int) -> InMemoryNetwork.Conditions {
        InMemoryNetwork.Conditions(datagramLossPerMille: perMille)
    }

    /// Sends numbered datagrams one by one, then a reliable message.
    ///
    /// - Returns: for each that went over the link, whether it came.
    private func fates(seed: UInt64, perMille: Int, count: Int) async throws -> [Bool] {
        let network = InMemoryNetwork(seed: seed, conditions: conditions(perMille))
        var fates: [Bool] = []
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            // A peer that is not connected yet drops what comes.
            try await Meeting.complete(sessions)
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            // A machine that stops for half a second makes one too old for the link.
            var handedOver: [Int] = []
            for number in 0..<count {
                try await ada.send([UInt8(number)], to: [peer], mode: .unreliable)
                let before = UInt64(handedOver.count)
                while true {
                    let now = ada.datagramStatistics
                    if now.sent > before { handedOver.append(number) }
                    if now.sent + now.droppedOld > UInt64(number) { break }
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            try await ada.send([255], to: [peer])
            var came: Set<Int> = []
            var isCounted = false
            for await message in bob.received {
                if message.mode == .unreliable { came.insert(Int(message.bytes[0])) }
                // It follows all datagrams on the link, so all that come are counted.
                if message.mode == .reliable { isCounted = true }
                if isCounted, bob.datagramStatistics.received == UInt64(came.count) { break }
            }
            fates = handedOver.map(came.contains)
        }
        return fates
    }

    @Test(arguments: [0, 300, 1_000]) func datagramsAreLostAtTheGivenRate(perMille: Int) async throws {
        let fates = try await fates(seed: 21, perMille: perMille, count: 200)
        var dice = InMemoryDice(seed: 21)
        let direction = InMemoryDirection(from: 1, to: 2)
        #expect(fates == fates.map { _ in !dice.losesDatagram(direction, perMille: perMille) })
        #expect(!fates.isEmpty)
    }

    @Test func oneSeedLosesTheSameDatagramsAndAnotherOneOthers() async throws {
        let first = try await fates(seed: 22, perMille: 500, count: 60)
        let second = try await fates(seed: 22, perMille: 500, count: 60)
        let other = try await fates(seed: 23, perMille: 500, count: 60)
        let count = min(first.count, second.count, other.count)
        #expect(first.prefix(count) == second.prefix(count))
        #expect(first.prefix(count) != other.prefix(count))
    }

    @Test func reliableMessagesAllComeThoughEachDatagramIsLost() async throws {
        let network = InMemoryNetwork(seed: 24, conditions: conditions(1_000))
        try await Meeting.of(["ada", "bob"], on: network) { sessions in
            let (ada, bob) = (sessions[0], sessions[1])
            let peer = try await Meeting.peer(bob, of: ada)
            for number in 0..<100 as Range<UInt8> {
                try await ada.send([number], to: [peer], mode: .unreliable)
                try await ada.send([number], to: [peer])
            }
            for number in 0..<100 as Range<UInt8> {
                let message = try await Meeting.next(bob)
                #expect(message.bytes == [number] && message.mode == .reliable)
            }
            #expect(bob.datagramStatistics.received == 0)
        }
    }

    // MARK: - Dice

    @Test func theRateOfManyIsTheGivenOne() {
        var dice = InMemoryDice(seed: 25)
        let direction = InMemoryDirection(from: 3, to: 4)
        let lost = (0..<100_000).count { _ in dice.losesDatagram(direction, perMille: 50) }
        // Five thousand, and six times the standard deviation.
        #expect((4_586...5_414).contains(lost))
    }

    @Test func whatHappensInOneDirectionChangesNothingInAnother() {
        var (quiet, busy) = (InMemoryDice(seed: 26), InMemoryDice(seed: 26))
        let (one, other) = (InMemoryDirection(from: 1, to: 2), InMemoryDirection(from: 2, to: 1))
        let alone = (0..<50).map { _ in quiet.losesDatagram(one, perMille: 500) }
        let beside = (0..<50).map { _ in
            _ = busy.losesDatagram(other, perMille: 500)
            _ = busy.latency(one, in: 0...1_000)
            return busy.losesDatagram(one, perMille: 500)
        }
        #expect(alone == beside)
        #expect(alone != (0..<50).map { _ in quiet.losesDatagram(other, perMille: 500) })
    }
}
