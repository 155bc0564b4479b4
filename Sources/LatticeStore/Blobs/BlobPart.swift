import Glibc
import LatticeWire

/// What became of a piece that came.
package enum PieceVerdict: Hashable, Sendable {
    case kept
    /// It is not the piece of that number.
    case wrong
    /// The piece that proves it is missing.
    case noParent
    /// It is right, but the disk is full.
    case notStored
}

/// One piece of a blob.
package struct BlobPiece: Hashable, Sendable {
    package let number: Int
    package let bytes: [UInt8]

    package init(_ number: Int, _ bytes: [UInt8]) {
        (self.number, self.bytes) = (number, bytes)
    }
}

/// A blob whose pieces are arriving.
///
/// A piece is written before its bit is set, so a bit tells the truth as long as the machine runs: the page cache outlives the
/// process. After a restart of the machine the bits are claims, and count only once they are checked.
final class BlobPart {
    /// Pieces that are checked in one step: 8 MiB.
    private static let checkedMax = 256

    private var files: PieceFiles
    private var map: PieceMap
    private let boot: BootID?
    /// The bits of this piece and those after it are not checked yet.
    private var unchecked: Int

    private init(_ files: PieceFiles, _ map: PieceMap, boot: BootID?, unchecked: Int) {
        (self.files, self.map, self.boot, self.unchecked) = (files, map, boot, unchecked)
    }

    /// Creates the files of a part. None of them may exist.
    static func create(_ name: BlobName, at path: String, boot: BootID?) throws(BlobFault) -> BlobPart {
        _ = try DiskFile(path, O_WRONLY | O_CREAT | O_EXCL)
        if BlobShape(name).height > 0 { _ = try DiskFile(BlobPaths.tree(path), O_WRONLY | O_CREAT | O_EXCL) }
        let map = try PieceMap(creating: BlobPaths.map(path), of: name, boot: boot)
        guard let files = try PieceFiles(name, at: path, O_RDWR) else { throw .notHere }
        return BlobPart(files, map, boot: boot, unchecked: files.shape.pieceCount)
    }

    /// - Returns: `nil` if a file is missing or the map is of no use.
    static func open(_ name: BlobName, at path: String, boot: BootID?) throws(BlobFault) -> BlobPart? {
        guard let map = try PieceMap(BlobPaths.map(path), of: name),
            let files = try PieceFiles(name, at: path, O_RDWR)
        else { return nil }
        let isChecked = boot != nil && map.boot == boot
        return BlobPart(files, map, boot: boot, unchecked: isChecked ? files.shape.pieceCount : 0)
    }

    private func contains(_ number: Int) -> Bool { number < unchecked && map.contains(number) }

    // MARK: - After a restart of the machine

    /// Checks the bits of some pieces, and clears those of pieces that did not reach the disk.
    ///
    /// - Returns: whether bits are left to check.
    func checkSome() throws(BlobFault) -> Bool {
        let count = files.shape.pieceCount
        guard unchecked < count else { return false }
        let end = min(unchecked + Self.checkedMax, count)
        var wrong: [Int] = []
        for number in unchecked..<end where map.contains(number) {
            // Parents come first. A piece whose parent is missing cannot be proven.
            let parent = files.shape.parent(of: number)?.number
            if let parent, !map.contains(parent) || wrong.contains(parent) {
                wrong.append(number)
            } else if try files.damage(of: number, remembering: true) != nil {
                wrong.append(number)
            }
        }
        try map.set(wrong, false)
        unchecked = end
        if end == count { try map.setBoot(boot) }
        return end < count
    }

    // MARK: - Pieces

    /// The pieces that are here. All bits must be checked.
    var pieces: PieceSet {
        guard let set = PieceSet(of: files.shape.pieceCount, map.bits) else {
            preconditionFailure("bits are only set for pieces of the blob")
        }
        return set
    }

    /// - Returns: a verdict for each piece, in order.
    func write(_ pieces: [BlobPiece]) throws(BlobFault) -> [PieceVerdict] {
        var verdicts: [PieceVerdict] = []
        var written: [Int] = []
        for piece in pieces {
            let verdict = try judge(piece, written)
            verdicts.append(verdict)
            if verdict == .kept, !contains(piece.number) { written.append(piece.number) }
        }
        do {
            try map.set(written, true)
        } catch .diskFull {
            for index in pieces.indices where written.contains(pieces[index].number) { verdicts[index] = .notStored }
        }
        return verdicts
    }

    /// Verifies and writes a piece. Its bit is not set yet.
    ///
    /// - Parameter written: pieces of this batch whose bits are not set yet.
    private func judge(_ piece: BlobPiece, _ written: [Int]) throws(BlobFault) -> PieceVerdict {
        guard (0..<files.shape.pieceCount).contains(piece.number) else { return .wrong }
        func isHere(_ number: Int) -> Bool { contains(number) || written.contains(number) }
        if let parent = files.shape.parent(of: piece.number), !isHere(parent.number) { return .noParent }
        do {
            guard try files.proves(piece.bytes, isPiece: piece.number) else { return .wrong }
        } catch .damaged(let node) {
            try map.set([node], false)
            return .noParent
        }
        if isHere(piece.number) { return .kept }
        do {
            try files.write(piece.bytes, as: piece.number)
            return .kept
        } catch .diskFull {
            return .notStored
        }
    }

    func read(_ number: Int) throws(BlobFault) -> [UInt8]? {
        guard contains(number) else { return nil }
        return try files.read(number)
    }

    /// Hashes what is on the disk, and clears the bit of what is false.
    func check(_ number: Int) throws(BlobFault) -> PieceCheck {
        guard contains(number) else { return .notHere }
        guard let damaged = try files.damage(of: number) else { return .right }
        try map.set([damaged], false)
        return .damaged(piece: damaged)
    }

    /// Returns when all bytes are on the disk.
    func sync() throws(BlobFault) {
        guard map.missing == 0, unchecked == files.shape.pieceCount else {
            throw .incomplete(missing: max(1, map.missing))
        }
        try files.sync()
    }
}

/// What hashing a piece on the disk found.
package enum PieceCheck: Hashable, Sendable {
    case right
    /// This piece, or the node above it with that number, is not as it was written. In a part it counts as missing now.
    case damaged(piece: Int)
    case notHere
}
