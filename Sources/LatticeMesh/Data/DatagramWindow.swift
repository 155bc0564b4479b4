/// Which numbers of datagrams have come: each is taken at most once, and one that comes 64 or more behind the newest is not taken.
package struct DatagramWindow: Hashable, Sendable {
    /// Numbers that are remembered: more than a link reorders.
    package static let count: UInt64 = 64

    private var newest: UInt64?
    /// Bit `i` stands for `newest - i`.
    private var taken: UInt64 = 0

    package init() {}

    /// - Returns: whether it has not come before.
    package mutating func take(_ sequence: UInt64) -> Bool {
        guard let newest else {
            (self.newest, taken) = (sequence, 1)
            return true
        }
        if sequence > newest {
            let step = sequence - newest
            taken = step >= Self.count ? 1 : taken << step | 1
            self.newest = sequence
            return true
        }
        let behind = newest - sequence
        guard behind < Self.count, taken & (1 << behind) == 0 else { return false }
        taken |= 1 << behind
        return true
    }
}
