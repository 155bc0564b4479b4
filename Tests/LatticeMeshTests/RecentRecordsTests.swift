import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

@Suite struct RecentRecordsTests {
    private func entry(_ fixture: inout Fixture, body: [UInt8] = [1]) throws -> RecentRecords.Entry {
        RecentRecords.Entry(
            record: try fixture.record(by: 9, body: body), timeToLive: 5, hops: 2, isStray: false, at: fixture.now,
            giver: 1)
    }

    @Test func aRecordIsFoundAsItCame() throws {
        var fixture = try Fixture()
        var recent = RecentRecords()
        let entries = [try entry(&fixture), try entry(&fixture)]
        for entry in entries { recent.insert(entry) }
        for entry in entries {
            let found = try #require(recent[entry.record.id])
            #expect(found.record == entry.record && found.timeToLive == 5 && found.hops == 2)
        }
        #expect(recent[try entry(&fixture).record.id] == nil)
    }

    @Test func theOldestGivesWayToOneTooMany() throws {
        var fixture = try Fixture()
        var recent = RecentRecords()
        var entries: [RecentRecords.Entry] = []
        for _ in 0...MeshLimit.recentMax {
            entries.append(try entry(&fixture))
            recent.insert(entries[entries.count - 1])
        }
        #expect(recent[entries[0].record.id] == nil)
        for entry in [entries[1], entries[entries.count - 1]] {
            #expect(recent[entry.record.id]?.record == entry.record)
        }
        #expect(recent.all.map(\.record.id) == entries.dropFirst().map(\.record.id))
    }

    @Test func theOldestGiveWayToTooManyBytes() throws {
        var fixture = try Fixture()
        var recent = RecentRecords()
        let body = [UInt8](repeating: 1, count: 50_000)
        for _ in 0..<500 { recent.insert(try entry(&fixture, body: body)) }
        let size = try #require(recent.all.first).record.signed.bytes.count
        #expect(recent.all.count == MeshLimit.recentBytesMax / size)
        // All the room is there again for small ones.
        for _ in 0..<MeshLimit.recentMax { recent.insert(try entry(&fixture)) }
        #expect(recent.all.count == MeshLimit.recentMax)
    }

    @Test func whatIsTooOldGivesWayToTheNext() throws {
        var fixture = try Fixture()
        var recent = RecentRecords()
        let old = try entry(&fixture)
        recent.insert(old)
        fixture.now = fixture.now.advanced(by: MeshLimit.recentAge)
        let young = try entry(&fixture)
        recent.insert(young)
        #expect(recent[old.record.id] != nil)
        fixture.now = fixture.now.advanced(by: .nanoseconds(1))
        let next = try entry(&fixture)
        recent.insert(next)
        #expect(recent.all.map(\.record.id) == [young.record.id, next.record.id])
    }

    @Test func aBetterWayTakesThePlaceOfTheFirst() throws {
        var fixture = try Fixture()
        var recent = RecentRecords()
        let entries = [try entry(&fixture), try entry(&fixture), try entry(&fixture)]
        for entry in entries { recent.insert(entry) }
        recent.came(entries[1].record.id, by: 7, hops: 1)
        recent.came(try entry(&fixture).record.id, by: 8, hops: 1)
        #expect(recent.all.map(\.giver) == [1, 7, 1] && recent.all.map(\.hops) == [2, 1, 2])
        #expect(recent.all.map(\.record.id) == entries.map(\.record.id))
    }

    @Test func whatIsFoundStaysRightWhenTheOldestAreGone() throws {
        var fixture = try Fixture()
        var recent = RecentRecords()
        recent.insert(try entry(&fixture))
        fixture.now = fixture.now.advanced(by: MeshLimit.recentAge + .nanoseconds(1))
        let entries = [try entry(&fixture), try entry(&fixture)]
        for entry in entries { recent.insert(entry) }
        recent.came(entries[0].record.id, by: 7, hops: 1)
        #expect(recent[entries[0].record.id]?.giver == 7 && recent[entries[1].record.id]?.giver == 1)
    }
}
