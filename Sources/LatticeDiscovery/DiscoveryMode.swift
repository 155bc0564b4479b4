/// How to look for peers on the local network.
package enum DiscoveryMode: String, Sendable, CaseIterable {
    /// The machine's mDNS responder while it answers, else the stack in this process; follows when that changes.
    case auto
    /// Only the machine's mDNS responder.
    case system
    /// Only the stack in this process.
    case embedded
    /// Neither announce nor browse.
    case off
}
