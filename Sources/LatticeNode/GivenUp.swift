import Synchronization

/// Says, from wherever that is found out, that nobody waits any more.
final class GivenUp: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
    }
}
