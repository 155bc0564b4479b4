import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

// Files for a person: shared, fetched and saved.
extension BlobService {
    /// Bytes that are read of a file at once.
    private static let chunkBytes = 256 << 10

    /// Copies a file into the store of blobs.
    nonisolated(nonsending) func add(_ path: String, at now: WallTime) async throws(RequestError) -> (
        BlobName, draft: Int64
    ) {
        do {
            let new = try await files.add()
            let source = try SourceFile(path)
            while let chunk = try await source.next(Self.chunkBytes) { try await new.append(chunk) }
            return try await settle(new, from: path, at: now)
        } catch let error as RequestError {
            throw error
        } catch let error as BlobFault {
            throw RequestError(error, path: path)
        } catch {
            throw .file(fault: .broken(path: path, reason: "\(error)"))
        }
    }

    /// A record names the blob from now on.
    nonisolated(nonsending) func attach(_ name: BlobName, draft: Int64, to record: RecordID, at now: WallTime)
        async throws(StoreError)
    {
        _ = try await store.blobs.add(name, .own, use: .record(record), at: now)
        try await store.blobs.remove(.draft(draft, until: now), of: name)
    }

    /// Fetches a blob if it is not here, and saves it in a folder.
    func get(
        _ file: StoredManifest, into folder: String?, for node: isolated Node
    ) async throws(RequestError) {
        let (name, now) = (file.body.blob, node.clock.now)
        do {
            _ = try await store.blobs.add(name, .own, use: .record(file.id), at: now)
            let row = try await store.blobs.add(name, .own, use: .kept(by: node.personas.owner.id), at: now)
            downloads.begin(
                name, file.id, file.body.name, isFolder: file.body.type.isFolder, into: folder)
            if row?.isComplete == true { return await save(name, for: node) }
            let have = try await files.begin(name)
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

    /// Saves a blob that is complete in the folders that a person named.
    func save(_ name: BlobName, for node: isolated Node) async {
        guard let download = downloads.beginSaving(name) else { return }
        defer { downloads.end(name) }
        await forgetKept(name, for: node)
        while let folder = downloads.nextFolder(of: name) {
            do throws(BlobFault) {
                try Self.make(folder)
                let path = try await export(name, download, into: folder)
                downloads.ended(download.file, .saved(path))
                node.notifier.notifyOwner(
                    .notice(.fileSaved(name: download.name.text, path: path)), for: node)
            } catch {
                let fault = RequestError.fault(error, path: folder)
                downloads.ended(download.file, .failed(fault))
                node.notifier.notifyOwner(
                    .notice(.fileUnsaved(name: download.name.text, fault: fault)), for: node)
            }
        }
    }

    private nonisolated(nonsending) func export(
        _ blob: BlobName, _ download: Downloads.Download, into folder: String
    ) async throws(BlobFault) -> String {
        download.isFolder
            ? try await files.exportFolder(blob, into: folder, as: download.name)
            : try await files.export(blob, into: folder, as: download.name)
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

    /// Bytes of a blob that is complete, verified once more.
    nonisolated(nonsending) func bytes(
        of name: BlobName, from offset: Int64, length: Int
    ) async throws(RequestError) -> [UInt8] {
        let end = min(name.size, offset + Int64(max(0, length)))
        guard offset >= 0, offset < end else { return [] }
        let shape = BlobShape(name)
        let (first, last) = (Int(offset / Int64(BlobShape.leafBytes)), Int((end - 1) / Int64(BlobShape.leafBytes)))
        do {
            var bytes: [UInt8] = []
            for leaf in first...last {
                let number = shape.number(of: .leaf(leaf))
                let parent = shape.parent(of: number)?.number
                let pieces = try await read([number] + (parent.map { [$0] } ?? []), of: name)
                guard let piece = pieces.first(where: { $0.number == number }) else { throw BlobFault.notHere }
                let proof = pieces.first { $0.number == parent }?.bytes ?? []
                guard BlobTree.proves(piece.bytes[...], isPiece: number, of: name, parent: proof[...]) else {
                    throw BlobFault.damaged(piece: number)
                }
                bytes += piece.bytes
            }
            let start = Int(offset - Int64(first) * Int64(BlobShape.leafBytes))
            return Array(bytes[start..<start + Int(end - offset)])
        } catch let fault as BlobFault {
            throw RequestError(fault, path: name.root.hex)
        } catch {
            throw .file(fault: .failed(path: name.root.hex, use: .read, reason: "\(error)", isDiskFull: false))
        }
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
    func cancel(_ file: StoredManifest, for node: isolated Node) async {
        let name = file.body.blob
        guard downloads[name] != nil else { return }
        downloads.end(name)
        end(name, for: node)
        await forgetKept(name, for: node)
        do {
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
private struct SourceFile {
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
