package import LatticeCore

package enum DiscoveryEvent: Hashable, Sendable {
    /// A peer can be reached at an address: once per source, and again when it comes back. Never about ourselves.
    case found(Sighting)
    /// The peer said goodbye, or was silent for too long.
    case lost(Sighting)
    /// This source now advertises and browses.
    case running(Sighting.Source)
    /// This source does neither any more; everything it found was reported as lost.
    case stopped(Sighting.Source)
    /// A problem has begun; sent once.
    case trouble(DiscoveryTrouble)
    case recovered
    /// Under `auto`: this source will announce us, and `running` follows within about a second. Sent once, as soon as
    /// it is known whether a daemon answers.
    case chosen(Sighting.Source)
}
