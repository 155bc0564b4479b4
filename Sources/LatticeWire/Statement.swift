/// The body of a `like`, `follow` or `attendance` record: that it holds, or no longer holds.
///
/// `body := holds:1`
package struct Statement: Hashable, Sendable {
    package let holds: Bool

    package init(holds: Bool) {
        self.holds = holds
    }

    package init(decoding body: [UInt8]) throws(WireError) {
        var reader = ByteReader(body)
        let byte = try reader.byte("statement")
        guard byte <= 1 else { throw .outOfRange(field: "statement") }
        try reader.end("statement")
        holds = byte == 1
    }

    package var body: [UInt8] { [holds ? 1 : 0] }
}
