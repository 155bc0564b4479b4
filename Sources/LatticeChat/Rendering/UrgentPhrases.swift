import LatticeAPI

package enum UrgentPhrases {
    /// Of a line or a post that was meant to be urgent.
    package static let asUsual =
        "This went as a usual message: you have sent your three urgent ones of the last 24 hours."

    package static func dismissed(_ count: Int) -> String {
        count == 0 ? "nothing is urgent" : "dismissed \(ItemPhrases.counted(count, "urgent message"))"
    }
}
