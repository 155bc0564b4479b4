/// The smallest so many of what is offered, in order.
struct Smallest<Element: Comparable> {
    let limit: Int
    private(set) var elements: [Element] = []

    init(limit: Int) {
        self.limit = limit
        elements.reserveCapacity(limit + 1)
    }

    var isFull: Bool { elements.count >= limit }

    /// Whether it would be among them.
    func wants(_ element: Element) -> Bool {
        guard isFull, let worst = elements.last else { return true }
        return element < worst
    }

    mutating func offer(_ element: Element) {
        guard wants(element) else { return }
        if isFull { elements.removeLast() }
        elements.insert(element, at: elements.firstIndex(notBefore: element))
    }
}

extension Array where Element: Comparable {
    /// Where something belongs among elements that are in order.
    func firstIndex(notBefore element: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether something is among elements that are in order.
    func holds(_ element: Element) -> Bool {
        let index = firstIndex(notBefore: element)
        return index < count && self[index] == element
    }
}
