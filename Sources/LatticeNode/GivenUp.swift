import Synchronization

/// Reports, from any thread, that nobody waits any longer.
final class GivenUp: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
    }
}
