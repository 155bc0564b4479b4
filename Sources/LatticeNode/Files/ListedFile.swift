import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

/// A file that somebody shared: with everybody, or encrypted for few.
struct ListedFile: Hashable {
    enum Content: Hashable {
        case open(ManifestBody)
        case sealed(SealedFile)
    }

    enum Place: Hashable {
        case room(RoomName)
        case person(PeerID)
        /// It belongs to a post or an event.
        case item(RecordID)
        case elsewhere
    }

    let id: RecordID
    let author: PeerID
    /// When it was shared, or when it arrived if that was earlier.
    let date: WallTime
    let place: Place
    let content: Content
    /// Why its blob is kept.
    let use: BlobUse
    /// The line that names a private file; `nil` if it is not sealed yet, and for a public file.
    let privateLine: RecordID?
    /// The person to whom the owner sent it has all of it.
    let isDelivered: Bool

    init(_ manifest: StoredManifest) {
        (id, author, date) = (manifest.id, manifest.author, manifest.date)
        let item = Bytes32(manifest.topic[...]).map { Place.item(RecordID($0)) }
        place = manifest.room.map { .room($0) } ?? item ?? .elsewhere
        content = .open(manifest.body)
        use = .record(manifest.id)
        privateLine = nil
        isDelivered = false
    }

    init(_ stored: StoredSealedFile) {
        (id, author, date, use) = (stored.id, stored.author, stored.date, stored.use)
        privateLine = stored.line
        place =
            switch stored.place {
            case .room(let room): .room(room)
            case .person(let peer): .person(peer)
            }
        content = .sealed(stored.file)
        isDelivered = stored.isDelivered
    }

    var isPrivate: Bool { if case .sealed = content { true } else { false } }

    /// What the neighbours have; encrypted if it is private.
    var blob: BlobName {
        switch content {
        case .open(let body): body.blob
        case .sealed(let file): file.blob
        }
    }

    var name: FileName {
        switch content {
        case .open(let body): body.name
        case .sealed(let file): file.name
        }
    }

    var type: MediaType {
        switch content {
        case .open(let body): body.type
        case .sealed(let file): file.type
        }
    }

    /// What the map in it shows.
    var bounds: MapBounds? {
        switch content {
        case .open(let body): body.bounds
        case .sealed: nil
        }
    }

    /// In bytes, as the person who saves it has it.
    var size: Int64 {
        switch content {
        case .open(let body): body.blob.size
        case .sealed(let file): file.plainBytes
        }
    }
}

extension StoredManifest {
    /// `nil` for a file of a post.
    fileprivate var room: RoomName? {
        do {
            return try String(validating: topic, as: UTF8.self).map { try RoomName($0) }
        } catch {
            return nil
        }
    }
}
