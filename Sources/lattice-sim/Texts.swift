/// A JSON object that keeps the order of its keys, so that a run always gives the same text.
struct JSONObject {
    private var members: [String] = []

    var text: String { "{\(members.joined(separator: ","))}" }

    /// Keys and texts come from this program and need no escapes.
    mutating func set(_ key: String, _ text: String) { members.append("\"\(key)\":\"\(text)\"") }
    mutating func set(_ key: String, _ number: Int) { members.append("\"\(key)\":\(number)") }
    mutating func set(_ key: String, _ number: Double) { members.append("\"\(key)\":\(Self.number(number))") }
    mutating func set(_ key: String, _ object: JSONObject) { members.append("\"\(key)\":\(object.text)") }
    mutating func set(_ key: String, _ numbers: [String]) {
        members.append("\"\(key)\":[\(numbers.joined(separator: ","))]")
    }

    static func number(_ value: Double) -> String { number(value, places: 6) }

    /// A decimal fraction with at most this many places, without trailing zeros.
    static func number(_ value: Double, places: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((abs(value) * Double(scale)).rounded())
        let fraction = String(String(scaled % scale + scale).dropFirst())
        let kept = String(fraction.reversed().drop { $0 == "0" }.reversed())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return "\(sign)\(scaled / scale)" + (kept.isEmpty ? "" : ".\(kept)")
    }
}

/// Aligned columns: the first to the left, the others to the right.
struct Table {
    private var rows: [[String]] = []

    mutating func row(_ cells: String...) { rows.append(cells) }

    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        var text = ""
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += column == 0 ? cell + padding : "  " + padding + cell
            }
            text += String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }
        return text
    }
}
