import CProcess
import Glibc

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

    /// Gives the system whatever pages are free between those in use; free(3) gives back what lies at an arena's end, and keeps up
    /// to 64 MiB there once something large was freed. After fifty thousand records that came at once that was half of all.
    ///
    /// Takes about a millisecond for each ten megabytes, for which others wait who want memory.
    package static func giveBack() {
        _ = malloc_trim(0)
    }

    /// Takes the pages of code and constants out of this process, which are all in files of the program and its libraries: what
    /// runs on comes back by itself, and what only the start needed, some megabytes, does not.
    ///
    /// Costs a millisecond or two of page faults, once; for a program that has begun and is there to stay.
    // Safety: only segments that were never to be written are given back (ELF: PT_LOAD without PF_W), which madvise(2) refills from
    // their file. The table is the loader's, valid for the length of the call.
    package static func forgetStart() {
        _ = each_loaded_object(
            { object, _, _ in
                guard let object = object?.pointee, let table = object.headers else { return 0 }
                let pageMask = UInt(getpagesize()) - 1
                for header in UnsafeBufferPointer(start: table, count: Int(object.count)) {
                    guard header.p_type == PT_LOAD, header.p_flags & UInt32(PF_W) == 0 else { continue }
                    let address = UInt(object.base) &+ UInt(header.p_vaddr)
                    let (start, end) = ((address + pageMask) & ~pageMask, (address + UInt(header.p_memsz)) & ~pageMask)
                    guard start < end else { continue }
                    // Where the system refuses, the pages stay.
                    madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), Int32(MADV_DONTNEED))
                }
                return 0
            }, nil)
    }
}
