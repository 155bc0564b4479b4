/// What an executable file needs: the machine, the loader, and the shared libraries (ELF, 64 bit, little endian).
package struct ProgramFile: Hashable, Sendable {
    /// As `uname -m` prints it: `x86_64`, `aarch64`.
    package let machine: String
    /// The path of the loader; `nil` for a file without one.
    package let loader: String?
    /// Shared libraries that it needs, in order.
    package let libraries: [String]

    /// The needed libraries that are not parts of glibc.
    package var foreignLibraries: [String] {
        libraries.filter { library in
            let stem = library.prefix { $0 != "." }
            return !Self.glibc.contains(String(stem)) && !stem.hasPrefix("ld-linux")
        }
    }

    private static let glibc: Set<String> = ["libc", "libm", "libpthread", "libdl", "librt", "libresolv", "libutil"]

    private static let headersMax = 64
    private static let dynamicBytesMax = 64 << 10
    private static let textBytesMax = 256

    /// - Parameter read: the bytes at an offset, as many as there are.
    /// - Returns: `nil` if it is no such file.
    package init?(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let head = read(0, 64)
        // Magic number, 64 bit, little endian.
        guard head.count == 64, head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        let kind = head.number(at: 16, bytes: 2)
        // ET_EXEC and ET_DYN, which position-independent programs are.
        guard kind == 2 || kind == 3, let machine = Self.machine(head.number(at: 18, bytes: 2)) else { return nil }
        self.machine = machine
        guard let first = Int(exactly: head.number(at: 32, bytes: 8)), first > 0, first < 1 << 40,
            head.number(at: 54, bytes: 2) == 56
        else { return nil }
        let count = min(Int(head.number(at: 56, bytes: 2)), Self.headersMax)
        let table = read(first, count * 56)
        guard table.count == count * 56 else { return nil }
        let segments = (0..<count).map { Segment(table, at: $0 * 56) }
        loader = segments.first { $0.kind == .loader }.map { Self.text(read(Int($0.offset), Self.textBytesMax)) }
        libraries = segments.first { $0.kind == .dynamic }.map { Self.libraries(in: $0, segments, read) } ?? []
    }

    private struct Segment {
        enum Kind: UInt64 {
            case loaded = 1
            case dynamic = 2
            case loader = 3
        }

        let kind: Kind?
        let offset: UInt64
        let address: UInt64
        let bytes: UInt64

        init(_ table: [UInt8], at place: Int) {
            kind = Kind(rawValue: table.number(at: place, bytes: 4))
            // Offsets beyond a terabyte are nonsense.
            offset = min(table.number(at: place + 8, bytes: 8), 1 << 40)
            address = table.number(at: place + 16, bytes: 8)
            bytes = table.number(at: place + 32, bytes: 8)
        }
    }

    /// The names of DT_NEEDED (1), which are offsets in the table of DT_STRTAB (5).
    private static func libraries(
        in dynamic: Segment, _ segments: [Segment], _ read: (_ offset: Int, _ count: Int) -> [UInt8]
    ) -> [String] {
        let bytes = read(Int(dynamic.offset), Int(min(dynamic.bytes, UInt64(dynamicBytesMax))))
        let entries = stride(from: 0, to: bytes.count - bytes.count % 16, by: 16).map {
            (tag: bytes.number(at: $0, bytes: 8), value: bytes.number(at: $0 + 8, bytes: 8))
        }.prefix { $0.tag != 0 }
        guard let table = entries.first(where: { $0.tag == 5 })?.value,
            let home = segments.first(where: {
                $0.kind == .loaded && $0.address <= table && table - $0.address < min($0.bytes, 1 << 40)
            })
        else { return [] }
        let start = home.offset + (table - home.address)
        return entries.filter { $0.tag == 1 && $0.value < 1 << 30 }.prefix(headersMax).map {
            text(read(Int(start + $0.value), textBytesMax))
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func machine(_ number: UInt64) -> String? {
        switch number {
        case 62: "x86_64"
        case 183: "aarch64"
        case 243: "riscv64"
        default: nil
        }
    }
}

extension [UInt8] {
    fileprivate func number(at place: Int, bytes count: Int) -> UInt64 {
        self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
