import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// Files whose bytes a front sends.
extension BlobService {
    private static let draftSeconds: Int64 = 3_600

    nonisolated(nonsending) func beginUpload() async throws(RequestError) -> UploadID {
        guard !uploads.isFull else { throw .uploadsFull(max: BeginUpload.countMax) }
        let blob: NewBlob
        do throws(BlobFault) {
            blob = try await files.add()
        } catch {
            throw RequestError(error, path: store.path)
        }
        // Others may have begun meanwhile.
        guard !uploads.isFull else { throw .uploadsFull(max: BeginUpload.countMax) }
        let id = UploadID(SecureRandom.word())
        uploads.begin(id, blob, at: Clocks.now)
        return id
    }

    /// Bytes that could not be stored end the upload.
    nonisolated(nonsending) func append(_ request: AppendUpload) async throws(RequestError) {
        let blob = try uploads.append(request, at: Clocks.now)
        do {
            try await blob.append(request.bytes)
            uploads.stored(request.upload)
        } catch {
            _ = uploads.end(request.upload)
            throw RequestError(error, path: store.path)
        }
    }

    func cancelUpload(_ id: UploadID) { uploads.end(id)?.cancel() }

    nonisolated(nonsending) func finishUpload(
        _ id: UploadID, at now: WallTime
    ) async throws(RequestError) -> (BlobName, draft: Int64) {
        try await settle(try uploads.finish(id), from: store.path, at: now)
    }

    /// Makes a draft of a blob whose bytes have all come. A draft ends after an hour, unless a record names it.
    nonisolated(nonsending) func settle(
        _ new: NewBlob, from path: String, at now: WallTime
    ) async throws(RequestError) -> (BlobName, draft: Int64) {
        let draft = Int64(SecureRandom.word() >> 1)
        do {
            let name = try await new.finish()
            let until = WallTime(milliseconds: now.milliseconds + Self.draftSeconds * 1_000)
            let row = try await store.blobs.add(name, .own, use: .draft(draft, until: until), at: now)
            guard row?.isComplete != true else { return (name, draft) }
            try await new.place()
            try await store.blobs.markComplete(name)
            return (name, draft)
        } catch let error as BlobFault {
            throw RequestError(error, path: path)
        } catch let error as StoreError {
            throw RequestError(error)
        } catch {
            throw .file(fault: .broken(path: path, reason: "\(error)"))
        }
    }
}
