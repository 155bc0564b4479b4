/// What a node says about itself where others look for it, such as `role=kitchen`. It proves nothing: anybody can announce
/// anything.
package struct DiscoveryInfo: Hashable, Sendable {
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case noPair
        case wrongKey
        case reserved(key: String)
        case repeated(key: String)
        case unprintable(key: String)
        case pairTooLong(key: String)
        case tooLong(bytes: Int)

        package var description: String {
            switch self {
            case .noPair: "info is a key and a value, such as role=kitchen"
            case .wrongKey:
                "the key of info has 1 to \(keyBytesMax) letters, digits, dots, dashes or underscores, such as role=kitchen"
            case .reserved(let key): "the program announces \(key) itself; use another key"
            case .repeated(let key): "info has the key \(key) twice"
            case .unprintable(let key): "the value of \(key) has characters that cannot be shown"
            case .pairTooLong(let key): "\(key) and its value have more than \(pairBytesMax) bytes"
            case .tooLong(let bytes): "info has \(bytes) bytes, of at most \(bytesMax); shorten it"
            }
        }
    }

    /// Each pair counts with one byte for its length.
    package static let bytesMax = 400
    /// As one string of a TXT record (RFC 6763 section 6.1).
    private static let pairBytesMax = 255
    private static let keyBytesMax = 32
    /// The keys of every announcement.
    package static let reserved: Set<String> = ["txtvers", "id", "mesh", "v"]

    /// Each as `key=value`, in the order given, no key twice.
    package private(set) var pairs: [String] = []

    package init() {}

    package init(_ pairs: [String]) throws(Fault) {
        for pair in pairs {
            let key = Self.key(of: try Self.checked(pair))
            guard !has(key) else { throw .repeated(key: key) }
            self.pairs.append(pair)
        }
        guard bytes <= Self.bytesMax else { throw .tooLong(bytes: bytes) }
    }

    /// From a stranger: what breaks a rule is left out, and so are characters that cannot be shown.
    package init(heard entries: [(key: String, value: [UInt8]?)]) {
        for (key, value) in entries {
            guard let value, let text = String(validating: value, as: UTF8.self) else { continue }
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text.unicodeScalars.lazy.filter { !DisplayText.isUnsafe($0) })
            let pair = "\(key)=\(String(scalars))"
            do throws(Fault) {
                guard !has(Self.key(of: try Self.checked(pair))) else { continue }
            } catch {
                continue  // It is a hint for people; the rest may still be one.
            }
            guard bytes + 1 + pair.utf8.count <= Self.bytesMax else { return }
            pairs.append(pair)
        }
    }

    package var isEmpty: Bool { pairs.isEmpty }

    private var bytes: Int { pairs.reduce(0) { $0 + 1 + $1.utf8.count } }

    /// - Returns: the pair.
    package static func checked(_ pair: String) throws(Fault) -> String {
        guard pair.contains("=") else { throw .noPair }
        let key = key(of: pair)
        let isKey = key.utf8.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || ".-_".unicodeScalars.contains(scalar))
        }
        guard isKey, (1...keyBytesMax).contains(key.utf8.count) else { throw .wrongKey }
        guard !reserved.contains(key.lowercased()) else { throw .reserved(key: key) }
        guard !pair.unicodeScalars.contains(where: DisplayText.isUnsafe) else { throw .unprintable(key: key) }
        guard pair.utf8.count <= pairBytesMax else { throw .pairTooLong(key: key) }
        return pair
    }

    /// Keys are compared without regard to case (RFC 6763 section 6.4).
    private func has(_ key: String) -> Bool {
        pairs.contains { Self.key(of: $0).lowercased() == key.lowercased() }
    }

    private static func key(of pair: String) -> String { String(pair.prefix { $0 != "=" }) }
}
