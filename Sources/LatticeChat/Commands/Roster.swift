import LatticeAPI
package import LatticeCore
import OrderedCollections

/// Who goes by which name, as far as this front has heard; keeps people of one name apart.
package struct Roster: Sendable {
    /// As many as the mesh keeps presences of.
    package static let peersMax = 4_096

    /// Behind the name of whoever's key was verified.
    package static let verifiedMark = " ✓"

    private let me: PeerID
    private let verifiedMark: String
    package var verified: Set<PeerID> = []
    /// What this person calls others, who can be typed so.
    package var petnames: [PeerID: PeerName] = [:]
    private var names: OrderedDictionary<PeerID, PeerName> = [:]
    /// Who goes by a name that looks like this.
    private var holders: [String: Set<PeerID>] = [:]
    /// Who went by such a name before, whether they are here or not.
    private var remembered: [String: Set<PeerID>] = [:]
    private var rememberedCount = 0

    package init(me: PeerID, name: PeerName, verifiedMark: String = Roster.verifiedMark) {
        self.me = me
        self.verifiedMark = verifiedMark
        set(me, name)
    }

    package mutating func set(_ peer: PeerID, _ name: PeerName) {
        guard names[peer] != name else { return }
        remove(peer)
        if names.count >= Self.peersMax, let oldest = names.keys.first(where: { $0 != me }) { remove(oldest) }
        names[peer] = name
        holders[name.skeleton, default: []].insert(peer)
    }

    /// Somebody who was heard of and need not be here: known from now on if nobody has to be forgotten for it.
    package mutating func note(_ peer: PeerID, _ name: PeerName) {
        guard names[peer] == nil, names.count < Self.peersMax else { return }
        set(peer, name)
    }

    /// Whoever has a name that looks like this is told apart from them from now on.
    package mutating func remember(_ peer: PeerID, _ name: PeerName) {
        guard rememberedCount < 2 * Self.peersMax else { return }
        if remembered[name.skeleton, default: []].insert(peer).inserted { rememberedCount += 1 }
    }

    package mutating func remove(_ peer: PeerID) {
        guard let name = names.removeValue(forKey: peer) else { return }
        let skeleton = name.skeleton
        holders[skeleton]?.remove(peer)
        if holders[skeleton]?.isEmpty == true { holders[skeleton] = nil }
    }

    package func name(of peer: PeerID) -> PeerName? { names[peer] }

    /// The name made safe for a screen, with the short id where the name alone is ambiguous.
    package func shown(_ peer: PeerID, _ name: PeerName) -> String {
        let skeleton = name.skeleton
        let alike = holders[skeleton, default: []].union(remembered[skeleton, default: []])
        let safe = DisplayText.isolated(name.withoutMarks)
        let mark = verified.contains(peer) ? verifiedMark : ""
        return (alike.subtracting([peer]).isEmpty ? safe : "\(safe)#\(peer.short)") + mark
    }

    /// What a person can type for somebody: other people's names, in the order they came.
    package var typed: [String] { typed(besides: nil) }

    /// The same of two rosters, where names that are shared between them are told apart.
    package func typed(besides others: Roster?) -> [String] {
        let taken = Set(petnames.values.map(\.text))
        return everybody(besides: others).filter { $0.peer != me }.flatMap { peer, name in
            let skeleton = name.skeleton
            let alike = holders[skeleton, default: []].union(others?.holders[skeleton] ?? [])
            let own = petnames[peer].map { [$0.text] } ?? []
            if own == [name.text] { return own }
            let isShared = alike.count > 1 || taken.contains(name.text)
            return own + [isShared ? "\(name.text)#\(peer.short)" : name.text]
        }
    }

    private func everybody(besides others: Roster?) -> [(peer: PeerID, name: PeerName)] {
        let strangers = others?.names.elements.filter { names[$0.key] == nil } ?? []
        return (names.elements + strangers).map { ($0.key, $0.value) }
    }

    /// Who is meant by a typed name.
    package enum Meaning: Hashable, Sendable {
        case one(PeerID)
        /// Nobody; perhaps this one was meant.
        case nobody(nearest: String?)
        /// Several people; each can be typed so.
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
        default: return .several(found.map { "\($0.name?.text ?? "")#\($0.id.short)" })
        }
    }

    func meant(by typed: String, besides others: Roster? = nil) -> [KnownPerson] {
        Naming.meant(
            by: typed,
            among: everybody(besides: others).map { peer, name in
                KnownPerson(id: peer, name: name, petname: petnames[peer])
            })
    }
}
