import CProcess
import Glibc

/// How this process returns freed memory.
package enum ProcessMemory {
    /// The node's thread has one almost to itself; all others share the second.
    private static let arenasMax: Int32 = 2

    /// Larger blocks are mapped from the system and returned to it: four times what a link seals and writes at once.
    private static let heapBytesMax: Int32 = 1 << 20
    /// Free bytes kept at an arena's end: a few times that.
    private static let spareBytesMax: Int32 = 4 << 20

    /// Call this before anything else runs; mallopt(3) describes the settings.
    ///
    /// glibc makes an arena for each thread, up to eight for each processor, and memory freed in one is not used by another.
    /// Threads that wait for SQLite or a terminal come and go, and each would hold a few megabytes for good.
    ///
    /// glibc also adapts its thresholds to earlier frees: a peer that sends or relays much returned and took pages with every
    /// write, or did not, by chance. That was an eighth of all its work.
    package static func prepare() {
        _ = mallopt(M_ARENA_MAX, arenasMax)
        _ = mallopt(M_MMAP_THRESHOLD, heapBytesMax)
        _ = mallopt(M_TRIM_THRESHOLD, spareBytesMax)
    }

    /// Returns free pages between used ones to the system; free(3) returns those at an arena's end, except `spareBytesMax`.
    /// After fifty thousand records that came at once, half of the heap was free.
    ///
    /// Takes about a millisecond for each ten megabytes, during which other threads wait for memory.
    package static func giveBack() {
        _ = malloc_trim(0)
    }

    /// Drops the pages of code and constants from memory; all of them are in files of the program and its libraries. What still
    /// runs is loaded again; what only the start needed, some megabytes, is not.
    ///
    /// Costs a millisecond or two of page faults, once; for a program that has started and will stay.
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
                    // If the system refuses, the pages stay.
                    madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), Int32(MADV_DONTNEED))
                }
                return 0
            }, nil)
    }
}
