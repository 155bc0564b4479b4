import CMalloc

/// What this process does with the memory that it gives back.
package enum ProcessMemory {
    /// The thread of the node has one almost to itself, all others share the second.
    private static let arenasMax: Int32 = 2

    /// glibc lays out an arena for each thread, up to eight for each processor, and what one thread gives back no other gets.
    /// Threads that wait for SQLite or a terminal come and go, and each would keep a few megabytes for good.
    ///
    /// For a program to call before anything else runs; mallopt(3) tells of arenas.
    package static func shareArenas() {
        _ = mallopt(M_ARENA_MAX, arenasMax)
    }
}
