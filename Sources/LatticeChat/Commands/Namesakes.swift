/// People grouped by the skeleton of their names, to find names that look alike.
struct Namesakes<ID: Hashable & Sendable>: Sendable {
    private var holders: [String: Set<ID>] = [:]

    /// - Returns: whether it was not there before.
    @discardableResult
    mutating func insert(_ id: ID, _ skeleton: String) -> Bool {
        holders[skeleton, default: []].insert(id).inserted
    }

    mutating func remove(_ id: ID, _ skeleton: String) {
        holders[skeleton]?.remove(id)
        if holders[skeleton]?.isEmpty == true { holders[skeleton] = nil }
    }

    func hasOthers(than id: ID, _ skeleton: String) -> Bool {
        guard let all = holders[skeleton] else { return false }
        return all.count > 1 || !all.contains(id)
    }
}
