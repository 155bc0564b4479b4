package import LatticeCore

/// What discovery tells its reader.
package enum DiscoveryEvent: Hashable, Sendable {
    /// A peer may be reached at an address: told once per source, and again when it comes back. Never about ourselves.
    case found(Sighting)
    /// It took its leave, or nothing was heard of it for too long.
    case lost(Sighting)
    /// This source now advertises and browses.
    case running(Sighting.Source)
    /// This source does neither any more; whatever it had found has been told as lost.
    case stopped(Sighting.Source)
    /// Something is in the way; told once when it begins.
    case trouble(DiscoveryTrouble)
    /// Nothing is in the way any more.
    case recovered
    /// Under `auto`: by this source we are about to be found, and `running` follows within a second or so. Told once, as soon as it is
    /// known whether a daemon answers.
    case chosen(Sighting.Source)
}
