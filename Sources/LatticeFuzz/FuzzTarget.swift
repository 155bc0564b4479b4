/// One reader of strangers' bytes, or one machine that they move, and what has to hold of it whatever it is given.
///
/// libFuzzer drives it by `tools/fuzz`, and the ordinary tests run every kept file through it.
package struct FuzzTarget: Sendable {
    /// Also the name of the folder that holds its files.
    package let name: String
    /// What holds, in one line.
    package let summary: String
    /// Longer inputs find nothing that shorter ones do not.
    package let inputBytesMax: Int
    /// - Throws: `BrokenProperty`, and nothing else: what a reader throws is an answer.
    package let check: @Sendable ([UInt8]) throws(BrokenProperty) -> Void

    init(
        _ name: String, _ summary: String, inputBytesMax: Int,
        check: @escaping @Sendable ([UInt8]) throws(BrokenProperty) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.inputBytesMax = inputBytesMax
        self.check = check
    }

    package static let all: [FuzzTarget] = [
        .frame, .record, .body, .link, .bundle, .negentropy, .handshake, .transport, .mesh, .place, .line,
        .screen, .keys, .files, .sighting, .control, .irc, .answer,
    ]

    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}

/// What should hold of all inputs and does not hold of one.
package struct BrokenProperty: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// - Throws: the sentence as a `BrokenProperty` where the condition is false.
func hold(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(BrokenProperty) {
    if !condition { throw BrokenProperty(sentence()) }
}

/// What a reader makes of its input; `nil` where it refuses it, which is an answer, too.
func accepted<Value>(_ read: () throws -> Value) -> Value? {
    do {
        return try read()
    } catch {
        return nil
    }
}
