import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeDiscovery

// What may keep others from linking, in all modules together.
extension Node {
    var health: NodeHealth {
        let now = clock.now
        let lead = judge.opinions.lead(of: clock.machine, at: Clocks.now)
        return NodeHealth(
            meshTags: announcement.tags(of: Digest.meshTag(configuration.mesh), at: now),
            isClosed: announcement.isClosed, invitations: configuration.invitations.rawValue,
            discovery: configuration.discovery.rawValue, interface: configuration.interface,
            clockAhead: lead?.0, clockPeers: lead?.peers ?? 0, isClockWrong: clock.source != .machine,
            misses: misses.all)
    }
}
