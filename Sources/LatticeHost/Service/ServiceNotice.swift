/// What a service tells the manager that started it: assignments, a line each (sd_notify(3)).
enum ServiceNotice: Equatable {
    /// It can be asked now, also after it read its settings anew.
    case ready(status: String)
    /// It reads its settings anew. The time is that of CLOCK_MONOTONIC, by which the manager tells one reload from the next.
    case reloading(microseconds: UInt64)
    case stopping
    /// It is still at work.
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
