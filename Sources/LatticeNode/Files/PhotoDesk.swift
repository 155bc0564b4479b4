import DequeModule
package import LatticeAPI
import LatticeCore
package import LatticePicture
import LatticeStore
import LatticeWire

/// Makes photos of the pictures that a person chooses, and keeps them until a record names them.
final class PhotoDesk {
    /// A photo that a record may name now.
    struct Ready {
        let photo: BodyPhoto
        fileprivate let draft: Int64
        /// `nil` for a picture from a path.
        fileprivate let upload: UploadID?
    }

    private struct Prepared {
        let photo: BodyPhoto
        let draft: Int64
        let until: Instant
    }

    /// Less than its draft lasts.
    private static let keptFor: Duration = .seconds(3_000)
    /// Pictures in memory at a time: 64 MiB each.
    private static let turnsMax = 2
    private static let waitingMax = 16

    private let render: PhotoRendering
    private var prepared: [UploadID: Prepared] = [:]
    /// Uploads of which photos are being made. One that was cancelled meanwhile is gone from it.
    private var running: Set<UploadID> = []
    private var turns = 0
    private var waiting: Deque<CheckedContinuation<Void, Never>> = []

    init(_ render: @escaping PhotoRendering) { self.render = render }

    // MARK: - Making

    /// Makes a photo of what was uploaded; the upload is over then. A second request for it has the same answer.
    nonisolated(nonsending) func prepare(
        _ upload: UploadID, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> BodyPhoto {
        try await prepared(upload, in: blobs, at: now).photo
    }

    private nonisolated(nonsending) func prepared(
        _ upload: UploadID, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> Prepared {
        if let known = prepared[upload] { return known }
        guard !running.contains(upload) else { throw .uploadBusy }
        guard prepared.count + running.count < PreparePhoto.countMax else {
            throw .uploadsFull(max: PreparePhoto.countMax)
        }
        try blobs.uploads.checkIsForNobody(upload)
        let new = try blobs.uploads.finish(upload)
        running.insert(upload)
        defer { running.remove(upload) }
        let made = try await make(in: blobs, at: now) { () throws(RequestError) in
            defer { new.cancel() }
            return try await Self.bytes(of: new, in: blobs.store)
        }
        guard running.contains(upload) else {
            await Self.drop(made, in: blobs.store)
            throw .unknownItem(id: upload.hex)
        }
        prepared[upload] = made
        return made
    }

    /// - Returns: the photo for a new record. Call `used` when it is written, or `refused`.
    nonisolated(nonsending) func ready(
        _ source: PhotoSource, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> Ready {
        switch source {
        case .upload(let upload):
            let made = try await prepared(upload, in: blobs, at: now)
            return Ready(photo: made.photo, draft: made.draft, upload: upload)
        case .file(let path):
            let made = try await make(in: blobs, at: now) { () throws(RequestError) in try await Self.bytes(at: path) }
            return Ready(photo: made.photo, draft: made.draft, upload: nil)
        }
    }

    private nonisolated(nonsending) func make(
        in blobs: BlobService, at now: WallTime,
        of picture: nonisolated(nonsending) () async throws(RequestError) -> [UInt8]
    ) async throws(RequestError) -> Prepared {
        try await takeTurn()
        let rendered: RenderedPhoto
        do {
            defer { endTurn() }
            rendered = try await rendering(try await picture())
        }
        let photo = rendered.photo
        let new: NewBlob
        do throws(BlobFault) {
            new = try await blobs.files.add(bytesMax: BodyPhoto.bytesMax)
            try await new.append(photo.jpeg)
        } catch {
            throw RequestError(error, path: blobs.store.path)
        }
        let draft = try await blobs.settle(new, as: .unnamed, type: .unknown, from: blobs.store.path, at: now)
        let thumbnail = rendered.thumbnail.jpeg
        let isSmall = (1...BodyPhoto.thumbnailBytesMax).contains(thumbnail.count)
        return Prepared(
            photo: BodyPhoto(
                draft.blob, width: photo.size.width, height: photo.size.height, thumbnail: isSmall ? thumbnail : nil),
            draft: draft.number, until: Clocks.now.advanced(by: Self.keptFor))
    }

    private nonisolated(nonsending) func rendering(_ bytes: [UInt8]) async throws(RequestError) -> RenderedPhoto {
        do throws(PictureFault) {
            return try await render(bytes)
        } catch {
            throw .badPicture(problem: RequestError.PictureProblem(error))
        }
    }

    private nonisolated(nonsending) func takeTurn() async throws(RequestError) {
        if turns < Self.turnsMax {
            turns += 1
            return
        }
        guard waiting.count < Self.waitingMax else { throw .uploadsFull(max: Self.waitingMax) }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The next one has the turn, or nobody.
    private func endTurn() {
        if let next = waiting.popFirst() { next.resume() } else { turns -= 1 }
    }

    private nonisolated(nonsending) static func bytes(
        of new: NewBlob, in store: Store
    ) async throws(RequestError) -> [UInt8] {
        do throws(BlobFault) {
            return try await new.bytes(max: PictureDecoder.bytesMax)
        } catch {
            if case .tooLarge = error { throw tooLarge }
            throw RequestError(error, path: store.path)
        }
    }

    private nonisolated(nonsending) static func bytes(at path: String) async throws(RequestError) -> [UInt8] {
        let file = try SourceFile(path)
        var bytes: [UInt8] = []
        do {
            while let chunk = try await file.next(1 << 20) {
                guard bytes.count + chunk.count <= PictureDecoder.bytesMax else { throw tooLarge }
                bytes += chunk
            }
        } catch let error as RequestError {
            throw error
        } catch {
            throw .file(fault: .broken(path: path, reason: "\(error)"))
        }
        return bytes
    }

    private static let tooLarge = RequestError.badPicture(problem: .tooLarge(bytesMax: PictureDecoder.bytesMax))

    // MARK: - Ending

    /// A record that is stored names it.
    nonisolated(nonsending) func used(_ ready: Ready, in store: Store) async {
        if let upload = ready.upload { prepared[upload] = nil }
        await Self.drop(ready.draft, of: ready.photo.blob, in: store)
    }

    /// The record was not written. An upload may be named again.
    nonisolated(nonsending) func refused(_ ready: Ready, in store: Store) async {
        guard ready.upload == nil else { return }
        await Self.drop(ready.draft, of: ready.photo.blob, in: store)
    }

    nonisolated(nonsending) func cancel(_ upload: UploadID, in store: Store) async {
        running.remove(upload)
        if let made = prepared.removeValue(forKey: upload) { await Self.drop(made, in: store) }
    }

    /// Their drafts end by themselves.
    func removeOld(at now: Instant) {
        prepared = prepared.filter { $0.value.until > now }
    }

    private nonisolated(nonsending) static func drop(_ made: Prepared, in store: Store) async {
        await drop(made.draft, of: made.photo.blob, in: store)
    }

    private nonisolated(nonsending) static func drop(_ draft: Int64, of blob: BlobName, in store: Store) async {
        do {
            try await store.blobs.remove(.draft(draft, until: WallTime(milliseconds: 0)), of: blob)
        } catch {
            return  // The draft ends by itself within the hour.
        }
    }
}

extension RequestError.PictureProblem {
    package init(_ fault: PictureFault) {
        self =
            switch fault {
            case .notAPicture: .notAPicture
            case .damaged: .damaged
            case .tooManyPixels: .tooManyPixels
            case .tooLarge(let max): .tooLarge(bytesMax: max)
            case .tooSlow: .tooSlow
            case .failed(let reason): .failed(reason: reason)
            }
    }
}
