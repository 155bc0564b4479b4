import GRDB
import LatticeCore
import LatticeWire

/// What every transaction needs of the file, kept in memory between them. It is read anew when another process has written, and
/// after a transaction that was rolled back.
final class CommitState {
    /// Some 400 kB.
    private static let peersMax = 4_096

    let owner: PeerID
    /// The owner's `peer.seq`.
    private(set) var ownerNumber: Int64 = 0
    var floors = Floors()
    var rule = KeepRule.everything
    /// The date of the newest own record, or of what was seen of others'.
    private(set) var clock: UInt64 = 0
    private var storedClock: UInt64 = 0
    /// Up to where the file is known.
    private(set) var mark = CatalogueMark(epoch: "", seq: 0, removal: 0)
    private var peers: [PeerID: Int64] = [:]
    /// Numbers of those whom the owner follows, once somebody asked.
    private var followed: Set<Int64>?
    /// The version of the file that all this is of; `nil` before it was read.
    private var version: Int64?

    init(owner: PeerID) {
        self.owner = owner
    }

    // MARK: In step with the file

    /// Inside the transaction, before anything else.
    func catchUp(in database: Database) throws {
        let current = try database.one("PRAGMA data_version", []) { $0.int(0) }
        if current != version { try load(from: database) }
        version = current
    }

    /// What the transaction changed did not come to pass.
    func forget() {
        version = nil
    }

    /// Reads everything anew.
    func load(from database: Database) throws {
        peers = [:]
        followed = nil
        floors = try Floors(database)
        rule = try KeepRule.stored(in: database)
        storedClock = try OwnClock.last(in: database)
        clock = storedClock
        ownerNumber = try peerNumberMade(owner, in: database)
        mark = try CatalogueMark(database)
    }

    /// Before the commit.
    func store(in database: Database) throws {
        guard clock > storedClock else { return }
        try OwnClock.set(clock, in: database)
        storedClock = clock
    }

    // MARK: Dates

    /// After any before it, and not before the wall clock.
    func nextDate(at wall: WallTime, notBefore: HybridTime) -> HybridTime {
        let fresh = max(HybridTime(wall: wall), notBefore).rawValue
        let (next, isAtItsEnd) = clock.addingReportingOverflow(1)
        clock = fresh > clock || isAtItsEnd ? fresh : next
        return HybridTime(rawValue: clock)
    }

    /// A record of this date was made, here or elsewhere.
    func pass(_ date: HybridTime) {
        clock = max(clock, date.rawValue)
    }

    // MARK: Keys

    func added(_ seq: Int64) {
        mark = CatalogueMark(epoch: mark.epoch, seq: max(mark.seq, seq), removal: mark.removal)
    }

    func removed(upTo number: Int64) {
        mark = CatalogueMark(epoch: mark.epoch, seq: mark.seq, removal: number)
    }

    // MARK: Peers

    /// Of a peer that something is kept of.
    func peerNumber(_ peer: PeerID, in database: Database) throws -> Int64? {
        if let known = peers[peer] { return known }
        let found = try database.one("SELECT seq FROM peer WHERE key = ?", [.key(peer.key)]) { $0.int(0) }
        if let found { remember(found, of: peer) }
        return found
    }

    @discardableResult
    func peerNumberMade(_ peer: PeerID, in database: Database) throws -> Int64 {
        if let known = try peerNumber(peer, in: database) { return known }
        try database.run("INSERT INTO peer (key) VALUES (?)", [.key(peer.key)])
        let made = database.lastInsertedRowID
        remember(made, of: peer)
        return made
    }

    private func remember(_ number: Int64, of peer: PeerID) {
        if peers.count >= Self.peersMax { peers = [:] }
        peers[peer] = number
    }

    /// No quota counts peers, so whoever left nothing is not kept, unless the owner follows them.
    func forget(author: Int64, in database: Database) throws {
        try database.run(
            """
            DELETE FROM peer WHERE seq = ?1 AND seq <> ?2 AND NOT EXISTS (
              SELECT 1 FROM reaction WHERE target = peer.key AND kind = 7 AND author = ?2 AND holds = 1)
            """, [.int(author), .int(ownerNumber)])
        guard database.changesCount > 0 else { return }
        // The number may be given to somebody else.
        peers = [:]
        floors.forget(author: author)
    }

    // MARK: Circles

    func circle(of author: Int64, in database: Database) throws -> AuthorCircle {
        if author == ownerNumber { return .own }
        let followed = try followed ?? Set(database.followed(by: owner, andSelf: false))
        self.followed = followed
        return followed.contains(author) ? .followed : .strangers
    }

    /// The owner follows somebody, or does no more.
    func followsChange(in database: Database) throws {
        followed = nil
        try floors.forgetSearches(in: database)
        try Settings.set(.aged, nil, in: database)
    }
}
