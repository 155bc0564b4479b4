internal import Glibc

enum InputFile {
    /// No input is longer.
    private static let bytesMax = 1 << 20

    /// - Returns: `nil` if it cannot be read.
    static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { return nil }
        return Array(bytes.prefix(count))
    }
}
