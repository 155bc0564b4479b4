/// What discovery does on the network.
package struct DiscoveryRoles: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Lets others find us.
    package static let announcing = DiscoveryRoles(rawValue: 1)
    /// Looks for others.
    package static let browsing = DiscoveryRoles(rawValue: 2)
    package static let both: DiscoveryRoles = [.announcing, .browsing]
}
