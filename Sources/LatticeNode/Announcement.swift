import LatticeCore
import LatticeCrypto
import LatticeDiscovery

/// What mDNS tells of us, and which announcements are of our mesh.
///
/// Of a closed mesh it tells nothing but a port: the name and the id are a number drawn at each start, the tag changes
/// every day, and only who has the key can tell that it is of this mesh. Clocks may differ by a day.
struct Announcement: Sendable {
    private static let dayMilliseconds: Int64 = 86_400_000

    private let key: MeshKey?
    private let alias = PeerPrefix(SecureRandom.word())
    /// The tag that was announced last.
    private var tag: UInt32?
    /// Somebody of another mesh was sighted, and people were told.
    private var hasToldOfStrangers = false

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
                meshTag: Digest.meshTag(configuration.mesh), port: port)
        }
        let today = key.announcedTag(day: Self.day(of: time))
        tag = today
        return Advertisement(name: Self.name(of: alias), peer: alias, meshTag: today, port: port)
    }

    /// - Returns: the tag to announce from now on, if a new day has come.
    mutating func newTag(at time: WallTime) -> UInt32? {
        guard let key else { return nil }
        let today = key.announcedTag(day: Self.day(of: time))
        guard today != tag else { return nil }
        tag = today
        return today
    }

    /// What announcements of this mesh may carry now; a closed one has another every day, and clocks may differ by one.
    func tags(of mesh: UInt32, at time: WallTime) -> [UInt32] {
        guard let key else { return [mesh] }
        let today = Self.day(of: time)
        return (today - 1...today + 1).map { key.announcedTag(day: $0) }
    }

    /// - Returns: what the mesh is to know of a sighting; `nil` if it is not of this closed mesh.
    func recognised(_ sighting: Sighting, at time: WallTime) -> Sighting? {
        guard isClosed else { return sighting }
        guard let tag = sighting.meshTag, tags(of: 0, at: time).contains(tag) else { return nil }
        return masked(sighting)
    }

    /// The same sighting whatever the day's tag is.
    func masked(_ sighting: Sighting) -> Sighting {
        guard isClosed else { return sighting }
        return Sighting(
            source: sighting.source, peer: nil, name: nil, meshTag: nil, address: sighting.address,
            alias: sighting.peer)
    }

    /// - Returns: whether to tell of a stranger: the first time in a closed mesh.
    mutating func isFirstStranger() -> Bool {
        guard isClosed, !hasToldOfStrangers else { return false }
        hasToldOfStrangers = true
        return true
    }

    private static func day(of time: WallTime) -> Int64 {
        // Rounded down before 1970, too.
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
