import DequeModule

/// The `countMax` most recent elements, in order; the oldest is evicted for the newest.
package struct RecentSet<Element: Hashable & Sendable>: Sendable {
    private var members: Set<Element> = []
    private var order: Deque<Element> = []
    package let countMax: Int

    package init(countMax: Int) {
        precondition(countMax > 0, "a set that remembers nothing would let every duplicate through")
        self.countMax = countMax
    }

    package var count: Int { members.count }

    package func contains(_ element: Element) -> Bool {
        members.contains(element)
    }

    package mutating func removeAll() {
        members = []
        order = []
    }

    /// - Returns: whether `element` is new.
    @discardableResult
    package mutating func insert(_ element: Element) -> Bool {
        guard members.insert(element).inserted else { return false }
        order.append(element)
        if order.count > countMax {
            members.remove(order.removeFirst())
        }
        return true
    }
}
