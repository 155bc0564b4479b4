/// A problem that prevents finding peers.
package enum DiscoveryTrouble: Error, Hashable, Sendable {
    /// Only the loopback interface is up, or none. Peers on this machine are still found.
    case noInterface
    /// The requested interface does not exist or is down.
    case interfaceMissing(String)
    /// These interfaces are up, but none of them supports multicast.
    case noMulticast(String)
    /// The system's responder was requested and does not answer.
    case noDaemon
    /// The responder answered with this error.
    case refused(String)
}
