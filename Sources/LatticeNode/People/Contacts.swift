import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import OrderedCollections

/// Known people, and what the owner thinks of them: what is in their file, and what was learnt since it was read.
struct Contacts {
    enum Effect {
        /// These are blocked now.
        case blocked(Set<PeerID>, isMore: Bool)
        /// The presences of these are never held up because strangers send many.
        case trusted(Set<PeerID>)
        case contactMarks(ContactMarks)
        case notice(Notice)
        case unreadable(SystemError)
    }

    /// People who are here are saved this often, for their last-seen dates.
    private static let presenceInterval: Duration = .seconds(600)

    /// `nil` if nobody is remembered.
    private let book: PeopleBook?
    private let me: PeerID
    private let mesh: MeshName
    private var people = Acquaintances()
    private(set) var contactMarks = ContactMarks()
    /// The version of the file that was read.
    private var mark: FileMark?
    private var seenAt: Instant?
    private var hasReportedFailure = false

    init(_ book: PeopleBook?, of me: PeerID, in mesh: MeshName) {
        (self.book, self.me, self.mesh) = (book, me, mesh)
    }

    var known: KnownPeople { people.known }

    // MARK: The file

    /// Runs before the first link.
    mutating func start() -> [Effect] {
        guard let book else { return [] }
        do {
            let (damaged, effects) = try read(book)
            return effects + Self.damage(damaged, in: book)
        } catch {
            return [.notice(.peopleUnread(fault: FileFault(error, writing: book.path)))]
        }
    }

    /// Takes over the file's contents in one step: an answer that was awaited may be older than what was read meanwhile, and
    /// would bring back a lifted block.
    mutating func read() throws(SystemError) -> [Effect] {
        guard let book else { return [] }
        return try read(book).effects
    }

    private mutating func read(_ book: PeopleBook) throws(SystemError) -> (damaged: Int, effects: [Effect]) {
        mark = book.mark
        let page = try book.read()
        people.read(page.known)
        return (page.damagedLines, changes())
    }

    private mutating func changes() -> [Effect] {
        var effects: [Effect] = []
        let now = ContactMarks(known.all, muted: known.muted(in: mesh))
        if now != contactMarks {
            if now.blocked != contactMarks.blocked {
                effects.append(.blocked(now.blocked, isMore: !now.blocked.isSubset(of: contactMarks.blocked)))
            }
            contactMarks = now
            effects.append(.contactMarks(now))
        }
        if let trusted = people.takeTrusted() { effects.append(.trusted(trusted)) }
        return effects
    }

    /// Called once a second: reads what another process of this person wrote.
    mutating func look(at now: Instant) -> [Effect] {
        guard let book else { return [] }
        var effects: [Effect] = []
        if book.mark != mark {
            do {
                effects = try read(book).effects
            } catch {
                effects = [.unreadable(error)]
            }
        }
        return effects + people.summaries(at: now).map { .notice($0) }
    }

    // MARK: Saving

    /// Whether to note now who is here.
    mutating func notesPresent(at now: Instant) -> Bool {
        guard book != nil, seenAt.map({ $0.duration(to: now) >= Self.presenceInterval }) ?? true else { return false }
        seenAt = now
        return true
    }

    /// Whether to save now who was met.
    mutating func saves(at now: Instant) -> Bool {
        guard people.savedAt.map({ $0.duration(to: now) >= saveInterval }) ?? true else { return false }
        people.savedAt = now
        return true
    }

    /// Writing takes longer as the file grows: 1 s with few people, 10 s at most.
    private var saveInterval: Duration {
        .milliseconds(1_000 + 9_000 * known.count / KnownLimit.peopleMax)
    }

    typealias Batch = OrderedDictionary<PeerID, Acquaintances.Met>

    /// - Returns: `nil` if nobody was met since.
    mutating func takeUnsaved() -> (book: PeopleBook, batch: Batch)? {
        guard let book, !people.unsaved.isEmpty else { return nil }
        return (book, people.takeUnsaved())
    }

    /// - Returns: the notice, once.
    mutating func couldNotSave(_ batch: Batch, _ error: any Error) -> [Effect] {
        people.putBack(batch)
        guard !hasReportedFailure else { return [] }
        hasReportedFailure = true
        return [.notice(.peopleUnsaved(reason: (error as? SystemError)?.description ?? "\(error)"))]
    }

    static func damage(_ lines: Int, in book: PeopleBook) -> [Effect] {
        guard lines > 0 else { return [] }
        return [.notice(.peopleDamaged(lines: lines, path: book.path, movedTo: book.damagedPath))]
    }

    // MARK: Who comes and goes

    /// A peer uses this name, by its own signature or handshake.
    ///
    /// - Returns: what to report.
    mutating func met(_ peer: PeerID, _ name: PeerName, at now: WallTime, _ instant: Instant) -> [NodeEvent] {
        guard book != nil, peer != me else { return [] }
        return people.met(peer, name, at: now, instant)
    }

    /// - Returns: whether a notice counts it with others instead.
    mutating func linkChanged(_ peer: PeerID, _ state: LinkState, at now: Instant) -> Bool {
        people.linkChanged(peer, state, at: now)
    }

    /// - Returns: the same as for a link.
    mutating func presenceChanged(_ peer: PeerID, isHere: Bool, at now: Instant) -> Bool {
        people.presenceChanged(peer, isHere: isHere, at: now)
    }
}
