public import Lattice

extension Session {
    /// A session on a network inside the process, in place of the machine's: it opens no socket.
    ///
    /// All of the configuration counts but `Configuration.interface`, which is not looked at. `Configuration.port` is never in
    /// use by another session, as each has an address of its own. A network numbers its sessions in the order in which they are
    /// made here.
    ///
    /// - Parameters:
    ///   - configuration: what the session is. Without a folder its id depends only on the network's seed and that order.
    ///   - network: where it finds others and links with them.
    /// - Throws: as `Session.init`.
    public static func inMemory(
        _ configuration: Configuration, network: InMemoryNetwork
    ) throws(LatticeError) -> Session {
        try Session(configuration, on: { network.addHost() })
    }
}
