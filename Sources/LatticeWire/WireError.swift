/// Malformed bytes from a stranger; names the field.
package enum WireError: Error, Hashable, CustomStringConvertible {
    case truncated(field: String)
    case trailing(field: String, bytes: Int)
    case tooLong(field: String, bytes: Int, bytesMax: Int)
    /// A number that is not in its shortest form, the only one that the grammar allows.
    case notShortest(field: String)
    case outOfRange(field: String)
    case notUTF8(field: String)
    case unknownVersion(UInt8)

    package var description: String {
        switch self {
        case .truncated(let field): "\(field) ends too early"
        case .trailing(let field, let bytes): "\(field) is followed by \(bytes) bytes too many"
        case .tooLong(let field, let bytes, let bytesMax): "\(field) has \(bytes) bytes, \(bytesMax) are allowed"
        case .notShortest(let field): "\(field) is not in its shortest form"
        case .outOfRange(let field): "\(field) is out of range"
        case .notUTF8(let field): "\(field) is not UTF-8 or holds a control character"
        case .unknownVersion(let version): "version \(version) is not known here"
        }
    }
}
