/// By which means peers on the local network are looked for.
package enum DiscoveryMode: String, Sendable, CaseIterable {
    /// The machine's mDNS responder while it answers, else the stack in this process; follows when that changes.
    case auto
    /// Only the machine's mDNS responder.
    case system
    /// Only the stack in this process.
    case embedded
    /// Not at all: nothing is announced and nothing is looked for.
    case off
}
