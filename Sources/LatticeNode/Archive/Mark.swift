import LatticeAPI
import LatticeCore
import LatticeStore

/// The position in a list after which the next page begins, as text that a front sends back.
struct Mark {
    /// The list; a cursor is valid only for its own.
    enum List: String {
        case near = "n"
        case search = "s"
        case time = "t"
        /// Events that are not over, and those that are.
        case coming = "c"
        case past = "p"
    }

    /// Metres if sorted by distance; otherwise a date in Unix milliseconds.
    let value: Double
    let seq: Int64

    init(metres: Double, seq: Int64) {
        value = metres
        self.seq = seq
    }

    init(date: WallTime, seq: Int64) {
        value = Double(date.milliseconds)
        self.seq = seq
    }

    init(_ cursor: PageCursor, _ list: List) throws(RequestError) {
        let parts = cursor.text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == list.rawValue, let bits = UInt64(parts[1], radix: 36),
            let seq = Int64(parts[2], radix: 36), Double(bitPattern: bits).isFinite, seq >= 0
        else {
            throw .invalid(faults: [.otherCursor])
        }
        value = Double(bitPattern: bits)
        self.seq = seq
    }

    func cursor(_ list: List) -> PageCursor {
        PageCursor("\(list.rawValue)-\(String(value.bitPattern, radix: 36))-\(String(seq, radix: 36))")
    }

    var metres: Double { value }

    /// Dates of 48 bits are exact in a `Double`.
    var time: TimeMark { TimeMark(date: WallTime(milliseconds: Int64(exactly: value.rounded()) ?? 0), seq: seq) }
}
