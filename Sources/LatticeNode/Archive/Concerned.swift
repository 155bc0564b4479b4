import LatticeAPI
import LatticeCore
import LatticeWire
import OrderedCollections

/// The posts, comments, events and people that some records affect, each once and in the order of the records.
struct Concerned {
    private var itemKinds: OrderedDictionary<RecordID, [ItemChange.Kind]> = [:]
    private var personKinds: OrderedDictionary<PeerID, [PersonChange.Kind]> = [:]
    /// There are more than can be reported one by one.
    private(set) var isMany = false

    init(by records: some Sequence<VerifiedRecord>) {
        for record in records where !isMany { add(record) }
    }

    /// Their parents are not known here.
    var items: [ItemChange] { itemKinds.map { ItemChange($0, $1) } }
    var people: [PersonChange] { personKinds.map { PersonChange($0, $1) } }

    private mutating func add(_ record: VerifiedRecord) {
        switch record.kind {
        case .like: note(.like, on: record)
        case .comment: note(.comment, on: record)
        case .edit: note(.edit, on: record)
        case .deletion: note(.deletion, on: record)
        case .attendance: note(.attendance, on: record)
        case .profile: note(.profile, of: record.author)
        case .residence: note(.host, of: record.author)
        case .card: note(.card, of: record.author)
        case .follow:
            note(.follow, of: record.author)
            if let followed = Bytes32(record.record.topic) { note(.follow, of: PeerID(followed)) }
        default: return  // A new item changes no other item, and a line is delivered by itself.
        }
        isMany = itemKinds.count > FeedChanges.eachMax || personKinds.count > FeedChanges.eachMax
    }

    private mutating func note(_ kind: ItemChange.Kind, on record: VerifiedRecord) {
        guard let id = Bytes32(record.record.topic) else { return }
        itemKinds[RecordID(id), default: []].add(kind)
    }

    private mutating func note(_ kind: PersonChange.Kind, of peer: PeerID) {
        personKinds[peer, default: []].add(kind)
    }
}

extension Array where Element: Hashable & CaseIterable {
    /// Adds it once, in the order of `allCases`.
    fileprivate mutating func add(_ element: Element) {
        guard !contains(element) else { return }
        append(element)
        self = Element.allCases.filter(contains)
    }
}
