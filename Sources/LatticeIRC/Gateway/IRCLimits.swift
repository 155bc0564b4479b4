package import LatticeAPI
package import LatticeCore

/// Limits for one client and for all of them together.
package struct IRCLimits: Sendable {
    package var connectionsMax = 1_000
    /// How many of these may be unregistered: enough for a whole room of clients that reconnect at once.
    package var unregisteredMax = 500
    /// A presence names as many rooms.
    package var channelsMax = 64
    package var monitorMax = 100
    /// Lines a second, and how many at once: enough for a person who pastes a page, or a program that reports its work.
    package var lines = TokenBucket.Rate(perSecond: 100, burst: 1_000)
    /// Queued input lines: one burst and a few seconds of lines after it. A client that sends more is closed.
    package var waitingLinesMax = 1_512
    /// Queued input bytes, including tags: twice a burst of the longest lines.
    package var waitingBytesMax = 1 << 20
    /// Bytes waiting for a client to read them.
    package var sendQueueBytesMax = 1 << 20
    package var registrationTimeout: Duration = .seconds(60)
    /// Silence after which a client is sent a PING.
    package var pingAfter: Duration = .seconds(120)
    /// Time to deliver a private message to somebody present; after it, a notice says that the message is waiting.
    package var messagePatience: Duration = .seconds(2)
    package var pingTimeout: Duration = .seconds(60)
    /// Interval between notices that lines are not stored.
    package var lossPause: Duration = .seconds(60)
    package var passwordTriesMax = 3
    /// Past lines shown on JOIN to a client without chathistory.
    package var replayLines = 30
    /// Lines in one reply to CHATHISTORY.
    package var historyLinesMax = 100
    /// Rows in one reply to WHO, LIST or WHOWAS.
    package var rowsMax = 1_000
    package var goneMax = 1_000

    package static let topicBytes = SetPin.textBytesMax
    package static let awayBytes = SetAway.textBytesMax
    package static let realNameBytes = 150
    package static let userBytes = 10
    package static let targetsMax = 4
    package static let roomKeyBytes = 64

    package init() {}
}

package struct IRCSettings: Sendable {
    package var serverName: String
    /// Name of the mesh (NETWORK).
    package var mesh: String
    package var version: String
    /// The password that clients must send (PASS); `nil` for none.
    package var password: TypedKey?
    package var limits = IRCLimits()
    package var begun: WallTime
    /// Formats a local date, `2026-11-20 14:02`, for clients that do not show dates.
    package var dateText: @Sendable (WallTime) -> String
    /// Where the node's page is now, such as `http://127.0.0.1:8080/`; `nil` if it has none. Asked for each line with a file.
    package var page: @Sendable () -> String? = { nil }

    /// - Parameter serverName: see `isServerName`.
    package init(
        serverName: String = Self.defaultName, mesh: MeshName, version: String, password: TypedKey? = nil,
        begun: WallTime, dateText: (@Sendable (WallTime) -> String)? = nil
    ) {
        self.serverName = serverName
        self.mesh = String(mesh.text.map { $0.isWhitespace ? "_" : $0 })
        self.version = version
        self.password = password
        self.begun = begun
        self.dateText =
            dateText ?? { time in String(RFC3339.string(time).prefix(16)).replacing("T", with: " ") }
    }

    package static let defaultName = "lattice.local"

    /// 1–63 letters, digits, dots and dashes, with at least one dot: without it the name might be taken for a nick.
    package static func isServerName(_ name: String) -> Bool {
        (1...63).contains(name.utf8.count) && name.contains(".") && name.first != "." && name.first != "-"
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
