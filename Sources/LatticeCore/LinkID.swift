package struct DialID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Identifies a link from the end of its handshake to its close; never reused within a process.
package struct LinkID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static func < (left: LinkID, right: LinkID) -> Bool {
        left.rawValue < right.rawValue
    }
}
