import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import Testing

@testable import LatticeNode

/// What mDNS shows of a closed mesh, and which announcements a peer takes as its own mesh.
struct AnnouncementTests {
    private static let day: Int64 = 86_400_000
    private static let noon = WallTime(milliseconds: 20_779 * day + day / 2)
    private let key = MeshKey(master: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
    private let address = PeerAddress(host: "192.0.2.1", port: 4_000)

    private func configuration(_ key: MeshKey?) throws -> NodeConfiguration {
        var configuration = NodeConfiguration(
            identity: .generate(), name: try PeerName("alice"), rooms: [], mesh: try MeshName("camp"))
        configuration.meshKey = key
        configuration.announced.info = try DiscoveryInfo(["role=kitchen"])
        return configuration
    }

    @Test func whatIsAnnouncedIsWhatLinksSpeak() {
        #expect(Advertisement.version == Int(NodeConfiguration.sessionVersion))
    }

    @Test func ofAClosedMeshNeitherNameNorIdIsTold() throws {
        let configuration = try configuration(key)
        var announcement = Announcement(key: key)
        let told = announcement.advertisement(of: configuration, port: 4_000, at: Self.noon)
        #expect(told.name.text == told.peer.description)
        #expect(told.peer != configuration.identity.peer.prefix)
        #expect(told.info.isEmpty)
        #expect(told.meshTag == key.announcedTag(day: 20_779))
        #expect(told.meshTag != Digest.meshTag(configuration.mesh))
        var another = Announcement(key: key)
        let next = another.advertisement(of: configuration, port: 4_000, at: Self.noon)
        #expect(next.peer != told.peer)
    }

    @Test func ofAnOpenMeshBothAre() throws {
        let configuration = try configuration(nil)
        var announcement = Announcement(key: nil)
        let told = announcement.advertisement(of: configuration, port: 4_000, at: Self.noon)
        #expect(told.name == configuration.name)
        #expect(told.info.pairs == ["role=kitchen"])
        #expect(told.peer == configuration.identity.peer.prefix)
        #expect(told.meshTag == Digest.meshTag(configuration.mesh))
        let newTag = announcement.newTag(at: Self.noon.later(by: Self.day))
        #expect(newTag == nil)
    }

    @Test func atMidnightTheTagChanges() throws {
        var announcement = Announcement(key: key)
        _ = announcement.advertisement(of: try configuration(key), port: 4_000, at: Self.noon)
        var tags: [UInt32?] = []
        for offset in [-1, 0, 1] as [Int64] {
            tags.append(announcement.newTag(at: Self.noon.later(by: Self.day / 2 + offset)))
        }
        #expect(tags == [nil, key.announcedTag(day: 20_780), nil])
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)] as [(Int64, Bool)])
    func clocksMayDifferByADay(days: Int64, isRecognised: Bool) {
        let tag = key.announcedTag(day: 20_779 + days)
        let ours = Announcement(key: key).recognised(sighting(tag), at: Self.noon)
        #expect((ours != nil) == isRecognised)
        #expect(ours?.peer == nil && ours?.meshTag == nil && ours?.name == nil)
        #expect(ours.map(\.alias) == (isRecognised ? .some(PeerPrefix(7)) : nil))
    }

    @Test func anOpenMeshTakesSightingsAsTheyAre() {
        let seen = sighting(1)
        #expect(Announcement(key: nil).recognised(seen, at: Self.noon) == seen)
        #expect(Announcement(key: nil).masked(seen) == seen)
    }

    @Test func aStrangerIsToldOfOnce() {
        var closed = Announcement(key: key)
        var open = Announcement(key: nil)
        let told = [closed.isFirstStranger(), closed.isFirstStranger(), open.isFirstStranger()]
        #expect(told == [true, false, false])
    }

    private func sighting(_ tag: UInt32) -> Sighting {
        Sighting(source: .system, peer: PeerPrefix(7), name: "0000000000000007", meshTag: tag, address: address)
    }
}

extension WallTime {
    fileprivate func later(by milliseconds: Int64) -> WallTime {
        WallTime(milliseconds: self.milliseconds + milliseconds)
    }
}
