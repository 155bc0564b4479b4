/// Something did not happen though it was looked at many times over.
struct NeverHappened: Error, CustomStringConvertible {
    let what: String

    var description: String { "looked \(looksMax) times in vain: \(what)" }
}

/// Ten milliseconds and more apart, which is far longer than anything here takes: what counts is looks, so that a busy machine, where
/// every look takes longer, fails no test.
private let looksMax = 18_000

/// Waits until `condition` gives a value. The one place in these tests where time passes.
func eventually<Value>(_ what: String, _ condition: () async throws -> Value?) async throws -> Value {
    for _ in 0..<looksMax {
        if let value = try await condition() { return value }
        try await Task.sleep(for: .milliseconds(10))
    }
    throw NeverHappened(what: what)
}

/// The same for a condition that is true or not.
func eventually(_ what: String, isTrue condition: () async throws -> Bool) async throws {
    try await eventually(what) { try await condition() ? () : nil }
}
