package import LatticeAPI

/// Words for progress of reconciling, shared by the chat and the shell.
package enum SyncPhrases {
    private static let barCells = 8

    /// `caught up: 214 records from 3 peers`
    package static func caughtUp(_ progress: SyncProgress) -> String {
        let records = progress.fetched > 0 ? ItemPhrases.counted(progress.fetched, "record") : "nothing new"
        return progress.peers > 0
            ? "caught up: \(records) from \(ItemPhrases.counted(progress.peers, "peer"))" : "caught up: \(records)"
    }

    /// `catching up 120/214 ▰▰▰▰▱▱▱▱`
    package static func bar(_ progress: SyncProgress) -> String {
        let total = max(progress.total, 1)
        let full = min(max(0, progress.fetched), total) * barCells / total
        let cells = String(repeating: "▰", count: full) + String(repeating: "▱", count: barCells - full)
        return "catching up \(progress.fetched)/\(progress.total) \(cells)"
    }

    /// `not caught up yet: 120 of 214 records`
    package static func unfinished(_ progress: SyncProgress) -> String {
        progress.total > 0
            ? "not caught up yet: \(progress.fetched) of \(ItemPhrases.counted(progress.total, "record"))"
            : "not caught up yet: still comparing"
    }

    /// A summary in place of a notice for each post.
    package static func latePosts(_ count: Int) -> String {
        "\(ItemPhrases.counted(count, "new post")) near you while you were away: /near"
    }

    /// `… 163 earlier lines: /history 213`
    package static func earlier(_ count: Int?, _ call: String) -> String {
        count.map { "… \(ItemPhrases.counted($0, "earlier line")): \(call)" } ?? "… earlier lines: \(call)"
    }

    package static let nobodyThere = "nobody is connected; sync starts as soon as somebody is"
}
