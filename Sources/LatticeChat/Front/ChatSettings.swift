package import LatticeCore

/// How a chat is to run.
package struct ChatSettings: Sendable {
    package var room: RoomName
    /// Input is held until so many peers are connected.
    package var waitCount = 0
    /// How long to wait for them, and at the end for somebody to take what was said; `nil` is for ever and 10 s.
    package var timeout: Duration?
    /// Whether a person types: a refused line is then no failure of the whole.
    package var isInteractive: Bool
    /// Whether a program reads: it is told of everything as it comes.
    package var isForPrograms = false
    /// Whether what is typed stands there as it was typed, and is not shown again when it is said.
    package var keepsTyped = false
    /// How long a message can be, for the error that says so.
    package var textBytesMax = 4_096
    /// Stands behind the name of somebody whose key was verified.
    package var verifiedMark = Roster.verifiedMark
    /// What time it is, and in which days.
    package let now: @Sendable () -> WallTime
    package let calendar: LocalCalendar

    package init(
        room: RoomName, isInteractive: Bool, now: @escaping @Sendable () -> WallTime, calendar: LocalCalendar = .utc
    ) {
        self.room = room
        self.isInteractive = isInteractive
        self.now = now
        self.calendar = calendar
    }
}

/// How a chat ended.
package enum ChatEnd: Hashable, Sendable {
    case done
    /// Some lines were refused or nobody confirmed them; the person was told.
    case failed
    /// Nobody was there to take what was said.
    case nobodyThere
    /// `--wait` was not met within `--timeout`.
    case timedOut
    /// Whoever read standard output is gone.
    case outputClosed

    /// 0 done, 1 failed, 69 nobody there (EX_UNAVAILABLE), 75 try again (EX_TEMPFAIL), as in sysexits(3).
    package var exitCode: Int32 {
        switch self {
        case .done: 0
        case .failed, .outputClosed: 1
        case .nobodyThere: 69
        case .timedOut: 75
        }
    }
}
