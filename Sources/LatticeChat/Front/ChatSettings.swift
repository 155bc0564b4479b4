package import LatticeCore

package struct ChatSettings: Sendable {
    package var room: RoomName
    /// Input is held until this number of peers is connected.
    package var waitCount = 0
    /// Limit on the wait for peers, and on the wait for confirmations at the end; `nil` is no limit and 10 s.
    package var timeout: Duration?
    /// Whether a person types. Then a refused line does not fail the whole chat.
    package var isInteractive: Bool
    /// Whether a program reads the output; it gets every event as it comes.
    package var isForPrograms = false
    /// Whether typed lines stay on the screen as typed, so that they are not shown again when sent.
    package var keepsTyped = false
    /// Whether one conversation is open at a time, and what comes to others is counted in the prompt.
    package var countsUnread = false
    /// Maximum length of a message, for the error that names it.
    package var textBytesMax = 4_096
    /// Follows the name of a person whose key was verified.
    package var verifiedMark = Roster.verifiedMark
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

package enum ChatEnd: Hashable, Sendable {
    case done
    /// Some lines were refused or never confirmed; the chat has shown which.
    case failed
    /// Nobody was connected to take what was said.
    case nobodyThere
    /// `--wait` was not met within `--timeout`.
    case timedOut
    /// Nobody reads standard output any more.
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
