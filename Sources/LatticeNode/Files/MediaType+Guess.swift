package import LatticeWire

extension MediaType {
    /// By the end of a file's name; the bytes are not looked at, and nothing trusts it.
    package init(ofFile name: FileName) {
        let end = name.text.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        self = Self.types[end].flatMap { MediaType($0) } ?? .unknown
    }

    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif",
        "svg": "image/svg+xml", "pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "csv": "text/csv",
        "html": "text/html", "json": "application/json", "gpx": "application/gpx+xml", "zip": "application/zip",
        "gz": "application/gzip", "xz": "application/x-xz", "tar": "application/x-tar", "mp3": "audio/mpeg",
        "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm",
        "mkv": "video/x-matroska", "mbtiles": "application/vnd.sqlite3", "deb": "application/vnd.debian.binary-package",
    ]
}
