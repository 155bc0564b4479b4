package import LatticeCore
package import LatticeGeo

// Files that people share: with everybody in a public room, encrypted in a private room or for one person. The node's own process reads
// and writes them, so paths are those of its machine.

/// A file that somebody shared, as far as it is here.
package struct FileInfo: Hashable, Codable, Sendable {
    package enum State: String, Hashable, Codable, Sendable {
        /// Nothing of it was fetched.
        case shared
        case coming
        /// It is wanted, and nobody who is connected has it.
        case waiting
        case here
    }

    package static let sizeMax: Int64 = 1 << 35

    /// The record of a public file, or a hash of what the line of a private file says about it.
    package let id: RecordID
    package let name: String
    /// Such as `application/pdf`.
    package let type: String
    /// Bytes, 0 to 2^35.
    package let size: Int64
    package let by: RoomEvent.Person
    package let at: WallTime
    /// The room in which it was shared; `nil` for a private message.
    package let room: RoomName?
    /// The other person, if it was sent in a private message.
    @OrNull package private(set) var with: RoomEvent.Person?
    /// Whether it is encrypted: in a private room or a private message.
    package let isPrivate: Bool
    package let state: State
    /// Bytes that are here, about.
    package let here: Int64
    /// This person sent it in a private message, and the other has all of it.
    @CodedFlag package private(set) var isDelivered: Bool
    /// It is being fetched, and this person may stop that.
    @CodedFlag package private(set) var mayStop: Bool
    /// Bytes of a file sent in a private message that went to the other, or to the neighbour that has most of it, about.
    package let given: Int64
    /// Where it was last saved, if this node saved it since it started.
    @OrNull package private(set) var path: String?
    /// Why it could not be saved.
    @OrNull package private(set) var fault: FileFault?
    /// What it shows, if it is a base map.
    @OrNull package private(set) var bounds: MapBounds?

    package init(
        id: RecordID, name: String, type: String, size: Int64, by: RoomEvent.Person, at: WallTime, room: RoomName?,
        with person: RoomEvent.Person? = nil, isPrivate: Bool = false, state: State, here: Int64, path: String? = nil,
        fault: FileFault? = nil, bounds: MapBounds? = nil, isDelivered: Bool = false, given: Int64 = 0,
        mayStop: Bool = false
    ) {
        (self.isDelivered, self.given, self.mayStop) = (isDelivered, given, mayStop)
        self.isPrivate = isPrivate
        _with = OrNull(wrappedValue: person)
        (self.id, self.name, self.type, self.size) = (id, name, type, size)
        (self.by, self.at, self.room, self.state, self.here) = (by, at, room, state, here)
        _path = OrNull(wrappedValue: path)
        _fault = OrNull(wrappedValue: fault)
        _bounds = OrNull(wrappedValue: bounds)
    }
}

package struct SharedFiles: Hashable, Codable, Sendable {
    /// Newest first, at most `ListFiles.limitMax`.
    package let files: [FileInfo]

    package init(_ files: [FileInfo]) { self.files = files }
}

/// Whom a file is for.
package enum FileAudience: Hashable, Codable, Sendable {
    /// In a public room everybody; in a private room those who are in it.
    case room(RoomName)
    case person(PeerReference)

    private enum CodingKeys: String, CodingKey {
        case room, person
    }

    /// Fields of the request: `room` or `person`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let room = try fields.decodeIfPresent(RoomName.self, forKey: .room)
        let person = try fields.decodeIfPresent(PeerReference.self, forKey: .person)
        switch (room, person) {
        case (let room?, nil): self = .room(room)
        case (nil, let person?): self = .person(person)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .room, in: fields, debugDescription: "give either room or person")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .room(let room): try fields.encode(room, forKey: .room)
        case .person(let person): try fields.encode(person, forKey: .person)
        }
    }
}

/// Shares a file or a folder, and announces it by a line. In a private room, and for one person, it is encrypted.
///
/// - Throws: `file` if it cannot be read; what `Say` or `SendPrivateMessage` throw.
package struct ShareFile: Request {
    package static let name = "file.share"
    package static let replyName = "file"
    package typealias Reply = FileInfo

    /// Absolute.
    package let path: String
    package let audience: FileAudience

    package init(_ path: String, for audience: FileAudience) { (self.path, self.audience) = (path, audience) }

    private enum CodingKeys: String, CodingKey {
        case path
    }

    package init(from decoder: any Decoder) throws {
        path = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .path)
        audience = try FileAudience(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(path, forKey: .path)
        try audience.encode(to: encoder)
    }
}

