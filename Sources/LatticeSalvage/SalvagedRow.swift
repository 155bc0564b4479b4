import LatticeCore
import LatticeWire

/// A possible row of `record`; nothing in it is trusted except what its author signed.
struct SalvagedRow: Sendable {
    /// As in its columns.
    let id: RecordID?
    let seq: Int64
    /// Possible bytes of the record. A long one spans several pages, and the log may have several versions of each.
    var candidates: [[UInt8]]
    /// Unix milliseconds, as `date`.
    let seen: Int64?
    let date: Int64?

    /// The arrival, if the columns agree with each other and with the record: no stored record had expired on arrival.
    /// Otherwise the date of creation, so that a wrong arrival does not make it expire too early.
    func arrival(created: Int64, lifetime: Int64, now: Int64) -> Int64 {
        if let seen, let date, seen > 0, date == min(created, seen), date + lifetime > seen { return seen }
        return min(created, now)
    }
}

/// The content of a row in one of the primary tables. The table is recognised by the form of its rows, because the pages
/// that assign pages to tables may be lost.
enum SalvagedFinding {
    case record(SalvagedRow)
    /// The record was deleted; by whom may be lost.
    case erased(RecordID)
    case setting(key: String, value: String)
    /// The number of a record that waits in the outbox.
    case waiting(Int64)
    case clock(HybridTime)
    case nothing

    /// For `record`, in the order of the schema.
    private static let recordColumns = 16
    private static let ledgerColumns = 4
    private static let settingKeyBytesMax = 64
    private static let settingValueBytesMax = 1_024

    init(_ cell: SalvagedCell, _ values: [SalvagedValue]) {
        switch (cell.tree, values.count) {
        case (.table, 1):
            if case .null = values[0], cell.number > 0 { self = .waiting(cell.number) } else { self = .nothing }
        case (.table, Self.recordColumns): self = Self.record(cell, values)
        case (.table, Self.ledgerColumns): self = Self.ledger(cell, values)
        case (.index, 2): self = Self.setting(values)
        default: self = .nothing
        }
    }

    private static func record(_ cell: SalvagedCell, _ values: [SalvagedValue]) -> SalvagedFinding {
        var id: RecordID?
        if case .blob(let bytes) = values[1] { id = Bytes32(bytes).map(RecordID.init) }
        if case .null = values[15], case .int(let erased) = values[12], erased != 0, let id { return .erased(id) }
        let blobs = values.compactMap { if case .blob(let bytes) = $0 { Array(bytes) } else { nil } }
        return .record(
            SalvagedRow(
                id: id, seq: cell.number, candidates: blobs, seen: values[7].number, date: values[8].number))
    }

    /// The only row of `ledger`.
    private static func ledger(_ cell: SalvagedCell, _ values: [SalvagedValue]) -> SalvagedFinding {
        guard case .null = values[0], cell.number == 1, case .int = values[1], case .int = values[2],
            case .int(let clock) = values[3]
        else { return .nothing }
        return .clock(HybridTime(rawValue: UInt64(bitPattern: clock)))
    }

    /// It has no signature, so its form is checked.
    private static func setting(_ values: [SalvagedValue]) -> SalvagedFinding {
        guard case .text(let key) = values[0], case .text(let value) = values[1],
            1...settingKeyBytesMax ~= key.count, value.count <= settingValueBytesMax,
            key.allSatisfy({ $0 == UInt8(ascii: ".") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }),
            value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), let text = String(validating: value, as: UTF8.self)
        else { return .nothing }
        return .setting(key: String(decoding: key, as: UTF8.self), value: text)
    }
}

extension SalvagedValue {
    fileprivate var number: Int64? {
        if case .int(let number) = self { number } else { nil }
    }
}
