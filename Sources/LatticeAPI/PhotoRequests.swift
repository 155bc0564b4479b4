package import LatticeGeo

// Photos of posts, events and people. What a person chooses is scaled down, and all that is not the picture is removed.

/// A photo of a post, an event or a person.
package struct PhotoInfo: Hashable, Codable, Sendable {
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// Bytes.
    package let size: Int64
    /// What it shows, as its author wrote it; not yet made safe for a screen.
    @OrNull package private(set) var alt: String?
    package let state: FileInfo.State

    package init(width: Int, height: Int, size: Int64, alt: String? = nil, state: FileInfo.State) {
        (self.width, self.height, self.size, self.state) = (width, height, size, state)
        _alt = OrNull(wrappedValue: alt)
    }
}

/// Where a photo comes from: JSON has an object with `upload` or `path`. With `original` the picture itself, without its metadata, is
/// shared beside the photo, as a file of the post or event.
package enum PhotoSource: Hashable, Sendable {
    case upload(UploadID, original: Bool = false)
    /// An absolute path on the machine of the node.
    case file(String, original: Bool = false)

    package var hasOriginal: Bool {
        switch self {
        case .upload(_, let original), .file(_, let original): original
        }
    }
}

/// A new photo in place of an old one, or none. In JSON `{"remove": true}` stands beside the forms of `PhotoSource`.
package enum PhotoChange: Hashable, Sendable {
    case new(PhotoSource)
    case remove
}

private enum PhotoField: String, CodingKey {
    case upload
    case path
    case original
    case remove
}

extension PhotoSource: Codable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: PhotoField.self)
        let original = try fields.decodeIfPresent(Bool.self, forKey: .original) ?? false
        if let upload = try fields.decodeIfPresent(UploadID.self, forKey: .upload) {
            self = .upload(upload, original: original)
        } else {
            self = .file(try fields.decode(String.self, forKey: .path), original: original)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: PhotoField.self)
        switch self {
        case .upload(let upload, _): try fields.encode(upload, forKey: .upload)
        case .file(let path, _): try fields.encode(path, forKey: .path)
        }
        if hasOriginal { try fields.encode(true, forKey: .original) }
    }
}

extension PhotoChange: Codable {
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: PhotoField.self)
        if try fields.decodeIfPresent(Bool.self, forKey: .remove) == true {
            self = .remove
        } else {
            self = .new(try PhotoSource(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .new(let source): try source.encode(to: encoder)
        case .remove:
            var fields = encoder.container(keyedBy: PhotoField.self)
            try fields.encode(true, forKey: .remove)
        }
    }
}

/// A request that may come with a photo.
package protocol BringsPhoto: Request {
    var photoSource: PhotoSource? { get }
}

/// Makes a photo of what was uploaded, while the person still writes. After that posts and profiles can name the upload. It ends
/// within the hour if nothing names it.
///
/// - Throws: `unknownItem`; `uploadBusy`; `uploadsFull` if `countMax` photos wait; `badPicture`: then the upload is over; `file` if
///   it cannot be stored.
package struct PreparePhoto: Request {
    package static let name = "upload.photo"
    package static let replyName = "photo"
    package typealias Reply = PhotoInfo

    package static let countMax = 16

    package let upload: UploadID

    package init(_ upload: UploadID) { self.upload = upload }
}

package enum PhotoSize: String, Hashable, Sendable, CodedAsWord {
    /// The longer side has at most 560 pixels.
    case photo
    /// 86 pixels square.
    case thumbnail
}

/// The photo of a post or an event. One that is not here is fetched first.
///
/// - Throws: `unknownItem`, also if it has no photo or is too far away to be read; `photoNotHere` if no neighbour has it, or sends any of it for `patience`; `badPicture` if it is
///   too large.
package struct ReadPhoto: Request, NamesItem {
    package static let name = "posts.photo"
    package static let replyName = "photo.bytes"
    package static let traits: RequestTraits = [.repeatable, .waits]
    package typealias Reply = PhotoBytes

    package static let patience: Duration = .seconds(10)

    package var item: ItemReference
    @PhotoOrWhole package private(set) var which: PhotoSize
    /// Where the reader is, as in `ShowItem`.
    @OrNull package private(set) var from: Coordinate?

    package init(_ item: ItemReference, _ which: PhotoSize = .photo, from place: Coordinate? = nil) {
        self.item = item
        _which = PhotoOrWhole(wrappedValue: which)
        _from = OrNull(wrappedValue: place)
    }
}

/// The photo of somebody's profile.
///
/// - Throws: as `ReadPhoto`.
package struct ReadPersonPhoto: Request {
    package static let name = "people.photo"
    package static let replyName = "photo.bytes"
    package static let traits: RequestTraits = [.repeatable, .waits]
    package typealias Reply = PhotoBytes

    package let person: PeerReference
    @PhotoOrWhole package private(set) var which: PhotoSize

    package init(_ person: PeerReference, _ which: PhotoSize = .photo) {
        self.person = person
        _which = PhotoOrWhole(wrappedValue: which)
    }
}

/// A JPEG.
package struct PhotoBytes: Hashable, Codable, Sendable {
    package static let bytesMax: Int64 = 1 << 20

    @Base64Bytes package private(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8]) { _bytes = Base64Bytes(wrappedValue: bytes) }

    private enum CodingKeys: String, CodingKey {
        case bytes = "data"
    }
}

/// A size that JSON may leave out.
@propertyWrapper package struct PhotoOrWhole: Hashable, Sendable, Codable {
    package var wrappedValue: PhotoSize

    package init(wrappedValue: PhotoSize) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        wrappedValue = try PhotoSize(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// A missing size is that of the whole photo.
    func decode(_ type: PhotoOrWhole.Type, forKey key: Key) throws -> PhotoOrWhole {
        PhotoOrWhole(wrappedValue: try decodeIfPresent(PhotoSize.self, forKey: key) ?? .photo)
    }
}
