import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

@Suite struct WantedTests {
    /// What each id should be, kept without any thrift.
    private struct Model {
        var sources: [RecordID: Set<SourceSlot>] = [:]
        var asked: [RecordID: SourceSlot] = [:]
        var arrived: Set<RecordID> = []

        mutating func drop(_ slot: SourceSlot, of id: RecordID) {
            asked[id] = nil
            sources[id]?.remove(slot)
            if sources[id]?.isEmpty == true { forget(id) }
        }

        mutating func forget(_ id: RecordID) {
            sources[id] = nil
            asked[id] = nil
            arrived.remove(id)
        }

        mutating func abandon(_ slot: SourceSlot) {
            for id in Array(sources.keys) {
                if asked[id] == slot { asked[id] = nil }
                sources[id]?.remove(slot)
                let isHeld = arrived.contains(id) || asked[id] != nil
                if sources[id]?.isEmpty == true, !isHeld { forget(id) }
            }
        }
    }

    private func opened(_ wanted: inout Wanted, _ links: Range<UInt64>) -> [SourceSlot] {
        links.compactMap { wanted.open(LinkID(rawValue: $0)) }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func whateverHappensEveryIDIsAskedOfOneThatHasItAndOfOneAtATime(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var wanted = Wanted()
        var model = Model()
        var slots: [SourceSlot] = []
        var lastLink: UInt64 = 0
        var now = Instant.zero
        let ids = try Fixture.ids(0..<400)
        for _ in 0..<4_000 {
            now = now.advanced(by: .milliseconds(1))
            let id = try #require(ids.randomElement(using: &generator))
            let slot = slots.randomElement(using: &generator)
            switch (Int.random(in: 0..<20, using: &generator), slot) {
            case (0, _) where slots.count < 6:
                lastLink += 1
                slots += opened(&wanted, lastLink..<lastLink + 1)
            case (1, let slot?) where Int.random(in: 0..<10, using: &generator) == 0:
                wanted.close(slot)
                model.abandon(slot)
                slots.removeAll { $0 == slot }
            case (2, let slot?) where Int.random(in: 0..<5, using: &generator) == 0:
                wanted.abandon(slot)
                model.abandon(slot)
            case (3...7, let slot?):
                let isNoted = wanted.note(id, at: slot)
                #expect(isNoted)
                if model.sources[id, default: []].count < MeshLimit.sourcesMax {
                    model.sources[id, default: []].insert(slot)
                }
            case (8...11, let slot?):
                for id in wanted.ask(slot, at: now) {
                    #expect(model.asked[id] == nil && !model.arrived.contains(id))
                    #expect(model.sources[id]?.contains(slot) == true)
                    model.asked[id] = slot
                }
            case (12...15, let slot?):
                guard let owed = model.asked.filter({ $0.value == slot }).keys.min() else { continue }
                if Bool.random(using: &generator) {
                    let answer = wanted.served(owed, bytes: 9, groups: [], by: slot, at: now)
                    #expect(answer == .taken)
                    model.asked[owed] = nil
                    model.arrived.insert(owed)
                } else {
                    let answer = wanted.lacked(owed, by: slot, at: now)
                    #expect(answer == .taken)
                    model.drop(slot, of: owed)
                }
            case (16, _):
                let arrival = wanted.settle(id)
                #expect((arrival != nil) == (model.sources[id] != nil))
                model.forget(id)
            case (17, _) where model.arrived.contains(id):
                let from = wanted.refetch(id)?.from
                model.arrived.remove(id)
                if let from { model.sources[id]?.remove(from) }
                if model.sources[id]?.isEmpty == true { model.forget(id) }
            default: break
            }
            #expect(wanted.count == model.sources.count)
            #expect(wanted.arrivedCount == model.arrived.count)
        }
        for id in ids { #expect((wanted.state(of: id) != nil) == (model.sources[id] != nil)) }
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func whatIsAnsweredComesToItsEnd(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var wanted = Wanted()
        let slots = opened(&wanted, 0..<4)
        for id in try Fixture.ids(0..<3_000) {
            for slot in slots.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)) {
                _ = wanted.note(id, at: slot)
            }
        }
        var rounds = 0
        while !wanted.isEmpty, rounds < 1_000 {
            rounds += 1
            for slot in slots {
                for id in wanted.ask(slot, at: .zero) {
                    if Int.random(in: 0..<4, using: &generator) == 0 {
                        _ = wanted.lacked(id, by: slot, at: .zero)
                    } else {
                        _ = wanted.served(id, bytes: 9, groups: [], by: slot, at: .zero)
                        _ = wanted.settle(id)
                    }
                }
            }
        }
        #expect(wanted.isEmpty && wanted.arrivedCount == 0 && wanted.nextDeadline == nil)
        #expect(slots.allSatisfy { wanted.announcedCount($0) == 0 })
    }

    @Test func atMost64LinksHaveRecordsForUs() throws {
        var wanted = Wanted()
        let slots = opened(&wanted, 0..<70)
        #expect(slots.map(\.index) == Array(0..<SourceSlot.countMax))
        wanted.close(slots[5])
        #expect(opened(&wanted, 99..<100) == [slots[5]])
        #expect(wanted.share == MeshLimit.wantedPerLinkMin)
    }

    @Test func fourLinksAreRememberedForAnID() throws {
        var wanted = Wanted()
        let id = try Fixture.id(1)
        let slots = opened(&wanted, 0..<5)
        for slot in slots {
            let isNoted = wanted.note(id, at: slot)
            #expect(isNoted)
        }
        for slot in slots.prefix(4) {
            let asked = wanted.ask(slot, at: .zero)
            #expect(asked == [id])
            _ = wanted.lacked(id, by: slot, at: .zero)
        }
        #expect(wanted.isEmpty)
        let asked = wanted.ask(slots[4], at: .zero)
        #expect(asked.isEmpty)
    }

    @Test func whatIsDeclinedIsRememberedForAnHourAndTheOldestIsForgottenFirst() throws {
        var set = TimedSet<Int>(countMax: 3, lifetime: .seconds(10))
        for number in 1...4 { set.insert(number, at: .zero.advanced(by: .seconds(Int64(number)))) }
        let at = Instant.zero.advanced(by: .seconds(4))
        #expect((1...4).map { set.contains($0, at: at) } == [false, true, true, true])
        #expect(!set.contains(2, at: .zero.advanced(by: .seconds(12))))
        set.insert(9, at: .zero.advanced(by: .seconds(13)))
        #expect(set.count == 2)
    }
}
