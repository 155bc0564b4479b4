/// A parser of untrusted bytes or a machine driven by them, with the properties that must hold for any input.
///
/// libFuzzer drives it through `tools/fuzz`; the ordinary tests run every stored file through it.
package struct FuzzTarget: Sendable {
    /// The name, also of the folder with its files.
    package let name: String
    package let summary: String
    /// Longer inputs find nothing that shorter ones do not.
    package let inputBytesMax: Int
    /// - Throws: only `BrokenProperty`; what a parser throws is a valid answer.
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
        .screen, .keys, .files, .folder, .sighting, .control, .irc, .answer, .picture, .points,
    ]

    package static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }
}

/// A property that does not hold for some input.
package struct BrokenProperty: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// - Throws: a `BrokenProperty` with the sentence if the condition is false.
func hold(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(BrokenProperty) {
    if !condition { throw BrokenProperty(sentence()) }
}

/// The parser's result; `nil` if it rejects the input, which is a valid answer, too.
func accepted<Value>(_ read: () throws -> Value) -> Value? {
    do {
        return try read()
    } catch {
        return nil
    }
}
