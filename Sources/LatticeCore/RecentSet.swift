package import DequeModule

/// The last so many things seen, in order; the oldest makes room for the newest.
package struct RecentSet<Element: Hashable & Sendable>: Sendable {
    // Everything is inlinable, so that other rooms have it made for their own elements: each record is looked up in a few of these.
    @usableFromInline var members: Set<Element> = []
    @usableFromInline var order: Deque<Element> = []
    package let countMax: Int

    @inlinable
    package init(countMax: Int) {
        precondition(countMax > 0, "a set that remembers nothing would let every duplicate through")
        self.countMax = countMax
    }

    @inlinable
    package var count: Int { members.count }

    @inlinable
    package func contains(_ element: Element) -> Bool {
        members.contains(element)
    }

    /// - Returns: whether `element` was not there before.
    @discardableResult
    @inlinable
    package mutating func insert(_ element: Element) -> Bool {
        guard members.insert(element).inserted else { return false }
        order.append(element)
        if order.count > countMax {
            members.remove(order.removeFirst())
        }
        return true
    }
}
