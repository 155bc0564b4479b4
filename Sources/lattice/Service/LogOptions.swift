import ArgumentParser
import LatticeSettings
import Logging

/// What is logged to standard error, and how.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Log level on standard error: debug, info, warning or error.", valueName: "level"),
        transform: Arguments.logLevel)
    var log: Logger.Level?

    @Option(
        help: ArgumentHelp(
            "Log format: text, or json (one object per line). (default: text)", valueName: "format"))
    var logFormat: LogFormat?

    var format: LogFormat {
        logFormat ?? Settings.current.text(.logFormat).flatMap(LogFormat.init) ?? .text
    }
}

extension LogFormat: ExpressibleByArgument {}

/// What people are told beside the log, where programs read it: there it stands in the log, too.
enum StructuredLog {
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

    static func run(_ format: LogFormat, _ logger: Logger, _ body: () async throws -> Void) async throws {
        guard format == .json else { return try await body() }
        try await $current.withValue(logger) {
            do {
                try await body()
            } catch let failure as Failure {
                logger.critical("\(failure)")
                throw ExitCode(failure.exitCode)
            }
        }
    }
}
