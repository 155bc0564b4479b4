import Glibc
import LatticeCrypto
import LatticeWire

/// What a start found of a blob.
package enum BlobRemains: Hashable, Sendable {
    case complete
    /// Some pieces, and what they take on disk.
    case part(heldBytes: Int64)
    case nothing
}

/// The files of all blobs of a store. Only the thread of `BlobFiles` uses it.
///
/// Each step leaves files that the next start understands, whenever the process is killed: see `remains`.
final class BlobFolder {
    /// Three descriptors a part, two a complete blob.
    private static let openMax = 16

    let paths: BlobPaths
    private let boot: BootID?
    private var parts = RecentlyUsed<BlobPart>(countMax: openMax)
    private var complete = RecentlyUsed<CompleteBlob>(countMax: openMax)
    private var uploads: [Int: BlobUpload] = [:]
    private var exports: [Int: any BlobCopy] = [:]
    /// Of uploads and exports.
    private var lastNumber = 0

    init(_ paths: BlobPaths, boot: BootID?) {
        (self.paths, self.boot) = (paths, boot)
    }

    /// Removes what uploads and removals left unfinished.
    func emptyNew() throws(BlobFault) {
        for name in try DiskFolder.names(in: paths.new) { try DiskFolder.remove("\(paths.new)/\(name)") }
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: - Parts

    /// A part that is here.
    private func part(_ name: BlobName) throws(BlobFault) -> BlobPart? {
        if let part = parts.value(of: name) { return part }
        guard let part = try BlobPart.open(name, at: paths.part(name), boot: boot) else { return nil }
        parts.add(part, as: name)
        return part
    }

    private func completeBlob(_ name: BlobName) throws(BlobFault) -> CompleteBlob? {
        if let found = complete.value(of: name) { return found }
        guard let files = try PieceFiles(name, at: paths.complete(name), O_RDONLY) else { return nil }
        let blob = CompleteBlob(files)
        complete.add(blob, as: name)
        return blob
    }

    /// Creates the files of a part, or opens them, and does some of the checks that follow a restart of the machine.
    ///
    /// - Returns: the pieces that are here; `nil` if it must be called again.
    func begin(_ name: BlobName) throws(BlobFault) -> PieceSet? {
        if let part = try part(name) { return try part.checkSome() ? nil : part.pieces }
        if try completeBlob(name) != nil { return Self.all(of: name) }
        try removePart(name)
        let part = try BlobPart.create(name, at: paths.part(name), boot: boot)
        parts.add(part, as: name)
        return part.pieces
    }

    static func all(of name: BlobName) -> PieceSet {
        let count = BlobShape(name).pieceCount
        var all = PieceSet(of: count)
        all.insert(0..<count)
        return all
    }

    func write(_ pieces: [BlobPiece], of name: BlobName) throws(BlobFault) -> [PieceVerdict] {
        guard let part = try part(name) else { throw .notHere }
        return try part.write(pieces)
    }

    func finish(_ name: BlobName) throws(BlobFault) {
        guard let part = try part(name) else {
            guard try completeBlob(name) != nil else { throw .notHere }
            return
        }
        try part.sync()
        try place(name, from: paths.part(name))
        parts.remove(name)
    }

    /// Gives the synced files of a whole blob their name: the tree first, since a blob under its name counts as complete.
    func place(_ name: BlobName, from path: String) throws(BlobFault) {
        complete.remove(name)
        if try DiskFolder.make(paths.completeFolder(name)) { try DiskFolder.sync(paths.folder) }
        let target = paths.complete(name)
        if BlobShape(name).height > 0, try !DiskFolder.move(BlobPaths.tree(path), to: BlobPaths.tree(target)) {
            // An earlier attempt may have moved it.
            guard try DiskFolder.facts(BlobPaths.tree(target)) != nil else { throw .notHere }
        }
        guard try DiskFolder.move(path, to: target) else { throw .notHere }
        try DiskFolder.sync(paths.completeFolder(name))
    }

    func forgetMap(of name: BlobName) throws(BlobFault) {
        guard try DiskFolder.facts(paths.part(name)) == nil else { return }
        try DiskFolder.remove(BlobPaths.map(paths.part(name)))
    }

    /// Makes a part of a complete blob again, without pieces that are damaged.
    func reopen(_ name: BlobName, without numbers: [Int]) throws(BlobFault) -> PieceSet {
        complete.remove(name)
        let (path, source) = (paths.part(name), paths.complete(name))
        guard try DiskFolder.facts(source) != nil else { throw .notHere }
        try removePart(name)
        var pieces = Self.all(of: name)
        for number in numbers where (0..<pieces.pieceCount).contains(number) { pieces.remove(number) }
        _ = try PieceMap(creating: BlobPaths.map(path), of: name, boot: boot, bits: pieces)
        guard try DiskFolder.move(source, to: path) else { throw .notHere }
        try DiskFolder.move(BlobPaths.tree(source), to: BlobPaths.tree(path))
        return pieces
    }

    // MARK: - Reading

    func read(_ numbers: [Int], of name: BlobName) throws(BlobFault) -> [BlobPiece] {
        let count = BlobShape(name).pieceCount
        let part = try part(name)
        let whole = part == nil ? try completeBlob(name) : nil
        guard part != nil || whole != nil else { throw .notHere }
        var pieces: [BlobPiece] = []
        for number in numbers where (0..<count).contains(number) {
            let bytes: [UInt8]?
            if let part { bytes = try part.read(number) } else { bytes = try whole?.files.read(number) }
            guard let bytes else { continue }
            guard bytes.count == BlobShape(name).byteCount(of: number) else { throw .damaged(piece: number) }
            pieces.append(BlobPiece(number, bytes))
        }
        return pieces
    }

    func check(_ number: Int, of name: BlobName) throws(BlobFault) -> PieceCheck {
        guard (0..<BlobShape(name).pieceCount).contains(number) else { return .notHere }
        if let part = try part(name) { return try part.check(number) }
        guard let whole = try completeBlob(name) else { return .notHere }
        return try whole.files.damage(of: number).map { .damaged(piece: $0) } ?? .right
    }

    /// What the files of a blob take on disk.
    func heldBytes(of name: BlobName) throws(BlobFault) -> Int64 {
        var sum: Int64 = 0
        for path in [paths.part(name), paths.complete(name)] {
            for file in [path, BlobPaths.tree(path), BlobPaths.map(path)] {
                sum += try DiskFolder.facts(file)?.heldBytes ?? 0
            }
        }
        return sum
    }

    // MARK: - Uploads and exports

    func beginUpload(bytesMax: Int64, isSealed: Bool) throws(BlobFault) -> Int {
        let number = nextNumber()
        uploads[number] = try BlobUpload(
            path: paths.new(number), bytesMax: bytesMax, sealer: isSealed ? FileSealer() : nil)
        return number
    }

    func upload(_ number: Int) throws(BlobFault) -> BlobUpload {
        guard let upload = uploads[number] else { throw .closed }
        return upload
    }

    func placeUpload(_ number: Int) throws(BlobFault) {
        let upload = try upload(number)
        try upload.place(in: self)
        uploads[number] = nil
        // The rest of a part that was arriving meanwhile.
        if let name = upload.name { try removePart(name) }
    }

    func cancelUpload(_ number: Int) throws(BlobFault) {
        try uploads.removeValue(forKey: number)?.cancel()
    }

    /// - Parameter file: of an encrypted blob.
    func beginExport(_ name: BlobName, _ file: SealedFile?, into path: String) throws(BlobFault) -> Int {
        let content = try content(of: name, file)
        let number = nextNumber()
        exports[number] = BlobExport(content, to: try ExportFile(in: path, number: number))
        return number
    }

    func beginFolderExport(_ name: BlobName, _ file: SealedFile?, into path: String) throws(BlobFault) -> Int {
        let content = try content(of: name, file)
        let number = nextNumber()
        exports[number] = FolderExport(content, to: try ExportFolder(in: path))
        return number
    }

    private func content(of name: BlobName, _ file: SealedFile?) throws(BlobFault) -> BlobContent {
        guard let whole = try completeBlob(name) else { throw .notHere }
        return BlobContent(whole.files, file)
    }

    func export(_ number: Int) throws(BlobFault) -> any BlobCopy {
        guard let export = exports[number] else { throw .closed }
        return export
    }

    func endExport(_ number: Int) { exports[number] = nil }

    // MARK: - Removing

    private func removePart(_ name: BlobName) throws(BlobFault) {
        parts.remove(name)
        let path = paths.part(name)
        for file in [path, BlobPaths.tree(path), BlobPaths.map(path)] { try DiskFolder.remove(file) }
    }

    /// Removes all files of a blob, also those that were set aside.
    func remove(_ name: BlobName) throws(BlobFault) {
        try removePart(name)
        complete.remove(name)
        for path in [paths.complete(name), paths.aside(name)] {
            for file in [path, BlobPaths.tree(path), BlobPaths.map(path)] { try DiskFolder.remove(file) }
        }
    }

    /// Closes the files of a blob that were set aside, and removes them.
    func removeAside(_ name: BlobName) throws(BlobFault) {
        parts.remove(name)
        complete.remove(name)
        let path = paths.aside(name)
        for file in [path, BlobPaths.tree(path), BlobPaths.map(path)] { try DiskFolder.remove(file) }
    }
}

extension BlobPaths {
    /// Renames all files of a blob to names that the next start removes. It may be called from any thread.
    ///
    /// - Returns: `false` if the system refuses.
    func setAside(_ name: BlobName) -> Bool {
        do {
            for path in [part(name), complete(name)] {
                for (file, target) in [
                    (path, aside(name)), (Self.tree(path), Self.tree(aside(name))),
                    (Self.map(path), Self.map(aside(name))),
                ] { try DiskFolder.move(file, to: target) }
            }
            return true
        } catch {
            return false  // The blob stays, and is tried again.
        }
    }
}

/// The files of a complete blob.
final class CompleteBlob {
    var files: PieceFiles

    init(_ files: PieceFiles) { self.files = files }
}

/// A few open values, without the one that was not used for longest.
struct RecentlyUsed<Value> {
    private let countMax: Int
    /// The last used last.
    private var entries: [(name: BlobName, value: Value)] = []

    init(countMax: Int) { self.countMax = countMax }

    mutating func value(of name: BlobName) -> Value? {
        guard let index = entries.firstIndex(where: { $0.name == name }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.value
    }

    mutating func add(_ value: Value, as name: BlobName) {
        remove(name)
        if entries.count >= countMax { entries.removeFirst() }
        entries.append((name, value))
    }

    mutating func remove(_ name: BlobName) { entries.removeAll { $0.name == name } }
}
