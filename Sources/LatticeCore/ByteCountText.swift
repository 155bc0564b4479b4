/// A number of bytes for people: `512 bytes`, `38.2 MB`.
package enum ByteCountText {
    package static func text(_ bytes: Int) -> String {
        if bytes < 1_000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var (tenths, unit) = ((bytes + 50) / 100, "kB")
        for next in ["MB", "GB"] where tenths >= 10_000 { (tenths, unit) = ((tenths + 500) / 1_000, next) }
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
