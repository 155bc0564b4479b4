import LatticeAPI

package enum UrgentPhrases {
    /// Said if a line or a post was meant to be urgent and is not.
    package static let asUsual =
        "Sent as a usual message: you already sent three urgent ones in the last 24 hours."

    package static func dismissed(_ count: Int) -> String {
        count == 0 ? "nothing is urgent" : "dismissed \(ItemPhrases.counted(count, "urgent message"))"
    }
}
