/// Counts who took which file. A download may come in several parts; together they must reach from the first byte to
/// the last.
package struct Takings: Sendable {
    private struct Key: Hashable {
        let address: String
        let kind: SharedFile.Kind
    }

    /// Addresses of which something is remembered; later ones are only counted as takings.
    static let addressesMax = 4_096

    /// How many bytes from the beginning an address has.
    private var parts: [Key: Int] = [:]
    private var counts: [SharedFile.Kind: Int] = [:]
    private var addresses: Set<String> = []

    /// How often a file was taken as a whole.
    package func count(of kind: SharedFile.Kind) -> Int { counts[kind, default: 0] }

    /// How many addresses took something, at most `addressesMax`.
    package var machineCount: Int { addresses.count }

    package var isEmpty: Bool { counts.isEmpty }

    /// Notes a part that was sent.
    ///
    /// - Returns: whether the address has the whole file with it.
    mutating func note(_ range: Range<Int>, of kind: SharedFile.Kind, bytes: Int, by address: String) -> Bool {
        let key = Key(address: address, kind: kind)
        let before = parts[key, default: 0]
        guard range.lowerBound <= before else { return false }
        let end = max(before, range.upperBound)
        guard end >= bytes else {
            if parts[key] != nil || parts.count < Self.addressesMax { parts[key] = end }
            return false
        }
        parts[key] = nil
        counts[kind, default: 0] += 1
        if addresses.count < Self.addressesMax { addresses.insert(address) }
        return true
    }
}

/// Something that people who share want to know.
package enum ShareEvent: Equatable, Sendable {
    /// It now has the whole file.
    ///
    /// - Parameter bytes: of the last part.
    case took(SharedFile.Kind, address: String, bytes: Int, milliseconds: Int)
    /// The connection ended before the end of the file.
    ///
    /// - Parameter end: how far it came.
    case brokenOff(SharedFile.Kind, address: String, end: Int, bytes: Int)
}
