package import LatticeSettings
package import Logging

/// Remarks for people go into the log if programs read standard error.
package enum StructuredLog {
    /// `nil` if people read standard error.
    @TaskLocal private static var current: Logger?

    /// - Returns: whether the log has it, so that it need not be printed.
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
