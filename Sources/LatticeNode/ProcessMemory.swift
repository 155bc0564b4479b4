import CProcess
import Glibc

/// What this process does with the memory that it gives back.
package enum ProcessMemory {
    /// The thread of the node has one almost to itself, all others share the second.
    private static let arenasMax: Int32 = 2

    /// What is larger comes from the system and goes back there: four times what a link seals and writes at once.
    private static let heapBytesMax: Int32 = 1 << 20
    /// Kept at an arena's end: a few times that.
    private static let spareBytesMax: Int32 = 4 << 20

    /// For a program to call before anything else runs; mallopt(3) tells of what is set.
    ///
    /// glibc lays out an arena for each thread, up to eight for each processor, and what one thread gives back no other gets.
    /// Threads that wait for SQLite or a terminal come and go, and each would keep a few megabytes for good.
    ///
    /// And it goes by what was freed before when it decides what to give back: a peer that sends or relays much gave pages back and
    /// took them again with every write, or did not, as it happened. That was an eighth of all it did.
    package static func prepare() {
        _ = mallopt(M_ARENA_MAX, arenasMax)
        _ = mallopt(M_MMAP_THRESHOLD, heapBytesMax)
        _ = mallopt(M_TRIM_THRESHOLD, spareBytesMax)
    }

    /// Gives the system whatever pages are free between those in use; free(3) gives back what lies at an arena's end, but for
    /// `spareBytesMax`. After fifty thousand records that came at once half of all was free.
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
