package import DequeModule

/// The `countMax` most recent elements, in order; the oldest is evicted for the newest. Inlined, so that other modules
/// specialise it: it is asked several times for each chat line.
package struct RecentSet<Element: Hashable & Sendable>: Sendable {
    @usableFromInline var members: Set<Element> = []
    @usableFromInline var order: Deque<Element> = []
    package let countMax: Int

    package init(countMax: Int) {
        precondition(countMax > 0, "a set that remembers nothing would let every duplicate through")
        self.countMax = countMax
    }

    @inlinable package var count: Int { members.count }

    @inlinable package func contains(_ element: Element) -> Bool {
        members.contains(element)
    }

    package mutating func removeAll() {
        members = []
        order = []
    }

    /// - Returns: whether `element` is new.
    @discardableResult
    @inlinable package mutating func insert(_ element: Element) -> Bool {
        guard members.insert(element).inserted else { return false }
        order.append(element)
        if order.count > countMax {
            members.remove(order.removeFirst())
        }
        return true
    }
}
