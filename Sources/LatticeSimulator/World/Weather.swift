/// What befalls a world: times in milliseconds from its start.
package enum Weather: Hashable, Sendable {
    /// The peer starts for the first time, or with an empty disk.
    case start(Int, at: Int64)
    /// It starts again. With its disk its clock goes on and it knows what it was shown; without, only its identity is left.
    case restart(Int, withDisk: Bool, at: Int64)
    /// The first peer sights the second, and the second the first; one-sided if `isMutual` is false.
    case sight(Int, Int, isMutual: Bool, at: Int64)
    /// The peer and everybody within its reach sight each other.
    case discover(Int, at: Int64)
    /// A person gives the first peer the address of the second.
    case give(Int, Int, at: Int64)
    case say(Int, at: Int64)
    /// The peer says or does something else that its store keeps.
    case write(Int, Writing, at: Int64)
    /// Killed without a word: its connections break.
    case crash(Int, at: Int64)
    /// Leaves with a goodbye.
    case leave(Int, at: Int64)
    /// Nothing passes between the two, and neither is told; what is sent waits, as TCP would have it.
    case cut(Int, Int, at: Int64)
    /// Nothing passes from the first to the second.
    case cutOneWay(Int, Int, at: Int64)
    case mend(Int, Int, at: Int64)
    /// Nothing passes between peers of different groups.
    case partition([[Int]], at: Int64)
    case heal(at: Int64)
    /// The wall clock of the peer is so many milliseconds ahead of true time.
    case skewClock(Int, Int64, at: Int64)
    /// Whatever reaches the peer takes so many milliseconds longer.
    case slow(Int, Int64, at: Int64)
    case hostile(Int, Hostility, at: Int64)
    /// The store of the peer takes nothing, or takes what comes again.
    case failStore(Int, Bool, at: Int64)
    /// The storm is over: every cut and partition is mended, nothing is lost any more, nobody is slow, every
    /// store works, and discovery tells
    /// everybody of everybody within reach. Hostile peers stay what they are.
    case calm(at: Int64)

    package var time: Int64 {
        switch self {
        case .start(_, let at), .restart(_, _, let at), .sight(_, _, _, let at), .discover(_, let at),
            .give(_, _, let at), .say(_, let at), .write(_, _, let at), .failStore(_, _, let at), .crash(_, let at),
            .leave(_, let at), .cut(_, _, let at),
            .cutOneWay(_, _, let at), .mend(_, _, let at), .partition(_, let at), .heal(let at),
            .skewClock(_, _, let at), .slow(_, _, let at), .hostile(_, _, let at), .calm(let at):
            at
        }
    }
}

/// What a peer may write beside plain lines; lifetimes in seconds, from a minute on.
package enum Writing: Hashable, Sendable {
    case line(room: Int, lifetime: UInt32)
    case post(lifetime: UInt32)
    /// Takes back its own newest post that is left, if any.
    case deletion
    /// Likes the newest post it has of anybody, or likes it no more.
    case like(Bool, lifetime: UInt32)
    case profile(lifetime: UInt32)
    /// Of a kind that this version does not know.
    case unknown(lifetime: UInt32)

    package static func room(_ number: Int) -> [UInt8] { Array("room\(number)".utf8) }
}
