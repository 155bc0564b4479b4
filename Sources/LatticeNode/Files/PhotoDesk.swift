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
        fileprivate let picture: Picture
    }

    /// The picture that a photo was made of.
    fileprivate enum Picture {
        /// What was uploaded is kept as long as its photo may be named.
        case upload(NewBlob)
        case file(String)
    }

    private struct Prepared {
        let photo: BodyPhoto
        let draft: Int64
        let until: Instant
        let picture: Picture
        let author: PeerID
    }

    /// Less than its draft lasts.
    private static let keptFor: Duration = .seconds(3_000)
    /// Pictures in memory at a time: 64 MiB each.
    private static let turnsMax = 2
    private static let waitingMax = 16

    private let render: PhotoRendering
    private var prepared: [UploadID: Prepared] = [:]
    /// Uploads of which photos are being made. One that was cancelled meanwhile is gone from it.
    private var running: [UploadID: PeerID] = [:]
    private var turns = 0
    private var waiting: Deque<CheckedContinuation<Void, Never>> = []

    init(_ render: @escaping PhotoRendering) { self.render = render }

    // MARK: - Making

    /// Makes a photo of what was uploaded; the upload is over then. A second request for it has the same answer.
    nonisolated(nonsending) func prepare(
        _ upload: UploadID, by persona: Persona, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> BodyPhoto {
        try await prepared(upload, by: persona, in: blobs, at: now).photo
    }

    private nonisolated(nonsending) func prepared(
        _ upload: UploadID, by persona: Persona, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> Prepared {
        let (author, isOwner) = (persona.id, persona.isOwner)
        if let known = prepared[upload] {
            guard known.author == author else { throw .unknownItem(id: upload.hex) }
            return known
        }
        if running[upload] == nil { try blobs.uploads.check(upload, author) }
        guard running[upload] == nil else { throw .uploadBusy }
        let countMax = isOwner ? PreparePhoto.countMax : VisitorFiles.allUploadsMax
        guard prepared.count + running.count < countMax else { throw .uploadsFull(max: countMax) }
        try blobs.uploads.checkIsForNobody(upload)
        let new = try blobs.uploads.finish(upload)
        running[upload] = author
        defer { running[upload] = nil }
        let made = try await make(
            of: .upload(new), by: author, keptFor: isOwner ? Self.keptFor : VisitorFiles.photoKeptFor, in: blobs,
            at: now)
        guard running[upload] != nil else {
            await Self.drop(made, in: blobs.store)
            throw .unknownItem(id: upload.hex)
        }
        prepared[upload] = made
        return made
    }

    /// - Returns: the photo for a new record. Call `used` when it is written, or `refused`.
    nonisolated(nonsending) func ready(
        _ source: PhotoSource, by persona: Persona, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> Ready {
        switch source {
        case .upload(let upload, _):
            let made = try await prepared(upload, by: persona, in: blobs, at: now)
            return Ready(photo: made.photo, draft: made.draft, upload: upload, picture: made.picture)
        case .file(let path, _):
            let made = try await make(of: .file(path), by: persona.id, in: blobs, at: now)
            return Ready(photo: made.photo, draft: made.draft, upload: nil, picture: made.picture)
        }
    }

    /// The picture of a photo, without its metadata, as a file that a record may name.
    nonisolated(nonsending) func original(
        of ready: Ready, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> DraftFile {
        try await takeTurn()
        defer { endTurn() }
        let bytes = try await Self.bytes(of: ready.picture, in: blobs.store)
        let bare: BarePicture
        do throws(PictureFault) {
            bare = try await BarePicture.made(of: bytes)
        } catch {
            throw .badPicture(problem: RequestError.PictureProblem(error))
        }
        let new = try await blobs.newBlob(isSealed: false, path: blobs.store.path)
        do throws(BlobFault) {
            try await new.append(bare.bytes)
        } catch {
            throw RequestError(error, path: blobs.store.path)
        }
        // The name of a camera's file tells when it was taken.
        let name = FileName("photo.\(bare.pathExtension)")
        return try await blobs.settle(
            new, as: name ?? .unnamed, type: MediaType(bare.mediaType) ?? .unknown, from: blobs.store.path, at: now)
    }

    private nonisolated(nonsending) func make(
        of picture: Picture, by author: PeerID, keptFor: Duration = keptFor, in blobs: BlobService, at now: WallTime
    ) async throws(RequestError) -> Prepared {
        try await takeTurn()
        let rendered: RenderedPhoto
        do {
            defer { endTurn() }
            rendered = try await rendering(try await Self.bytes(of: picture, in: blobs.store))
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
            draft: draft.number, until: Clocks.now.advanced(by: keptFor), picture: picture,
            author: author)
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
        of picture: Picture, in store: Store
    ) async throws(RequestError) -> [UInt8] {
        switch picture {
        case .upload(let new): try await bytes(of: new, in: store)
        case .file(let path): try await bytes(at: path)
        }
    }

    private nonisolated(nonsending) static func bytes(
        of new: NewBlob, in store: Store
    ) async throws(RequestError) -> [UInt8] {
        do throws(BlobFault) {
            return try await new.bytes(max: PictureFormat.bytesMax)
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
                guard bytes.count + chunk.count <= PictureFormat.bytesMax else { throw tooLarge }
                bytes += chunk
            }
        } catch let error as RequestError {
            throw error
        } catch {
            throw .file(fault: .broken(path: path, reason: "\(error)"))
        }
        return bytes
    }

    private static let tooLarge = RequestError.badPicture(problem: .tooLarge(bytesMax: PictureFormat.bytesMax))

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
        running[upload] = nil
        if let made = prepared.removeValue(forKey: upload) { await Self.drop(made, in: store) }
    }

    /// Photos of this person that no record names yet.
    func count(by author: PeerID) -> Int {
        prepared.values.count { $0.author == author } + running.values.count { $0 == author }
    }

    /// Whether it is somebody else's.
    func isOfAnother(_ upload: UploadID, than author: PeerID) -> Bool {
        prepared[upload].map { $0.author != author } ?? false
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
