/// One attempt to reach an address.
package struct DialID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// One link, from the end of its handshake until it is closed; numbers are never used twice in a process.
package struct LinkID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static func < (left: LinkID, right: LinkID) -> Bool {
        left.rawValue < right.rawValue
    }
}
