/// A message to the service manager: assignments, one a line (sd_notify(3)).
enum ServiceNotice: Equatable {
    /// Ready for requests, also after a reload.
    case ready(status: String)
    /// Reloading settings. The time is that of CLOCK_MONOTONIC, which tells the manager one reload from the next.
    case reloading(microseconds: UInt64)
    case stopping
    case alive

    var text: String {
        switch self {
        case .ready(let status):
            // A line break would begin another assignment.
            "READY=1\nSTATUS=\(status.map { $0.isNewline ? " " : String($0) }.joined())\n"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)\n"
        case .stopping: "STOPPING=1\n"
        case .alive: "WATCHDOG=1\n"
        }
    }
}
