/// A malformed reconciliation message; names the field.
package enum ReconciliationError: Error, Equatable, CustomStringConvertible {
    case truncated(field: String)
    /// A number with more digits than necessary ("Varint").
    case notShortest(field: String)
    case outOfRange(field: String)
    /// A range that ends before it begins ("Bound": ranges are encoded in ascending order).
    case descendingBound
    case unknownMode(UInt64)
    /// The first byte is none of 0x60…0x6F, so this is no message of any version.
    case notAMessage(UInt8)
    /// The highest version of the other side.
    case unknownVersion(UInt8)

    package var description: String {
        switch self {
        case .truncated(let field): "\(field) ends too early"
        case .notShortest(let field): "\(field) is not in its shortest form"
        case .outOfRange(let field): "\(field) is out of range"
        case .descendingBound: "a range ends before it begins"
        case .unknownMode(let mode): "mode \(mode) is not known here"
        case .notAMessage(let byte): "\(byte) begins no reconciliation message"
        case .unknownVersion(let version): "version \(version) of reconciliation is not known here"
        }
    }
}
