import Glibc

/// Gives back what only the start needed.
enum ProcessMemory {
    /// The start runs through half of the program once: the loader's tables, the readers of arguments, the makers of schemas. The system
    /// counts those pages as ours for as long as nobody else wants the room; and what was allocated and freed meanwhile stays with the
    /// allocator. What is needed again is mapped again, a microsecond for each 64 KiB.
    static func letGoOfStart() {
        for range in code() { madvise(range.start, range.count, MADV_DONTNEED) }
        trimHeap()
    }

    // Safety: glibc exports malloc_trim, whose header Swift does not import; it takes one word and returns another.
    private static func trimHeap() {
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    // Safety: what is executable is mapped from files and was never written to, so that whatever is let go is read from the file again
    // when it is needed. The addresses are the kernel's own words (proc(5), maps) and are passed on to it alone.
    private static func code() -> [(start: UnsafeMutableRawPointer, count: Int)] {
        guard let file = fopen("/proc/self/maps", "re") else { return [] }
        defer { fclose(file) }
        var ranges: [(UnsafeMutableRawPointer, Int)] = []
        var line = [CChar](repeating: 0, count: 4_096 + 128)
        while fgets(&line, Int32(line.count), file) != nil {
            // As in `55d0a000-55d0b000 r-xp 00001000 fe:00 1234 /usr/bin/lattice`.
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let fields = text.split(separator: " ")
            guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { continue }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1], let start = UnsafeMutableRawPointer(bitPattern: ends[0]) else {
                continue
            }
            ranges.append((start, Int(ends[1] - ends[0])))
        }
        return ranges
    }
}
