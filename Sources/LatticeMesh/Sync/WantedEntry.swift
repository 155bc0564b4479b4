import LatticeCore

/// One record that is known to be missing.
struct WantedEntry: Sendable {
    enum State: Hashable, Sendable {
        /// The place is free. Next: `queued`.
        case free
        /// Nobody is asked. Next: `asked`, free.
        case queued
        /// Next: `arrived`, `queued`, free.
        case asked(SourceSlot)
        /// It is being stored; `nil` if the link that it came by is gone. Next: `queued`, free.
        case arrived(from: SourceSlot?)
    }

    var id: RecordID
    var state: State
    var generation: UInt32
    /// Bits of the links that have it, and of those in whose queues it stands.
    var sources: UInt64 = 0
    var queues: UInt64 = 0
    /// Who told of it first, and pays for its place.
    var teller: SourceSlot?
    /// Of the record that has arrived.
    var bytes: UInt16 = 0
    var groups: SyncGroups = []
    /// The only one who has it was asked in vain, and is asked once more.
    var isAskedAgain = false
}
