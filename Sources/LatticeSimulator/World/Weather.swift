/// Events that affect a world; times in milliseconds from its start.
package enum Weather: Hashable, Sendable {
    /// The peer starts for the first time, or with an empty disk.
    case start(Int, at: Int64)
    /// Starts again. With its disk the clock continues and shown lines are remembered; without, only the identity
    /// remains.
    case restart(Int, withDisk: Bool, at: Int64)
    /// The first peer sights the second, and the second the first; one-sided if `isMutual` is false.
    case sight(Int, Int, isMutual: Bool, at: Int64)
    /// The peer and everybody within its reach sight each other.
    case discover(Int, at: Int64)
    /// A person gives the first peer the address of the second.
    case give(Int, Int, at: Int64)
    case say(Int, at: Int64)
    /// The peer says a line of this size, and perhaps claims that it is urgent.
    case speak(Int, bytes: Int, isUrgent: Bool, at: Int64)
    /// The peer writes something else that its store keeps.
    case write(Int, Writing, at: Int64)
    /// Killed without a goodbye; its connections break.
    case crash(Int, at: Int64)
    case leave(Int, at: Int64)
    /// Nothing passes between the two, and neither notices; frames wait, as with TCP.
    case cut(Int, Int, at: Int64)
    /// Nothing passes from the first to the second.
    case cutOneWay(Int, Int, at: Int64)
    case mend(Int, Int, at: Int64)
    /// Nothing passes between peers of different groups.
    case partition([[Int]], at: Int64)
    case heal(at: Int64)
    /// Sets the wall clock of the peer this many milliseconds ahead of true time.
    case skewClock(Int, Int64, at: Int64)
    /// Delays everything that reaches the peer by this many milliseconds.
    case slow(Int, Int64, at: Int64)
    case hostile(Int, Hostility, at: Int64)
    /// The store of the peer accepts nothing, or works again.
    case failStore(Int, Bool, at: Int64)
    /// Ends the storm: mends every cut and partition, stops all loss, slowness and store failures, and lets everybody
    /// discover everybody within reach. Hostile peers stay hostile.
    case calm(at: Int64)

    package var time: Int64 {
        switch self {
        case .start(_, let at), .restart(_, _, let at), .sight(_, _, _, let at), .discover(_, let at),
            .give(_, _, let at), .say(_, let at), .speak(_, _, _, let at),
            .write(_, _, let at), .failStore(_, _, let at), .crash(_, let at),
            .leave(_, let at), .cut(_, _, let at),
            .cutOneWay(_, _, let at), .mend(_, _, let at), .partition(_, let at), .heal(let at),
            .skewClock(_, _, let at), .slow(_, _, let at), .hostile(_, _, let at), .calm(let at):
            at
        }
    }
}

/// What a peer can write besides plain lines; lifetimes in seconds, at least a minute.
package enum Writing: Hashable, Sendable {
    case line(room: Int, lifetime: UInt32)
    case post(lifetime: UInt32)
    /// Deletes its own newest remaining post, if any.
    case deletion
    /// Likes the newest post it has, or removes its like.
    case like(Bool, lifetime: UInt32)
    case profile(lifetime: UInt32)
    /// A kind unknown to this version.
    case unknown(lifetime: UInt32)

    package static func room(_ number: Int) -> [UInt8] { Array("room\(number)".utf8) }
}
