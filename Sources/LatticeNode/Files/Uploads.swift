import LatticeAPI
import LatticeCore
import LatticeStore

/// Files that fronts are uploading.
struct Uploads {
    private struct Upload {
        let blob: NewBlob
        /// Who sends it: nobody else may add to it.
        let author: PeerID
        let audience: FileAudience?
        var size: Int64 = 0
        var touchedAt: Instant
        /// Bytes are being stored; until then nothing more is taken.
        var isBusy = false
    }

    /// A front that is gone does not hold its upload for ever.
    private static let idleMax: Duration = .seconds(600)

    private var running: [UploadID: Upload] = [:]

    var isFull: Bool { running.count >= BeginUpload.countMax }

    /// Bytes that have come.
    func size(of id: UploadID) -> Int64 { running[id]?.size ?? 0 }

    var count: Int { running.count }

    func count(by author: PeerID) -> Int { running.values.count { $0.author == author } }

    /// - Throws: `unknownItem` if this person has no such upload.
    func check(_ id: UploadID, _ author: PeerID) throws(RequestError) {
        guard running[id]?.author == author else { throw .unknownItem(id: id.hex) }
    }

    /// Whether it is somebody else's.
    func isOfAnother(_ id: UploadID, than author: PeerID) -> Bool { running[id].map { $0.author != author } ?? false }

    mutating func begin(
        _ id: UploadID, _ blob: NewBlob, for audience: FileAudience?, by author: PeerID, at now: Instant
    ) {
        running[id] = Upload(blob: blob, author: author, audience: audience, touchedAt: now)
    }

    /// Notes that the next bytes came.
    ///
    /// - Throws: `unknownItem`, `wrongOffset`, `uploadBusy`.
    mutating func append(
        _ request: AppendUpload, by author: PeerID, bytesMax: Int64 = FileInfo.sizeMax, at now: Instant
    ) throws(RequestError) -> NewBlob {
        guard let upload = running[request.upload], upload.author == author else {
            throw .unknownItem(id: request.upload.hex)
        }
        guard !upload.isBusy else { throw .uploadBusy }
        guard request.offset == upload.size else { throw .wrongOffset(expected: upload.size) }
        guard upload.size + Int64(request.bytes.count) <= bytesMax else {
            running[request.upload] = nil
            throw .fileTooLarge(bytesMax: bytesMax)
        }
        running[request.upload]?.isBusy = true
        running[request.upload]?.size += Int64(request.bytes.count)
        running[request.upload]?.touchedAt = now
        return upload.blob
    }

    /// - Throws: `unknownItem`; `otherUpload` if it was begun for nobody.
    func audience(of id: UploadID) throws(RequestError) -> FileAudience {
        guard let upload = running[id] else { throw .unknownItem(id: id.hex) }
        guard let audience = upload.audience else { throw .otherUpload }
        return audience
    }

    /// - Throws: `unknownItem`; `otherUpload` if it was begun for a room or a person, and may be encrypted.
    func checkIsForNobody(_ id: UploadID) throws(RequestError) {
        guard let upload = running[id] else { throw .unknownItem(id: id.hex) }
        guard upload.audience == nil else { throw .otherUpload }
    }

    /// The bytes of the last `append` are stored.
    mutating func stored(_ id: UploadID) { running[id]?.isBusy = false }

    /// - Throws: `unknownItem`, `uploadBusy`.
    mutating func finish(_ id: UploadID) throws(RequestError) -> NewBlob {
        guard let upload = running[id] else { throw .unknownItem(id: id.hex) }
        guard !upload.isBusy else { throw .uploadBusy }
        running[id] = nil
        return upload.blob
    }

    /// - Returns: `nil` if there is no such upload.
    mutating func end(_ id: UploadID) -> NewBlob? { running.removeValue(forKey: id)?.blob }

    mutating func removeIdle(at now: Instant) {
        running = running.filter { $0.value.touchedAt.duration(to: now) < Self.idleMax }
    }
}
