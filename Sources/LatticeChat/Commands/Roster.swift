import DequeModule
import LatticeAPI
package import LatticeCore

/// Who goes by which name, as far as this front has heard; keeps people of one name apart.
///
/// However many share a name, to take in one person or to show one takes a constant number of look-ups.
package struct Roster: Sendable {
    /// As many as the mesh keeps presences of.
    package static let peersMax = 4_096

    /// Behind the name of a person whose key was verified.
    package static let verifiedMark = " ✓"

    private struct Entry {
        let name: PeerName
        let skeleton: String
        /// Counts people in the order in which they came.
        let number: Int
    }

    private let me: PeerID
    private let verifiedMark: String
    package var verified: Set<PeerID> = []
    /// What this person calls others, who can be typed so.
    package var petnames: [PeerID: PeerName] = [:]
    private var entries: [PeerID: Entry] = [:]
    /// Everybody in the order in which they came; people who left or changed their name since stand there with an old number.
    private var order: Deque<(peer: PeerID, number: Int)> = []
    private var nextNumber = 0
    /// Who goes by a name that looks like this.
    private var holders = Namesakes<PeerID>()
    /// Who went by such a name before, whether they are here or not.
    private var remembered = Namesakes<PeerID>()
    private var rememberedCount = 0

    package init(me: PeerID, name: PeerName, verifiedMark: String = Roster.verifiedMark) {
        self.me = me
        self.verifiedMark = verifiedMark
        set(me, name)
    }

    package mutating func set(_ peer: PeerID, _ name: PeerName) {
        guard entries[peer]?.name != name else { return }
        remove(peer)
        if entries.count >= Self.peersMax { removeOldest() }
        let entry = Entry(name: name, skeleton: name.skeleton, number: nextNumber)
        nextNumber += 1
        entries[peer] = entry
        order.append((peer, entry.number))
        holders.insert(peer, entry.skeleton)
        if order.count > 2 * Self.peersMax { order = Deque(order.filter(isCurrent)) }
    }

    /// Somebody who was heard of and need not be here: known from now on if nobody has to be forgotten for it.
    package mutating func note(_ peer: PeerID, _ name: PeerName) {
        guard entries[peer] == nil, entries.count < Self.peersMax else { return }
        set(peer, name)
    }

    /// From now on this person and others with a name that looks like this are shown with their short ids.
    package mutating func remember(_ peer: PeerID, _ name: PeerName) {
        guard rememberedCount < 2 * Self.peersMax else { return }
        if remembered.insert(peer, name.skeleton) { rememberedCount += 1 }
    }

    package mutating func remove(_ peer: PeerID) {
        guard let entry = entries.removeValue(forKey: peer) else { return }
        holders.remove(peer, entry.skeleton)
    }

    private mutating func removeOldest() {
        while let first = order.popFirst() {
            guard isCurrent(first) else { continue }
            guard first.peer == me else { return remove(first.peer) }
            order.append(first)
        }
    }

    private func isCurrent(_ place: (peer: PeerID, number: Int)) -> Bool {
        entries[place.peer]?.number == place.number
    }

    package func name(of peer: PeerID) -> PeerName? { entries[peer]?.name }

    /// The name made safe for a screen, with the short id where the name alone is ambiguous.
    package func shown(_ peer: PeerID, _ name: PeerName) -> String {
        let entry = entries[peer].flatMap { $0.name == name ? $0 : nil }
        let skeleton = entry?.skeleton ?? name.skeleton
        let isShared = holders.hasOthers(than: peer, skeleton) || remembered.hasOthers(than: peer, skeleton)
        let safe = DisplayText.isolated(name.withoutMarks)
        let mark = verified.contains(peer) ? verifiedMark : ""
        return (isShared ? "\(safe)#\(peer.short)" : safe) + mark
    }

    /// What a person can type for somebody: other people's names, in the order they came.
    package var typed: [String] { typed(besides: nil) }

    /// The same of two rosters, where names that are shared between them are told apart.
    package func typed(besides others: Roster?) -> [String] {
        let taken = Set(petnames.values.map(\.text))
        return everyEntry(besides: others).filter { $0.peer != me }.flatMap { peer, entry in
            let (name, skeleton) = (entry.name, entry.skeleton)
            let own = petnames[peer].map { [$0.text] } ?? []
            if own == [name.text] { return own }
            let isShared =
                taken.contains(name.text) || holders.hasOthers(than: peer, skeleton)
                || others?.holders.hasOthers(than: peer, skeleton) ?? false
            return own + [isShared ? "\(name.text)#\(peer.short)" : name.text]
        }
    }

    private func everyEntry(besides others: Roster?) -> [(peer: PeerID, entry: Entry)] {
        let strangers = others?.inOrder.filter { entries[$0.peer] == nil } ?? []
        return inOrder + strangers
    }

    private var inOrder: [(peer: PeerID, entry: Entry)] {
        order.compactMap { place in
            entries[place.peer].flatMap { $0.number == place.number ? (place.peer, $0) : nil }
        }
    }

    /// People that a front lists when a name is ambiguous: more than this nobody reads.
    private static let severalMax = 8

    /// Who is meant by a typed name.
    package enum Meaning: Hashable, Sendable {
        case one(PeerID)
        /// Nobody; perhaps this one was meant.
        case nobody(nearest: String?)
        /// Several people, the first of them; each can be typed so.
        case several([String])
    }

    /// Understands what every command does; see `Naming`.
    ///
    /// - Parameter others: who may be meant, too, though they are not in this one.
    package func meaning(of typed: String, besides others: Roster? = nil) -> Meaning {
        let found = meant(by: typed, besides: others)
        switch found.count {
        case 0:
            let wanted = typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
            return .nobody(nearest: Spelling.nearest(to: wanted, among: self.typed(besides: others)))
        case 1: return .one(found[0].id)
        default: return .several(found.prefix(Self.severalMax).map { "\($0.name?.text ?? "")#\($0.id.short)" })
        }
    }

    func meant(by typed: String, besides others: Roster? = nil) -> [KnownPerson] {
        Naming.meant(
            by: typed,
            among: everyEntry(besides: others).map { peer, entry in
                KnownPerson(id: peer, name: entry.name, petname: petnames[peer])
            })
    }
}
