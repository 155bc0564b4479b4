import LatticeCore

/// A problem that prevents finding peers; its description is for people and names the remedy.
package enum DiscoveryTrouble: Error, Hashable, Sendable, CustomStringConvertible {
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

    package var description: String {
        switch self {
        case .noInterface:
            """
            no network is up, so only peers on this machine can be found; \
            switch on Wi-Fi or plug in a cable, and the search goes on by itself
            """
        case .interfaceMissing(let name):
            """
            the interface \(DisplayText.safe(name)) does not exist or is down; \
            bring it up, or choose another ('ip link' lists them)
            """
        case .noMulticast(let names):
            """
            \(DisplayText.safe(names)) carries no multicast, so peers there cannot be found by themselves; \
            name one by its address with --peer HOST:PORT, or use another network
            """
        case .noDaemon:
            """
            the mDNS service of this system does not answer; \
            start avahi-daemon, or use --discovery embedded, which needs none
            """
        case .refused(let reason):
            """
            the mDNS responder refused: \(DisplayText.safe(reason)); it is tried again; \
            meanwhile --peer HOST:PORT reaches a peer without it
            """
        }
    }
}
