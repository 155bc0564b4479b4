import Glibc
package import LatticeWire

/// The bytes of blobs, in a folder beside the store. One process has it at a time; its own thread does all the work.
///
/// Nothing is stored that is not proven, and a kill at any moment loses at most the pieces of the last batches. `BlobTable`
/// knows which blobs there are and why: add the row first, `finish`, `BlobTable.markComplete`, then `forgetMap`.
package final class BlobFiles: Sendable {
    /// Pieces that are read or written at once: 256 KiB.
    package static let batchMax = 8

    private let thread = BlobThread()
    private let paths: BlobPaths

    /// Creates the folder if it is missing, and takes its lock.
    ///
    /// - Parameters:
    ///   - storePath: of the SQLite file.
    ///   - boot: when the machine was started; `nil` if unknown.
    /// - Throws: `BlobFault.inUse` if another process has the folder.
    package init(beside storePath: String, boot: BootID? = .current) throws(BlobFault) {
        let paths = BlobPaths(beside: storePath)
        self.paths = paths
        for folder in [paths.folder, paths.parts, paths.new] { try DiskFolder.make(folder) }
        let lock = try DiskFile(paths.lock, O_RDWR | O_CREAT)
        guard flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .inUse(path: paths.folder) : BlobFault.last(paths.lock)
        }
        thread.start(lock) { BlobFolder(paths, boot: boot) }
        _ = thread.add { folder in
            do {
                try folder.emptyNew()
            } catch {
                // They only take space, and the next start tries again.
            }
        }
    }

    deinit { thread.end() }

    /// Does what was asked for, gives the folder free, and takes nothing more.
    package func close() async {
        thread.end()
        await thread.waitForEnd()
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (BlobFolder) throws(BlobFault) -> Value
    ) async throws(BlobFault) -> Value {
        let result: Result<Value, BlobFault> = await withCheckedContinuation { continuation in
            let fault = thread.add { folder in
                do throws(BlobFault) {
                    continuation.resume(returning: .success(try body(folder)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if let fault { continuation.resume(returning: .failure(fault)) }
        }
        return try result.get()
    }

    // MARK: - Arriving

    /// Finds out what a start has of blobs that are not complete or have no use: `BlobTable.pending`.
    ///
    /// - Returns: one for each name, in their order. For `complete`, mark it and forget its map.
    package func recover(_ names: [BlobName]) async throws(BlobFault) -> [BlobRemains] {
        try await run { folder throws(BlobFault) in try folder.recover(names) }
    }

    /// Creates the files for the pieces of a blob, or opens them. After a restart of the machine it hashes what should be
    /// there.
    ///
    /// - Returns: the pieces that are here; all of them if the blob is complete.
    package func begin(_ name: BlobName) async throws(BlobFault) -> PieceSet {
        while true {
            if let pieces = try await run({ folder throws(BlobFault) in try folder.begin(name) }) { return pieces }
        }
    }

    /// Verifies and stores pieces of a blob that has begun.
    ///
    /// - Parameter pieces: at most `batchMax`.
    /// - Returns: a verdict for each, in their order.
    package func write(_ pieces: [BlobPiece], of name: BlobName) async throws(BlobFault) -> [PieceVerdict] {
        precondition(pieces.count <= Self.batchMax, "larger batches would hold up other blobs")
        return try await run { folder throws(BlobFault) in try folder.write(pieces, of: name) }
    }

    /// Gives a blob whose pieces are all here its name, once they are on the disk. Its map stays until `forgetMap`.
    ///
    /// - Throws: `BlobFault.incomplete` while pieces are missing.
    package func finish(_ name: BlobName) async throws(BlobFault) {
        try await run { folder throws(BlobFault) in try folder.finish(name) }
    }

    /// Removes the map of a blob that was marked complete.
    package func forgetMap(of name: BlobName) async throws(BlobFault) {
        try await run { folder throws(BlobFault) in try folder.forgetMap(of: name) }
    }

    // MARK: - Reading

    /// The pieces of these numbers that are here, in their order. They are not verified again.
    ///
    /// - Parameter numbers: at most `batchMax`.
    package func read(_ numbers: [Int], of name: BlobName) async throws(BlobFault) -> [BlobPiece] {
        precondition(numbers.count <= Self.batchMax, "larger batches would hold up other blobs")
        return try await run { folder throws(BlobFault) in try folder.read(numbers, of: name) }
    }

    /// Hashes a piece on the disk. If it is false, a part takes it for missing; a complete blob needs `reopen`.
    package func verifyPiece(_ number: Int, of name: BlobName) async throws(BlobFault) -> PieceCheck {
        try await run { folder throws(BlobFault) in try folder.check(number, of: name) }
    }

    /// Makes a part of a complete blob, so that damaged pieces can come again. Call `BlobTable.markPartial` before.
    ///
    /// - Returns: the pieces that are here.
    package func reopen(_ name: BlobName, without numbers: [Int]) async throws(BlobFault) -> PieceSet {
        try await run { folder throws(BlobFault) in try folder.reopen(name, without: numbers) }
    }

    /// What the files of a blob take on disk.
    package func heldBytes(of name: BlobName) async throws(BlobFault) -> Int64 {
        try await run { folder throws(BlobFault) in try folder.heldBytes(of: name) }
    }

    /// Whether there is space for the rest of a blob, and for a copy of it.
    ///
    /// - Parameters:
    ///   - isComplete: nothing of the blob itself has to come.
    ///   - copy: where it will be copied to, and the size of the copy; `nil` for no copy.
    /// - Returns: what is missing; `nil` if there is space.
    package func spaceMissing(
        for name: BlobName, isComplete: Bool, copy: (folder: String, bytes: Int64)?
    ) async throws(BlobFault) -> SpaceNeeded? {
        let store = paths.folder
        return try await run { folder throws(BlobFault) in
            var needs: [(path: String, bytes: Int64, disk: DiskSpace)] = []
            if !isComplete {
                let rest = max(0, BlobRows.diskBytes(of: name) - (try folder.heldBytes(of: name)))
                needs.append((store, rest, try DiskSpace.of(store)))
            }
            if let copy { needs.append((copy.folder, copy.bytes, try DiskSpace.of(copy.folder))) }
            return SpaceNeeded.missing(needs)
        }
    }

    /// What is free on the disk of these files.
    package func space() async throws(BlobFault) -> DiskSpace {
        let store = paths.folder
        return try await run { _ throws(BlobFault) in try DiskSpace.of(store) }
    }

    // MARK: - From and for a person

    /// Begins a blob that a person adds.
    package func add(bytesMax: Int64 = BlobName.sizeMax) async throws(BlobFault) -> NewBlob {
        let number = try await run { folder throws(BlobFault) in
            try folder.beginUpload(bytesMax: bytesMax, isSealed: false)
        }
        return NewBlob(self, number, isSealed: false)
    }

    /// Begins a blob that is encrypted as it comes, with a key of its own. The plaintext never reaches the disk.
    package func addSealed(bytesMax: Int64 = SealedShape.plainBytesMax) async throws(BlobFault) -> NewBlob {
        let number = try await run { folder throws(BlobFault) in
            try folder.beginUpload(bytesMax: min(bytesMax, SealedShape.plainBytesMax), isSealed: true)
        }
        return NewBlob(self, number, isSealed: true)
    }

    func onUpload<Value: Sendable>(
        _ number: Int, _ body: @escaping @Sendable (BlobUpload) throws(BlobFault) -> Value
    ) async throws(BlobFault) -> Value {
        try await run { folder throws(BlobFault) in try body(folder.upload(number)) }
    }

    func placeUpload(_ number: Int) async throws(BlobFault) {
        try await run { folder throws(BlobFault) in try folder.placeUpload(number) }
    }

    func cancelUpload(_ number: Int) {
        _ = thread.add(endsSomething: true) { folder in
            do {
                try folder.cancelUpload(number)
            } catch {
                // The next start removes the files.
            }
        }
    }

    /// Copies a complete blob to a new file, and hashes each piece before it is written.
    ///
    /// - Parameters:
    ///   - path: the folder of the new file.
    ///   - name: `name (2).ext` if a file has that name already; a leading dot becomes `_`.
    /// - Returns: the path of the new file.
    /// - Throws: `BlobFault.damaged`; then there is no new file.
    package func export(
        _ blob: BlobName, into path: String, as name: FileName
    ) async throws(BlobFault) -> String {
        try await copy(as: name) { folder throws(BlobFault) in try folder.beginExport(blob, nil, into: path) }
    }

    /// Copies an encrypted file to a new file, and opens it.
    ///
    /// - Throws: `BlobFault.damaged`, or `BlobFault.notOpened` if the key does not fit; then there is no new file.
    package func export(_ file: SealedFile, into path: String) async throws(BlobFault) -> String {
        try await copy(as: file.name) { folder throws(BlobFault) in
            try folder.beginExport(file.blob, file, into: path)
        }
    }

    /// Unpacks a complete blob that is a folder.
    ///
    /// - Parameters:
    ///   - path: the folder of the new folder.
    ///   - name: `name (2)` if something has that name already; a leading dot becomes `_`.
    /// - Returns: the path of the new folder.
    /// - Throws: `BlobFault.notAFolder` if the list breaks a rule, `BlobFault.damaged`; then there is no new folder.
    package func exportFolder(
        _ blob: BlobName, into path: String, as name: FileName
    ) async throws(BlobFault) -> String {
        try await copy(as: name) { folder throws(BlobFault) in try folder.beginFolderExport(blob, nil, into: path) }
    }

    /// Opens and unpacks an encrypted folder.
    package func exportFolder(_ file: SealedFile, into path: String) async throws(BlobFault) -> String {
        try await copy(as: file.name) { folder throws(BlobFault) in
            try folder.beginFolderExport(file.blob, file, into: path)
        }
    }

    private func copy(
        as name: FileName, _ begin: @escaping @Sendable (BlobFolder) throws(BlobFault) -> Int
    ) async throws(BlobFault) -> String {
        let number = try await run(begin)
        do throws(BlobFault) {
            while try await run({ folder throws(BlobFault) in try folder.export(number).copySome() }) {
                if Task.isCancelled { throw .cancelled }
            }
            let path = try await run { folder throws(BlobFault) in try folder.export(number).publish(as: name) }
            await endExport(number)
            return path
        } catch {
            // What is left of it is gone before the caller hears of it.
            await endExport(number)
            throw error
        }
    }

    private func endExport(_ number: Int) async {
        await withCheckedContinuation { continuation in
            let fault = thread.add(endsSomething: true) { folder in
                folder.endExport(number)
                continuation.resume()
            }
            if fault != nil { continuation.resume() }
        }
    }

    // MARK: - Removing

    /// Renames the files of a blob, and removes them soon: for `BlobTable.removeUnused` and `evict`. It waits for no other
    /// work on files.
    ///
    /// - Returns: `false` if the system refuses.
    package func setAside(_ name: BlobName) -> Bool {
        guard paths.setAside(name) else { return false }
        _ = thread.add(endsSomething: true) { folder in
            do {
                try folder.removeAside(name)
            } catch {
                // The next start removes them.
            }
        }
        return true
    }

    /// Removes the files of a blob, whether it is complete or not.
    package func remove(_ name: BlobName) async throws(BlobFault) {
        try await run { folder throws(BlobFault) in try folder.remove(name) }
    }
}

/// A blob that a person adds. If it is released before `place`, nothing of it stays.
package final class NewBlob: Sendable {
    private let files: BlobFiles
    private let number: Int
    /// Whether it is encrypted as it comes.
    package let isSealed: Bool

    fileprivate init(_ files: BlobFiles, _ number: Int, isSealed: Bool) {
        (self.files, self.number, self.isSealed) = (files, number, isSealed)
    }

    deinit { cancel() }

    /// Hashes and writes the next bytes; encrypts them first if the blob is sealed.
    ///
    /// - Throws: `BlobFault.tooLarge`, or why they were not written; then the blob cannot be finished.
    package func append(_ bytes: [UInt8]) async throws(BlobFault) {
        try await files.onUpload(number) { upload throws(BlobFault) in try upload.append(bytes) }
    }

    /// All bytes that were appended, of a blob that is not encrypted.
    ///
    /// - Throws: `BlobFault.tooLarge` if there are more than `max`.
    package func bytes(max: Int) async throws(BlobFault) -> [UInt8] {
        precondition(!isSealed, "the plaintext is not on the disk")
        return try await files.onUpload(number) { upload throws(BlobFault) in try upload.bytes(max: max) }
    }

    /// Returns when all bytes are on the disk. Add the blob to `BlobTable` now, then call `place`: files that no row names
    /// would stay for ever.
    package func finish() async throws(BlobFault) -> BlobName {
        precondition(!isSealed, "the key would be lost")
        return try await files.onUpload(number) { upload throws(BlobFault) in try upload.seal() }
    }

    /// Like `finish`, for a blob that is encrypted.
    ///
    /// - Parameter preview: at most 8 KiB.
    /// - Returns: the blob and its key.
    package func finishSealed(
        as name: FileName, type: MediaType, preview: [UInt8]? = nil
    ) async throws(BlobFault) -> SealedFile {
        precondition(isSealed, "only a blob that was begun so is encrypted")
        while try await files.onUpload(number, { upload throws(BlobFault) in try upload.padSome() }) {}
        return try await files.onUpload(number) { upload throws(BlobFault) in
            try upload.sealFile(as: name, type: type, preview: preview)
        }
    }

    /// Gives the files their name. The blob can be marked complete then.
    package func place() async throws(BlobFault) {
        try await files.placeUpload(number)
    }

    /// Removes what was written, unless it was placed.
    package func cancel() {
        files.cancelUpload(number)
    }
}
