package import LatticeDiscovery

/// mDNS messages (RFC 6762, RFC 1035 section 4), as far as finding peers needs them. Strangers write them: any
/// violation ends parsing with an error, and every count has a limit.
package struct DNSMessage: Hashable, Sendable {
    package enum Data: Hashable, Sendable {
        case pointer(DNSName)
        case service(host: DNSName, port: UInt16)
        case text([UInt8])
        /// 4 or 16 bytes.
        case address([UInt8])
    }

    package struct Record: Hashable, Sendable {
        package let name: DNSName
        package let data: Data
    }

    package enum Fault: Error, Hashable {
        case tooLong
        case truncated
        case badName
        case tooMany
    }

    /// RFC 6762 section 17: no message is longer.
    package static let bytesMax = 9_000
    /// A guess: a printer has ten.
    package static let recordsMax = 256
    /// RFC 1035 section 2.3.4: a name has 255 bytes.
    private static let nameBytesMax = 255
    private static let pointersMax = 32

    package let isResponse: Bool
    package let questions: [DNSName]
    package let records: [Record]

    package init(parsing bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.bytesMax else { throw .tooLong }
        guard bytes.count >= 12 else { throw .truncated }
        func word(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
        isResponse = bytes[2] & 0x80 != 0
        let (asked, told) = (word(4), word(6) + word(8) + word(10))
        guard asked <= Self.recordsMax, told <= Self.recordsMax else { throw .tooMany }
        var offset = 12
        var questions: [DNSName] = []
        var records: [Record] = []
        for _ in 0..<asked {
            questions.append(try Self.name(in: bytes, at: &offset))
            offset += 4
            guard offset <= bytes.count else { throw .truncated }
        }
        for _ in 0..<told {
            let name = try Self.name(in: bytes, at: &offset)
            guard offset + 10 <= bytes.count else { throw .truncated }
            let kind = DNSRecordType(rawValue: UInt16(word(offset)))
            let length = word(offset + 8)
            offset += 10
            guard offset + length <= bytes.count else { throw .truncated }
            // A TTL of zero withdraws the record (RFC 6762 section 10.1).
            let isOver = bytes[offset - 6..<offset - 2].allSatisfy { $0 == 0 }
            if let kind, !isOver, let data = try Self.data(kind, in: bytes, offset..<offset + length) {
                records.append(Record(name: name, data: data))
            }
            offset += length
        }
        self.questions = questions
        self.records = records
    }

    /// - Returns: `nil` if the length is wrong for the type; other records may still be valid.
    private static func data(_ kind: DNSRecordType, in bytes: [UInt8], _ range: Range<Int>) throws(Fault) -> Data? {
        var offset = range.lowerBound
        switch kind {
        case .a: return range.count == 4 ? .address(Array(bytes[range])) : nil
        case .aaaa: return range.count == 16 ? .address(Array(bytes[range])) : nil
        case .txt: return .text(Array(bytes[range]))
        case .ptr: return .pointer(try name(in: bytes, at: &offset))
        case .srv:
            guard range.count > 6 else { return nil }
            let port = UInt16(bytes[offset + 4]) << 8 | UInt16(bytes[offset + 5])
            offset += 6
            return .service(host: try name(in: bytes, at: &offset), port: port)
        }
    }

    /// A name, perhaps ending with a compression pointer (RFC 1035 section 4.1.4). Each pointer must lead further back,
    /// so there are no loops.
    private static func name(in bytes: [UInt8], at offset: inout Int) throws(Fault) -> DNSName {
        var labels: [[UInt8]] = []
        var (place, length, jumps) = (offset, 1, 0)
        var end: Int?
        var floor = offset
        while true {
            guard place < bytes.count else { throw .truncated }
            let byte = Int(bytes[place])
            if byte == 0 {
                offset = end ?? place + 1
                return DNSName(labels)
            }
            if byte & 0xC0 == 0xC0 {
                guard place + 1 < bytes.count else { throw .truncated }
                let target = (byte & 0x3F) << 8 | Int(bytes[place + 1])
                jumps += 1
                guard target < floor, target >= 12, jumps <= pointersMax else { throw .badName }
                end = end ?? place + 2
                (place, floor) = (target, target)
                continue
            }
            length += byte + 1
            guard byte & 0xC0 == 0, length <= nameBytesMax else { throw .badName }
            guard place + 1 + byte <= bytes.count else { throw .truncated }
            labels.append(Array(bytes[place + 1..<place + 1 + byte]))
            place += byte + 1
        }
    }

    /// A multicast query with a multicast reply (RFC 6762 section 5.4).
    ///
    /// - Parameter questions: names with labels of at most 63 bytes, a few of them.
    static func query(_ questions: [(DNSName, DNSRecordType)]) -> [UInt8] {
        precondition(questions.count <= 255, "a few questions")
        var bytes: [UInt8] = [0, 0, 0, 0, 0, UInt8(questions.count), 0, 0, 0, 0, 0, 0]
        for (name, kind) in questions {
            bytes += name.wire
            bytes += [UInt8(kind.rawValue >> 8), UInt8(truncatingIfNeeded: kind.rawValue), 0, 1]
        }
        return bytes
    }
}
