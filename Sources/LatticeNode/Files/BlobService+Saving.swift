import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Files for a person: shared, fetched and saved.
extension BlobService {
    /// Bytes that are read of a file at once.
    private static let chunkBytes = 256 << 10

    /// Copies a file into the store of blobs.
    nonisolated(nonsending) func add(
        _ path: String, isSealed: Bool, at now: WallTime
    ) async throws(RequestError) -> DraftFile {
        do {
            let new = try await newBlob(isSealed: isSealed, path: path)
            let (source, name) = (try SourceFile(path), FileName(ofPath: path))
            while let chunk = try await source.next(Self.chunkBytes) { try await new.append(chunk) }
            let bounds = isSealed ? nil : await MapShelf.archive(path)?.bounds
            return try await settle(
                new, as: name, type: MediaType(ofFile: name), bounds: bounds, from: path, at: now)
        } catch let error as RequestError {
            throw error
        } catch let error as BlobFault {
            throw RequestError(error, path: path)
        } catch {
            throw .file(fault: .broken(path: path, reason: "\(error)"))
        }
    }

    /// A line or record names the blob from now on.
    nonisolated(nonsending) func attach(
        _ draft: DraftFile, to use: BlobUse, at now: WallTime
    ) async throws(RequestError) {
        do {
            _ = try await store.blobs.add(draft.blob, .own, use: use, at: now)
            try await store.blobs.remove(.draft(draft.number, until: now), of: draft.blob)
        } catch {
            throw RequestError(error)
        }
    }

    /// Nothing will name it.
    nonisolated(nonsending) func discard(_ draft: DraftFile, at now: WallTime) async {
        do {
            try await store.blobs.remove(.draft(draft.number, until: now), of: draft.blob)
        } catch {
            return  // It ends after an hour.
        }
    }

    /// Its copy here goes, unless something else keeps the blob.
    nonisolated(nonsending) func drop(_ file: ListedFile, at now: WallTime) async throws(RequestError) {
        do {
            try await store.blobs.remove(file.use, of: file.blob)
            try await store.blobs.remove(.passing(until: now), of: file.blob)
        } catch {
            throw RequestError(error)
        }
    }

    /// Refuses what the disk has no space for.
    private nonisolated(nonsending) func checkSpace(
        for file: ListedFile, into folder: String?
    ) async throws(RequestError) {
        let missing: SpaceNeeded?
        do {
            let row = try await store.blobs.find(file.blob)
            missing = try await files.spaceMissing(
                for: file.blob, isComplete: row?.isComplete ?? false, copy: folder.map { ($0, file.size) })
        } catch {
            return  // What the system does not say is found out by writing.
        }
        guard let missing else { return }
        throw .file(
            fault: .tooLittleSpace(
                path: missing.path, neededBytes: missing.neededBytes, freeBytes: missing.usableBytes))
    }

    /// Fetches a blob if it is not here, and saves it in a folder.
    ///
    /// - Parameter asker: who asked for it; the owner then hears how it goes.
    /// - Throws: `file` with `tooLittleSpace`, before anything of it is fetched.
    func get(
        _ file: ListedFile, into folder: String?, by asker: Downloads.Asker = .owner, for node: isolated Node
    ) async throws(RequestError) {
        let (name, now) = (file.blob, node.clock.now)
        try await checkSpace(for: file, into: folder)
        do {
            _ = try await store.blobs.add(name, .own, use: file.use, at: now)
            let row = try await store.blobs.add(name, .own, use: .kept(by: node.personas.owner.id), at: now)
            downloads.begin(file, into: folder, for: asker)
            if row?.isComplete == true {
                if let folder { try await store.downloads.begin(file.id, of: name, into: folder) }
                node.mail.wake()
                return await save(name, for: node)
            }
            let have = try await files.begin(name)
            if let folder { try await store.downloads.begin(file.id, of: name, into: folder) }
            downloads.progressed(name, have.count)
            let link = node.ask { $0.register.connectedLinks }.first { $0.peer == file.author }?.link
            handle(.wanted(name, have: have, from: link), for: node)
        } catch let error as BlobFault {
            downloads.end(name)
            throw RequestError(error, path: folder ?? store.path)
        } catch let error as StoreError {
            downloads.end(name)
            throw RequestError(error)
        } catch {
            downloads.end(name)
            throw .file(fault: .broken(path: folder ?? store.path, reason: "\(error)"))
        }
    }

    /// Saves what a person asked for of a blob that is complete.
    func save(_ name: BlobName, for node: isolated Node) async {
        guard downloads.beginSaving(name) else { return }
        defer { downloads.end(name) }
        await forgetKept(name, for: node)
        while let target = downloads.nextTarget(of: name) {
            let (file, folder) = (target.file, target.folder)
            do throws(BlobFault) {
                try Self.make(folder)
                let path = try await export(file, into: folder)
                downloads.ended(file.id, .saved(path))
                await note(file, in: folder, savedAs: path)
                node.notifier.notifyOwner(
                    .notice(.fileSaved(name: file.name.text, path: path)), for: node)
            } catch {
                let fault = RequestError.fault(error, path: folder)
                downloads.ended(file.id, .failed(fault))
                await note(file, in: folder, savedAs: nil)
                node.notifier.notifyOwner(
                    .notice(.fileUnsaved(name: file.name.text, fault: fault)), for: node)
            }
        }
    }

