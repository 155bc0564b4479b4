import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

// Files whose bytes a front sends.
extension BlobService {
    private static let draftSeconds: Int64 = 3_600

    /// - Parameters:
    ///   - isSealed: whether the blob is encrypted as it comes.
    ///   - isOwner: visitors have smaller limits.
    nonisolated(nonsending) func beginUpload(
        for audience: FileAudience?, by author: PeerID, isOwner: Bool, isSealed: Bool
    ) async throws(RequestError) -> UploadID {
        guard !uploads.isFull else { throw .uploadsFull(max: BeginUpload.countMax) }
        if !isOwner { try await checkVisitor(author) }
        let blob = try await newBlob(isSealed: isSealed, path: store.path)
        // Others may have begun meanwhile.
        guard !uploads.isFull else { throw .uploadsFull(max: BeginUpload.countMax) }
        if !isOwner { try checkCounts(author) }
        let id = UploadID(SecureRandom.word())
        uploads.begin(id, blob, for: audience, by: author, at: Clocks.now)
        return id
    }

    private func checkCounts(_ author: PeerID) throws(RequestError) {
        guard uploads.count(by: author) + photos.count(by: author) < VisitorFiles.uploadsMax else {
            throw .uploadsFull(max: VisitorFiles.uploadsMax)
        }
        guard uploads.count < VisitorFiles.allUploadsMax else { throw .uploadsFull(max: VisitorFiles.allUploadsMax) }
    }

    private nonisolated(nonsending) func checkVisitor(_ author: PeerID) async throws(RequestError) {
        try checkCounts(author)
        let space: DiskSpace
        do throws(BlobFault) {
            space = try await files.space()
        } catch {
            return  // What the system does not say is found out by writing.
        }
        guard space.usableBytes > VisitorFiles.fileBytesMax else {
            throw .file(fault: .diskFull(path: store.path))
        }
    }

    /// Bytes that could not be stored end the upload.
    nonisolated(nonsending) func append(
        _ request: AppendUpload, by author: PeerID, bytesMax: Int64
    ) async throws(RequestError) {
        let blob = try uploads.append(request, by: author, bytesMax: bytesMax, at: Clocks.now)
        do {
            try await blob.append(request.bytes)
            uploads.stored(request.upload)
        } catch {
            _ = uploads.end(request.upload)
            throw RequestError(error, path: store.path)
        }
    }

    /// - Throws: `unknownItem` if it is somebody else's.
    func checkMayCancel(_ id: UploadID, _ author: PeerID) throws(RequestError) {
        guard !uploads.isOfAnother(id, than: author), !photos.isOfAnother(id, than: author) else {
            throw .unknownItem(id: id.hex)
        }
    }

    func cancelUpload(_ id: UploadID) { uploads.end(id)?.cancel() }

    nonisolated(nonsending) func finishUpload(
        _ id: UploadID, as name: FileName, at now: WallTime
    ) async throws(RequestError) -> DraftFile {
        try await settle(
            try uploads.finish(id), as: name, type: MediaType(ofFile: name), from: store.path, at: now)
    }

    nonisolated(nonsending) func newBlob(isSealed: Bool, path: String) async throws(RequestError) -> NewBlob {
        do throws(BlobFault) {
            return isSealed ? try await files.addSealed() : try await files.add()
        } catch {
            throw RequestError(error, path: path)
        }
    }

    /// Makes a draft of a blob whose bytes have all come. A draft ends after an hour, unless a line or record names it.
    nonisolated(nonsending) func settle(
        _ new: NewBlob, as fileName: FileName, type: MediaType, bounds: MapBounds? = nil, from path: String,
        at now: WallTime
    ) async throws(RequestError) -> DraftFile {
        let draft = Int64(SecureRandom.word() >> 1)
        do {
            let content: DraftFile.Content =
                new.isSealed
                ? .sealed(try await new.finishSealed(as: fileName, type: type))
                : .open(ManifestBody(try await new.finish(), name: fileName, type: type, bounds: bounds))
            let file = DraftFile(content: content, number: draft)
            let until = WallTime(milliseconds: now.milliseconds + Self.draftSeconds * 1_000)
            let row = try await store.blobs.add(file.blob, .own, use: .draft(draft, until: until), at: now)
            guard row?.isComplete != true else { return file }
            try await new.place()
            try await store.blobs.markComplete(file.blob)
            return file
        } catch let error as BlobFault {
            throw RequestError(error, path: path)
        } catch let error as StoreError {
            throw RequestError(error)
        } catch {
            throw .file(fault: .broken(path: path, reason: "\(error)"))
        }
    }
}

/// A file that is here complete, and that nothing names yet.
struct DraftFile: Sendable {
    enum Content: Sendable {
        case open(ManifestBody)
        case sealed(SealedFile)
    }

    let content: Content
    let number: Int64

    var blob: BlobName {
        switch content {
        case .open(let body): body.blob
        case .sealed(let file): file.blob
        }
    }
}
