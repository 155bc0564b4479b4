import CPage

/// A file of the page, compiled into the program.
// Safety: the bytes are constants of the program: they are as long as the table says, never change and are never freed.
package struct PageFile: @unchecked Sendable {
    package let path: String
    package let bytes: UnsafeRawBufferPointer
    package let tag: String
    /// The same as gzip has it (RFC 1952), if the program carries it.
    package let gzipped: UnsafeRawBufferPointer?

    package var type: String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "txt", "md": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }

    /// This file as gzip has it. Its tag is another one (RFC 9110, section 8.8.3.3).
    package var asGzip: PageFile? {
        gzipped.map { PageFile(path: path, bytes: $0, tag: "\(tag.dropLast())-gzip\"", gzipped: nil) }
    }

    /// Keyed by path, such as `page/app.js`.
    package static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        var next = lattice_page_files_first()
        while let file = next?.pointee, let path = file.path {
            let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
            let gzipped = file.gzipped.map { UnsafeRawBufferPointer(start: $0, count: file.gzipped_count) }
            let name = String(cString: path)
            files[name] = PageFile(path: name, bytes: bytes, tag: EntityTag.text(bytes), gzipped: gzipped)
            next = next?.advanced(by: 1)
        }
        return files
    }()
}

/// An entity tag (RFC 9110, section 8.8.3): the 64-bit FNV-1a hash of a response. Somebody who provoked a collision
/// would fool only themselves.
enum EntityTag {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"\(String(hash, radix: 16))\""
    }

    /// Whether `tag` is among those that the client already has (section 13.1.2).
    static func matches(_ tag: String, _ wanted: String?) -> Bool {
        guard let wanted else { return false }
        return wanted.split(separator: ",").contains { piece in
            let text = piece.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let one = String(text)
            return one == "*" || one == tag || one == "W/\(tag)"
        }
    }
}
