/// Something did not happen in a time in which it should have happened many times over.
struct NeverHappened: Error, CustomStringConvertible {
    let what: String

    var description: String { "waited \(patience.components.seconds) s in vain: \(what)" }
}

/// Far more than anything here takes, so that a busy machine fails no test.
let patience: Duration = .seconds(60)

/// Waits until `condition` gives a value. The one place in these tests where time passes.
func eventually<Value>(_ what: String, _ condition: () async throws -> Value?) async throws -> Value {
    let deadline = ContinuousClock.now.advanced(by: patience)
    while true {
        if let value = try await condition() { return value }
        guard ContinuousClock.now < deadline else { throw NeverHappened(what: what) }
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// The same for a condition that is true or not.
func eventually(_ what: String, isTrue condition: () async throws -> Bool) async throws {
    try await eventually(what) { try await condition() ? () : nil }
}
