/// What discovery can do with the interfaces of a machine.
enum NetworkJudgement {
    /// Eight addresses on four interfaces; a guess, to keep what we announce within one packet.
    static let publishedCountMax = 32
    static let publishedPerInterfaceMax = 8

    /// The problem with the interfaces, if any.
    /// - Parameter wanted: the only interface to use, if one was named.
    static func trouble(_ interfaces: [NetworkInterface], wanted: String?) -> DiscoveryTrouble? {
        if let wanted {
            guard let interface = interfaces.first(where: { $0.name == wanted }), isUsable(interface) else {
                return .interfaceMissing(wanted)
            }
            return interface.carriesMulticast || interface.isLoopback ? nil : .noMulticast(wanted)
        }
        let usable = interfaces.filter { isUsable($0) && !$0.isLoopback }
        if usable.contains(where: \.carriesMulticast) { return nil }
        return usable.isEmpty ? .noInterface : .noMulticast(usable.map(\.name).joined(separator: ", "))
    }

    /// The address records to publish. Loopback is among them: two peers on one machine find each other without any
    /// network.
    static func published(_ interfaces: [NetworkInterface], wanted: String?) -> [PublishedAddress] {
        let chosen = interfaces.filter { interface in
            isUsable(interface) && (interface.carriesMulticast || interface.isLoopback)
                && (wanted == nil || interface.name == wanted)
        }
        let all = chosen.flatMap { interface in
            interface.addresses.prefix(publishedPerInterfaceMax).map {
                PublishedAddress(interface: interface.index, address: $0)
            }
        }
        return Array(all.prefix(publishedCountMax))
    }

    private static func isUsable(_ interface: NetworkInterface) -> Bool {
        interface.isUp && !interface.addresses.isEmpty
    }
}
