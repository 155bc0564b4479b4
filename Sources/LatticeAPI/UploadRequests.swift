import LatticeCore

// Files whose bytes a front sends, since the node cannot read them from a path: those of a browser, or of another machine.

/// A file that a front is sending to the node, until it is shared. The node forgets it after ten minutes without new bytes.
package struct UploadID: Hashable, Codable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package init?(hex: some StringProtocol) {
        guard hex.utf8.count == 16, hex.utf8.allSatisfy(Hex.isDigit), let number = UInt64(hex, radix: 16) else {
            return nil
        }
        self.number = number
    }

    /// 16 digits.
    package var hex: String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = UploadID(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an upload has 16 digits")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

/// Begins an upload.
///
/// - Throws: `uploadsFull` if `countMax` are under way; for an audience what `Say` or `SendPrivateMessage` throw.
package struct BeginUpload: Request {
    package static let name = "upload.begin"
    package static let replyName = "upload"
    package static let countMax = 16

    /// Whom the file is for: whether it is encrypted is decided before its first byte. `nil` for a picture that becomes a photo.
    package let audience: FileAudience?

    package init(for audience: FileAudience? = nil) { self.audience = audience }

    package init(from decoder: any Decoder) throws { audience = try ListFiles(from: decoder).audience }

    package func encode(to encoder: any Encoder) throws { try ListFiles(for: audience).encode(to: encoder) }

    package struct Reply: Hashable, Codable, Sendable {
        package let upload: UploadID

        package init(_ upload: UploadID) { self.upload = upload }
    }
}

/// Adds the next bytes to an upload: one request after the other.
///
/// - Throws: `unknownItem`; `uploadBusy`; `wrongOffset` if other bytes come next; `file` if they cannot be stored: then the upload is over.
package struct AppendUpload: Request {
    package static let name = "upload.append"
    package static let replyName = "done"
    package typealias Reply = Done

    /// A request fits into a line of the control socket, which refuses longer ones.
    package static let bytesMax = 512 << 10

    package let upload: UploadID
    /// Bytes sent before.
    package let offset: Int64
    /// At most `bytesMax`.
    @Base64Bytes package private(set) var bytes: [UInt8]

    package init(_ upload: UploadID, at offset: Int64, _ bytes: [UInt8]) {
        (self.upload, self.offset) = (upload, offset)
        _bytes = Base64Bytes(wrappedValue: bytes)
    }

    private enum CodingKeys: String, CodingKey {
        case upload, offset
        case bytes = "data"
    }
}

/// Ends an upload without sharing it, and discards its bytes.
package struct CancelUpload: Request {
    package static let name = "upload.cancel"
    package static let replyName = "done"
    package static let traits: RequestTraits = [.repeatable]
    package typealias Reply = Done

    package let upload: UploadID

    package init(_ upload: UploadID) { self.upload = upload }
}

/// Shares what was uploaded with those for whom the upload was begun, and announces it by a line.
///
/// - Throws: `unknownItem`; `uploadBusy`; `otherUpload` if it was begun for nobody; `file` if it cannot be stored; what `ShareFile`
///   throws.
package struct ShareUpload: Request {
    package static let name = "upload.share"
    package static let replyName = "file"
    package typealias Reply = FileInfo

    package let upload: UploadID
    /// What others call it. A path is reduced to its last part, and characters that no name may have are replaced.
    package let name: String

    package init(_ upload: UploadID, as name: String) { (self.upload, self.name) = (upload, name) }
}
