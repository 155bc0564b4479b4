package import ArgumentParser
package import LatticeSettings
package import Logging

package struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Log level on standard error: debug, info, warning or error.", valueName: "level"),
        transform: Arguments.logLevel)
    package var log: Logger.Level?

    @Option(
        help: ArgumentHelp(
            "Log format: text, or json (one object per line). (default: text)", valueName: "format"))
    var logFormat: LogFormat?

    package init() {}

    package var format: LogFormat {
        logFormat ?? Settings.current.text(.logFormat).flatMap(LogFormat.init) ?? .text
    }
}

extension LogFormat: ExpressibleByArgument {}
