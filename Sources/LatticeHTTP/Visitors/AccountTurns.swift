import LatticeConcurrency

/// For each account, one caller at a time.
struct AccountTurns {
    private var all: [String: (turns: Turns, count: Int)] = [:]

    /// Call `leave` when it is over. There are as many accounts as have callers.
    mutating func enter(_ account: String) -> Turns {
        let turns = all[account]?.turns ?? Turns()
        all[account] = (turns, (all[account]?.count ?? 0) + 1)
        return turns
    }

    mutating func leave(_ account: String) {
        guard let (turns, count) = all[account] else { return }
        all[account] = count > 1 ? (turns, count - 1) : nil
    }
}
