import Glibc
import LatticeChat
import LatticeCore
package import LatticeSettings
package import Logging
import Synchronization

/// Writes the log to standard error: with timestamps for people, with priorities for the system's journal, and as JSON
/// for programs.
package struct ServiceLog: LogHandler {
    enum Style: Equatable {
        case dated
        /// `<6>`: the journal adds the time itself (sd-daemon(3)).
        case journal
        /// One JSON object: `ts`, `level`, `label`, `message`, `metadata`.
        case json
    }

    /// The level, shared by all copies of a logger; it can change at run time.
    package final class Threshold: Sendable {
        private let kept: Mutex<Logger.Level>

        package init(_ level: Logger.Level) {
            kept = Mutex(level)
        }

        var level: Logger.Level {
            get { kept.withLock(\.self) }
            set { kept.withLock { $0 = newValue } }
        }
    }

    private let style: Style
    private let threshold: Threshold
    package var metadata: Logger.Metadata = [:]

    package static let label = "lattice"

    package static func logger(_ threshold: Threshold, _ format: LogFormat = .text) -> Logger {
        let style: Style = format == .json ? .json : .found
        return Logger(label: label) { _ in ServiceLog(style: style, threshold: threshold) }
    }

    private init(style: Style, threshold: Threshold) {
        (self.style, self.threshold) = (style, threshold)
    }

    package var logLevel: Logger.Level {
        get { threshold.level }
        set { threshold.level = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let members = metadata.merging(event.metadata ?? [:]) { $1 }
        Report.raw(
            Self.line(event.level, "\(event.message)", members, style, at: Surroundings.present()) + "\n")
    }

    /// Always one line, even if strangers' values contain line breaks.
    static func line(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, _ style: Style, at time: WallTime
    ) -> String {
        if style == .json { return object(level, message, metadata, at: time).description }
        let members = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let text = DisplayText.safe(message + members).map { $0.isNewline ? " " : String($0) }.joined()
        switch style {
        case .dated, .json: return "\(RFC3339.string(time)) \(level.rawValue): \(text)"
        case .journal: return "<\(level.priority)>\(text)"
        }
    }

    private static func object(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, at time: WallTime
    ) -> JSONLine {
        JSONLine([
            ("ts", .text(RFC3339.string(time))), ("level", .text(level.rawValue)), ("label", .text(label)),
            ("message", .text(message)), ("metadata", value(.dictionary(metadata))),
        ])
    }

    private static func value(_ value: Logger.Metadata.Value) -> JSONLine.Value {
        switch value {
        case .string(let text): .text(text)
        case .stringConvertible(let value): .text("\(value)")
        case .array(let values): .list(values.map(Self.value))
        case .dictionary(let members):
            .object(JSONLine(members.sorted { $0.key < $1.key }.map { ($0.key, Self.value($0.value)) }))
        }
    }
}

extension ServiceLog.Style {
    /// The journal's style if standard error is its stream, according to JOURNAL_STREAM (systemd.exec(5)).
    fileprivate static var found: Self {
        var facts = stat()
        guard fstat(STDERR_FILENO, &facts) == 0, let stream = Surroundings.variable("JOURNAL_STREAM") else {
            return .dated
        }
        return stream == "\(facts.st_dev):\(facts.st_ino)" ? .journal : .dated
    }
}

extension Logger.Level {
    /// Priorities of syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
