/// The smallest elements offered, sorted, up to a limit.
struct Smallest<Element: Comparable> {
    let limit: Int
    private(set) var elements: [Element] = []

    init(limit: Int) {
        self.limit = limit
        elements.reserveCapacity(limit + 1)
    }

    var isFull: Bool { elements.count >= limit }

    /// Whether `offer` would keep it.
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
    /// The insertion index in a sorted array.
    func firstIndex(notBefore element: Element) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < element { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a sorted array contains the element.
    func holds(_ element: Element) -> Bool {
        let index = firstIndex(notBefore: element)
        return index < count && self[index] == element
    }
}
