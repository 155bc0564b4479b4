/// The sentence about a line that is too long, shared by all checks.
package enum LineLimit {
    package static func sentence(bytesMax: Int) -> String {
        "This line was not sent: a message can be at most \(bytesMax.grouped) bytes long. Send it in parts."
    }
}

extension Int {
    /// `4,096`
    var grouped: String {
        guard self >= 1_000 else { return String(self) }
        let rest = String(self % 1_000)
        return "\((self / 1_000).grouped),\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
