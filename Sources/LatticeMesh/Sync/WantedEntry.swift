import LatticeCore

/// One record that is known to be missing.
struct WantedEntry: Sendable {
    enum State: Hashable, Sendable {
        /// Unused. Next: `queued`.
        case free
        /// Not requested. Next: `asked`, free.
        case queued
        /// Next: `arrived`, `queued`, free.
        case asked(SourceSlot)
        /// It is being stored; `nil` if the link that it came by is gone. Next: `queued`, free.
        case arrived(from: SourceSlot?)
    }

    var id: RecordID
    var state: State
    var generation: UInt32
    /// Bits of the links that have it, and of the links whose queues contain it.
    var sources: UInt64 = 0
    var queues: UInt64 = 0
    /// The link that named it first; it counts against that link's share.
    var announcer: SourceSlot?
    /// Size and group of the arrived record.
    var bytes: UInt16 = 0
    var groups: SyncGroups = []
    /// The only link that has it failed to serve it, and is asked once more.
    var isAskedAgain = false
}