    /// - Parameter path: `nil` if it could not be saved.
    private nonisolated(nonsending) func note(_ file: ListedFile, in folder: String, savedAs path: String?) async {
        do {
            if let path {
                try await store.downloads.saved(file.id, in: folder, as: path)
            } else {
                try await store.downloads.remove(file.id, from: folder)
            }
        } catch {
            return  // The next start saves it once more.
        }
    }

    /// Goes on with what a person asked for before this start.
    func resumeDownloads(for node: isolated Node) async {
        do {
            var complete: [BlobName] = []
            for download in try await store.downloads.all() {
                if let path = download.path {
                    downloads.ended(download.file, .saved(path))
                } else if let file = await FileHandlers.listed(download.file, on: node) {
                    downloads.begin(file, into: download.folder)
                    guard let row = try await store.blobs.find(file.blob) else { continue }
                    if row.isComplete { complete.append(file.blob) }
                } else {
                    try await store.downloads.remove(download.file, from: download.folder)
                }
            }
            for name in complete { await save(name, for: node) }
        } catch {
            logger.warning("cannot read the list of downloads", metadata: ["error": "\(error)"])
        }
    }

    private nonisolated(nonsending) func export(
        _ file: ListedFile, into folder: String
    ) async throws(BlobFault) -> String {
        switch (file.content, file.type.isFolder) {
        case (.open(let body), false): try await files.export(body.blob, into: folder, as: body.name)
        case (.open(let body), true): try await files.exportFolder(body.blob, into: folder, as: body.name)
        case (.sealed(let sealed), false): try await files.export(sealed, into: folder)
        case (.sealed(let sealed), true): try await files.exportFolder(sealed, into: folder)
        }
    }

    private static func make(_ folder: String) throws(BlobFault) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .ioFailed(path: folder, code: ENOTDIR)
        }
    }

    func noHolder(of name: BlobName, for node: isolated Node) {
        guard let file = downloads.nowhere(name) else { return }
        node.notifier.notifyOwner(.notice(.fileNowhere(name: file.text)), for: node)
    }

    /// The record that names it keeps it from now on.
    private func forgetKept(_ name: BlobName, for node: isolated Node) async {
        do {
            try await store.blobs.remove(.kept(by: node.personas.owner.id), of: name)
        } catch {
            return  // It is kept longer than necessary.
        }
    }

    /// Stops fetching for a person. What has come stays until the record that names it is gone, or others need the space.
    func cancel(_ file: ListedFile, for node: isolated Node) async {
        let name = file.blob
        guard downloads[name] != nil else { return }
        downloads.end(name)
        end(name, for: node)
        await forgetKept(name, for: node)
        do {
            try await store.downloads.removeUnsaved(name)
            // A start does not go on with it.
            try await store.blobs.reclassify(name, as: .strangers, author: file.author)
        } catch {
            return
        }
    }
}

extension RequestError {
    init(_ fault: BlobFault, path: String) { self = .file(fault: Self.fault(fault, path: path)) }

    static func fault(_ fault: BlobFault, path: String) -> FileFault {
        switch fault {
        case .diskFull(let path): .diskFull(path: path)
        case .ioFailed(let path, let code) where code == EROFS || code == EACCES:
            .readOnly(path: path, reason: String(cString: strerror(code)))
        case .ioFailed(let path, let code):
            .failed(path: path, use: .write, reason: String(cString: strerror(code)), isDiskFull: false)
        case .inUse(let path): .locked(path: path)
        case .damaged:
            .failed(path: path, use: .read, reason: "a piece of it is damaged on disk; get it again", isDiskFull: false)
        case .notOpened:
            .failed(path: path, use: .read, reason: "the key that came with it does not open it", isDiskFull: false)
        case .notAFolder:
            .failed(path: path, use: .read, reason: "it is not a valid folder", isDiskFull: false)
        case .noFreeName:
            .failed(path: path, use: .write, reason: "too many files there have this name", isDiskFull: false)
        case .tooLarge: .failed(path: path, use: .read, reason: "it is larger than 32 GiB", isDiskFull: false)
        case .notHere, .incomplete, .queueFull, .closed, .cancelled:
            .failed(path: path, use: .write, reason: "the store of files is busy; try again", isDiskFull: false)
        }
    }
}

/// A file that a person shares. It is read off the node's loop.
struct SourceFile {
    private let handle: FileHandle
    private let path: String

    /// - Throws: `RequestError.file` for a folder, a device or a pipe, and for what cannot be opened.
    init(_ path: String) throws(RequestError) {
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.fault(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .file(fault: .notPlain(path: path, use: .read)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.fault(path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private static func fault(_ path: String) -> RequestError {
        .file(fault: .failed(path: path, use: .read, reason: String(cString: strerror(errno)), isDiskFull: false))
    }

    /// - Returns: `nil` at the end.
    @concurrent func next(_ count: Int) async throws -> [UInt8]? {
        guard let data = try handle.read(upToCount: count), !data.isEmpty else { return nil }
        return [UInt8](data)
    }
}
