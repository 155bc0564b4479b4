extension Overlay {
    /// How a peer that invites us is let in.
    struct Admission: Hashable, Sendable {
        /// Slots here before the link takes one.
        let free: Int
        /// The link is kept beyond the slots.
        let isExtra: Bool

        var isFull: Bool { free == 0 }
        /// Slots left after it; sent to the newcomer.
        var left: UInt8 { UInt8(clamping: max(0, free - 1)) }
    }
}
