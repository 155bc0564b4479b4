package import LatticeCore

/// The key/value pairs of a service (RFC 6763 section 6). Strangers write them: reading never fails; it keeps what is
/// well-formed and ignores the rest.
package struct TXTRecord: Hashable, Sendable {
    package struct Pair: Hashable, Sendable {
        /// As it was written; keys are compared without regard to case (section 6.4).
        package let key: String
        /// `nil` for a key without `=`, which is not the same as an empty value (section 6.4).
        package let value: [UInt8]?
    }

    /// RFC 6763 section 6.2 wants at most 1,300 bytes, to fit one packet; our protocol needs much less.
    package static let bytesMax = 1_300
    /// A guess: ours has four, and what its owner adds.
    package static let entryCountMax = 32

    package private(set) var entries: [Pair] = []

    /// - Parameter pairs: keys and values of ours, each pair at most 255 bytes with its `=`.
    package init(_ pairs: [(key: String, value: String)]) {
        for (key, value) in pairs {
            precondition(key.utf8.count + 1 + value.utf8.count <= 255, "a pair of our own must fit one string")
            entries.append(Pair(key: key, value: Array(value.utf8)))
        }
    }

    /// - Parameter bytes: the record's data as on the wire: strings, each after one byte of length.
    package init(parsing bytes: some Sequence<UInt8>) {
        var iterator = bytes.prefix(Self.bytesMax).makeIterator()
        while entries.count < Self.entryCountMax, let length = iterator.next() {
            var string: [UInt8] = []
            for _ in 0..<length {
                guard let byte = iterator.next() else { return }
                string.append(byte)
            }
            if let entry = Self.entry(string), self.entry(entry.key) == nil { entries.append(entry) }
        }
    }

    /// The wire format. An empty record is a single empty string (section 6.1).
    package var bytes: [UInt8] {
        if entries.isEmpty { return [0] }
        return entries.flatMap { entry in
            let string = Array(entry.key.utf8) + (entry.value.map { [UInt8(ascii: "=")] + $0 } ?? [])
            return [UInt8(string.count)] + string
        }
    }

    /// The entry for `key`; the first one wins (section 6.4).
    package func entry(_ key: String) -> Pair? {
        let folded = key.lowercased()
        return entries.first { $0.key.lowercased() == folded }
    }

    /// What its owner says, cleaned.
    package var info: DiscoveryInfo { DiscoveryInfo(heard: entries.map { ($0.key, $0.value) }) }

    /// The value under `key`, if there is one and it is UTF-8.
    func text(_ key: String) -> String? {
        guard let value = entry(key)?.value else { return nil }
        return String(validating: value, as: UTF8.self)
    }

    /// Keys are printable ASCII without `=`; a string without a key is silently ignored (section 6.4).
    private static func entry(_ string: [UInt8]) -> Pair? {
        let key = string.prefix { $0 != UInt8(ascii: "=") }
        guard !key.isEmpty, key.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let value = key.count < string.count ? Array(string[(key.count + 1)...]) : nil
        return Pair(key: String(decoding: key, as: UTF8.self), value: value)
    }
}
