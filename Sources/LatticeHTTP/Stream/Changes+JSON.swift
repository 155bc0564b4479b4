import LatticeAPI
import LatticeCore

extension FeedChanges {
    /// If there are many changes, they are not listed.
    var json: JSON {
        [
            "items": .list(items.map(\.json)), "people": .list(people.map(\.json)), "many": isMany ? .flag(true) : nil,
        ]
    }
}

extension ItemChange {
    fileprivate var json: JSON {
        ["id": .text(item.hex), "about": .text(about?.hex), "kinds": .list(kinds.map { .text($0.rawValue) })]
    }
}

extension PersonChange {
    fileprivate var json: JSON {
        ["id": .text(peer.hex), "kinds": .list(kinds.map { .text($0.rawValue) })]
    }
}

extension [RecordID] {
    var sentJSON: JSON { ["ids": .list(map { .text($0.hex) })] }
}
