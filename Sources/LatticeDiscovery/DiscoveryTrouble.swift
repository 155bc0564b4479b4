import LatticeCore

/// What stands in the way of finding peers; its description is for a person and names the remedy.
package enum DiscoveryTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    /// Only the loopback interface is up, or none. Peers on this machine are still found.
    case noInterface
    /// The interface that was asked for does not exist or is down.
    case interfaceMissing(String)
    /// Interfaces (named) are up, but none of them carries multicast.
    case noMulticast(String)
    /// The system's responder was asked for, and nobody answers.
    case noDaemon
    /// The responder answered with an error; the text says which.
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
