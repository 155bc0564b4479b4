import DequeModule
import LatticeAPI
package import LatticeCore

/// The names of people, as far as this front knows; tells people with the same name apart.
///
/// Adding or showing a person takes a constant number of look-ups, however many share a name.
package struct Roster: Sendable {
    /// The mesh keeps as many presences.
    package static let peersMax = 4_096

    /// Follows the name of a person whose key was verified.
    package static let verifiedMark = " ✓"

    private struct Entry {
        let name: PeerName
        let skeleton: String
        /// The order in which people came.
        let number: Int
    }

    private let me: PeerID
    private let verifiedMark: String
    package var verified: Set<PeerID> = []
    /// Petnames that I gave; they can be typed as names.
    package var petnames: [PeerID: PeerName] = [:]
    private var entries: [PeerID: Entry] = [:]
    /// Order of arrival. Entries of people who left or were renamed stay here with an outdated number.
    private var order: Deque<(peer: PeerID, number: Int)> = []
    private var nextNumber = 0
    /// Present people by name skeleton.
    private var holders = Namesakes<PeerID>()
    /// People known from earlier by name skeleton, present or not.
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

    /// Adds somebody who was mentioned and need not be here, unless that would evict somebody.
    package mutating func note(_ peer: PeerID, _ name: PeerName) {
        guard entries[peer] == nil, entries.count < Self.peersMax else { return }
        set(peer, name)
    }

    /// Remembers this person's name: from now on others with a name that looks alike are shown with their short ids.
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

    /// The name made safe for a screen, with the short id if the name alone is ambiguous.
    package func shown(_ peer: PeerID, _ name: PeerName) -> String {
        let entry = entries[peer].flatMap { $0.name == name ? $0 : nil }
        let skeleton = entry?.skeleton ?? name.skeleton
        let isShared = holders.hasOthers(than: peer, skeleton) || remembered.hasOthers(than: peer, skeleton)
        let safe = DisplayText.isolated(name.withoutMarks)
        let mark = verified.contains(peer) ? verifiedMark : ""
        return (isShared ? "\(safe)#\(peer.short)" : safe) + mark
    }

    /// What can be typed to name each person except me, in the order in which they came.
    package var typed: [String] { typed(besides: nil) }

    /// The same for two rosters together; names that appear in both get short ids.
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

    /// How many people an ambiguous name lists: nobody reads more.
    private static let severalMax = 8

    /// The result of looking up a typed name.
    package enum Meaning: Hashable, Sendable {
        case one(PeerID)
        /// No match; `nearest` is the closest name.
        case nobody(nearest: String?)
        /// The first few people who match, each as it can be typed.
        case several([String])
    }

    /// Looks up a name by the rules of `Naming`, which all commands share.
    ///
    /// - Parameter others: another roster to search as well.
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
