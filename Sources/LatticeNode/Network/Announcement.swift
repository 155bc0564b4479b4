import LatticeCore
import LatticeCrypto
import LatticeDiscovery

/// What mDNS announces about this node, and which announcements belong to its mesh.
///
/// A closed mesh announces only a port, and not what its owner wants to say about the node. Name and id are a number drawn at each start, the tag changes daily, and only
/// holders of the key recognise it. Clocks may differ by a day.
struct Announcement: Sendable {
    private static let dayMilliseconds: Int64 = 86_400_000

    private let key: MeshKey?
    private let alias = PeerPrefix(SecureRandom.word())
    private var tag: UInt32?
    /// A node of another mesh was sighted, and the user has been notified.
    private var hasReportedStrangers = false

    init(key: MeshKey?) {
        self.key = key
    }

    var isClosed: Bool { key != nil }

    mutating func advertisement(
        of configuration: NodeConfiguration, port: UInt16, at time: WallTime
    ) -> Advertisement {
        guard let key else {
            return Advertisement(
                name: configuration.name, peer: configuration.identity.peer.prefix,
                meshTag: Digest.meshTag(configuration.mesh), port: port, info: configuration.announced.info)
        }
        let today = key.announcedTag(day: Self.day(of: time))
        tag = today
        return Advertisement(name: Self.name(of: alias), peer: alias, meshTag: today, port: port)
    }

    /// - Returns: the tag to announce from now on, if a new day has begun.
    mutating func newTag(at time: WallTime) -> UInt32? {
        guard let key else { return nil }
        let today = key.announcedTag(day: Self.day(of: time))
        guard today != tag else { return nil }
        tag = today
        return today
    }

    /// Tags that announcements of this mesh may carry now. A closed mesh changes its tag daily; clocks may differ by a day.
    func tags(of mesh: UInt32, at time: WallTime) -> [UInt32] {
        guard let key else { return [mesh] }
        let today = Self.day(of: time)
        return (today - 1...today + 1).map { key.announcedTag(day: $0) }
    }

    /// - Returns: the sighting as the mesh sees it; `nil` if it is not of this closed mesh.
    func recognised(_ sighting: Sighting, at time: WallTime) -> Sighting? {
        guard isClosed else { return sighting }
        guard let tag = sighting.meshTag, tags(of: 0, at: time).contains(tag) else { return nil }
        return masked(sighting)
    }

    /// Makes sightings equal whatever the day's tag is.
    func masked(_ sighting: Sighting) -> Sighting {
        guard isClosed else { return sighting }
        return Sighting(
            source: sighting.source, peer: nil, name: nil, meshTag: nil, address: sighting.address,
            alias: sighting.peer)
    }

    /// - Returns: whether to report a stranger: true the first time, in a closed mesh.
    mutating func isFirstStranger() -> Bool {
        guard isClosed, !hasReportedStrangers else { return false }
        hasReportedStrangers = true
        return true
    }

    private static func day(of time: WallTime) -> Int64 {
        // Rounds down before 1970 as well.
        time.milliseconds >= 0
            ? time.milliseconds / dayMilliseconds : (time.milliseconds + 1) / dayMilliseconds - 1
    }

    private static func name(of alias: PeerPrefix) -> PeerName {
        do {
            return try PeerName(alias.description)
        } catch {
            preconditionFailure("sixteen digits are a name: \(error)")
        }
    }
}
