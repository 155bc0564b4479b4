package import LatticeSettings
package import Logging

/// What people are told beside the log, where programs read it: there it stands in the log, too.
package enum StructuredLog {
    /// `nil` where people read standard error.
    @TaskLocal private static var current: Logger?

    /// - Returns: whether it stands in the log, and need not be told elsewhere.
    static func takesRemark(_ text: String) -> Bool {
        current?.notice("\(text)")
        return current != nil
    }

    static func takesError(_ text: String) -> Bool {
        current?.error("\(text)")
        return current != nil
    }

    package static func run(_ format: LogFormat, _ logger: Logger, _ body: () async throws -> Void) async throws {
        guard format == .json else { return try await body() }
        try await $current.withValue(logger) {
            do {
                try await body()
            } catch let failure as Failure {
                logger.critical("\(failure)")
                throw QuietEnd(exitCode: failure.exitCode)
            }
        }
    }
}