/// Lists the files that others and this person shared.
package struct ListFiles: Request {
    package static let name = "file.list"
    package static let replyName = "files"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = SharedFiles

    package static let limitMax = 200

    /// Only the files of this room, or those sent between this person and one other; `nil` is all.
    package let audience: FileAudience?

    package init(for audience: FileAudience? = nil) { self.audience = audience }

    private enum CodingKeys: String, CodingKey {
        case room, person
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let hasRoom = try fields.contains(.room) && !fields.decodeNil(forKey: .room)
        let hasPerson = try fields.contains(.person) && !fields.decodeNil(forKey: .person)
        audience = hasRoom || hasPerson ? try FileAudience(from: decoder) : nil
    }

    package func encode(to encoder: any Encoder) throws {
        guard let audience else {
            _ = encoder.container(keyedBy: CodingKeys.self)
            return
        }
        try audience.encode(to: encoder)
    }
}

/// One file.
///
/// - Throws: `unknownItem`, `ambiguousItem`.
package struct ShowFile: Request {
    package static let name = "file.show"
    package static let replyName = "file"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = FileInfo

    /// As in `GetFile`.
    package let file: String

    package init(_ file: String) { self.file = file }
}

/// Fetches a file from all neighbours that have it, and saves it in a folder. The reply comes at once; a notice follows when the
/// file is saved.
///
/// - Throws: `unknownItem`, `ambiguousItem`; `file` if it is larger than what the disk has free.
package struct GetFile: Request {
    package static let name = "file.get"
    package static let replyName = "file"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = FileInfo

    /// The beginning of its id, or its name: then the newest file of that name.
    package let file: String
    /// Absolute; it is made if it does not exist. A file in it is never overwritten. `nil` saves it nowhere: then `ReadFile`
    /// has its bytes.
    @OrNull package private(set) var folder: String?

    package init(_ file: String, into folder: String?) {
        self.file = file
        _folder = OrNull(wrappedValue: folder)
    }
}

/// Some bytes of a file that is here.
///
/// - Throws: `unknownItem`, `ambiguousItem`; `file` if it is not here, or damaged.
package struct ReadFile: Request {
    package static let name = "file.read"
    package static let replyName = "file.bytes"
    package static let traits: RequestTraits = [.repeatable]

    package static let lengthMax = 262_144

    /// As in `GetFile`.
    package let file: String
    package let offset: Int64
    /// 1–`lengthMax`.
    package let length: Int

    package init(_ file: String, from offset: Int64, length: Int) {
        (self.file, self.offset, self.length) = (file, offset, length)
    }

    package struct Reply: Hashable, Codable, Sendable {
        /// Fewer than asked for at the end of the file.
        @Base64Bytes package private(set) var bytes: [UInt8]

        package init(_ bytes: [UInt8]) { _bytes = Base64Bytes(wrappedValue: bytes) }

        private enum CodingKeys: String, CodingKey {
            case bytes = "data"
        }
    }
}

/// Stops fetching a file. What has come is kept for a while, so that `GetFile` goes on from there.
package struct CancelFile: Request {
    package static let name = "file.cancel"
    package static let replyName = "file"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = FileInfo

    /// As in `GetFile`.
    package let file: String

    package init(_ file: String) { self.file = file }
}

/// Takes a file of this person back, with the line that names it: nobody gets it from here any more, and the stores of others
/// forget it when they hear of that. For somebody else's file, the owner removes only this node's copy, and `GetFile` fetches it again. A file that
/// was saved in a folder stays there.
///
/// - Throws: `unknownItem`, `ambiguousItem`.
package struct RemoveFile: Request {
    package static let name = "file.remove"
    package static let replyName = "file"
    /// As it was.
    package typealias Reply = FileInfo

    /// As in `GetFile`; a file of this person goes before others of the same name.
    package let file: String

    package init(_ file: String) { self.file = file }
}
