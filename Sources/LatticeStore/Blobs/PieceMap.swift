import Glibc
import LatticeCore
import LatticeWire

/// Which pieces of a part are here: a file of one bit a piece, after a header of 4 KiB.
///
/// `"lattice map v1\n\0" boot:16 root:32 size:8`, zeros to 4,096, then the bits; piece 0 is the lowest bit of the first byte.
struct PieceMap {
    private static let mark = Array("lattice map v1\n\0".utf8)
    private static let pageBytes = 4_096

    let name: BlobName
    private let file: DiskFile
    private(set) var boot: BootID?
    private(set) var bits: [UInt8]
    private(set) var count: Int
    private let pieceCount: Int

    // MARK: - Opening

    /// Creates the file.
    init(creating path: String, of name: BlobName, boot: BootID?, bits: PieceSet? = nil) throws(BlobFault) {
        self.name = name
        self.boot = boot
        pieceCount = BlobShape(name).pieceCount
        let bits = bits ?? PieceSet(of: pieceCount)
        (self.bits, count) = (bits.bytes, bits.count)
        file = try DiskFile(path, O_RDWR | O_CREAT | O_EXCL)
        try file.setSize(Int64(Self.pageBytes + self.bits.count))
        if count > 0 { try file.write(self.bits[...], at: Int64(Self.pageBytes)) }
        try writeHeader()
    }

    /// - Returns: `nil` if there is no file, or not the map of this blob.
    init?(_ path: String, of name: BlobName) throws(BlobFault) {
        guard let file = try DiskFile.existing(path, O_RDWR) else { return nil }
        let header = try file.read(at: 0, count: Self.pageBytes)
        guard header.count == Self.pageBytes, let boot = Self.boot(in: header, of: name) else { return nil }
        let pieceCount = BlobShape(name).pieceCount
        let bytes = try file.read(at: Int64(Self.pageBytes), count: (pieceCount + 7) / 8)
        guard let set = PieceSet(of: pieceCount, bytes) else { return nil }
        (self.name, self.file, self.boot, self.pieceCount) = (name, file, boot, pieceCount)
        (bits, count) = (bytes, set.count)
    }

    /// Whether the map of this blob is at `path`.
    static func isThere(_ path: String, of name: BlobName) throws(BlobFault) -> Bool {
        guard let file = try DiskFile.existing(path, O_RDONLY) else { return false }
        let header = try file.read(at: 0, count: pageBytes)
        return header.count == pageBytes && boot(in: header, of: name) != nil
    }

    private static func boot(in header: [UInt8], of name: BlobName) -> BootID? {
        let start = mark.count + BootID.byteCount
        guard header.starts(with: mark), header[start...].starts(with: nameBytes(name)) else { return nil }
        return BootID(Array(header[mark.count..<start]))
    }

    private static func nameBytes(_ name: BlobName) -> [UInt8] {
        name.root.bytes + (0..<8).reversed().map { UInt8(truncatingIfNeeded: name.size >> Int64(8 * $0)) }
    }

    private func writeHeader() throws(BlobFault) {
        var header = Self.mark + (boot?.bytes ?? [UInt8](repeating: 0, count: BootID.byteCount))
        header += Self.nameBytes(name)
        header += [UInt8](repeating: 0, count: Self.pageBytes - header.count)
        try file.write(header[...], at: 0)
    }

    /// Notes that all bits were checked since the machine started.
    mutating func setBoot(_ boot: BootID?) throws(BlobFault) {
        self.boot = boot
        try writeHeader()
    }

    // MARK: - Bits

    func contains(_ number: Int) -> Bool { bits[number / 8] & 1 << UInt8(number % 8) != 0 }

    var missing: Int { pieceCount - count }

    /// Sets or clears bits, with one write for each page. If that fails, the bits are as before.
    mutating func set(_ numbers: [Int], _ isHere: Bool) throws(BlobFault) {
        let changed = numbers.filter { contains($0) != isHere }
        for number in changed { flip(number) }
        do {
            for page in Set(changed.map { $0 / 8 / Self.pageBytes }).sorted() {
                let start = page * Self.pageBytes
                let end = min(start + Self.pageBytes, bits.count)
                try file.write(bits[start..<end], at: Int64(Self.pageBytes + start))
            }
        } catch {
            for number in changed { flip(number) }
            throw error
        }
    }

    private mutating func flip(_ number: Int) {
        bits[number / 8] ^= 1 << UInt8(number % 8)
        count += contains(number) ? 1 : -1
    }
}
