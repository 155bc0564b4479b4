/// How a record came by relay.
package struct RecordArrival: Hashable, Sendable {
    /// Hops that it may still travel, the one to here included.
    package let timeToLive: UInt8
    /// Links that it has travelled.
    package let hops: UInt8
    /// It was pushed beside the tree.
    package let isStray: Bool
    /// The age of a presence in milliseconds, as the neighbour says.
    package let ageMilliseconds: UInt32
    /// Its lifetime is over by the clock here.
    package let isOver: Bool
    /// It was written long ago by the clock here, so that it is no longer urgent.
    package let isOld: Bool

    package init(
        timeToLive: UInt8, hops: UInt8, isStray: Bool = false, ageMilliseconds: UInt32 = 0, isOver: Bool = false,
        isOld: Bool = false
    ) {
        self.isOld = isOld
        self.timeToLive = timeToLive
        self.hops = hops
        self.isStray = isStray
        self.ageMilliseconds = ageMilliseconds
        self.isOver = isOver
    }
}

/// The age of a record that a program of this person brought, by the clock here.
package enum SuppliedAge: Hashable, Sendable {
    /// Others may be glad to have it at once.
    case live
    case late
    /// It is no longer urgent.
    case old
}
