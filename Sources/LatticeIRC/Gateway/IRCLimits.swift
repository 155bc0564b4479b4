package import LatticeAPI
package import LatticeCore

/// What one client, and all of them together, may ask of a gateway.
package struct IRCLimits: Sendable {
    package var connectionsMax = 1_000
    /// How many of these may not have said yet who they are: a whole room's clients that reconnect at once.
    package var unregisteredMax = 500
    /// As many as a presence names.
    package var channelsMax = 64
    package var monitorMax = 100
    /// Lines a second, and how many at once: a person who pastes a page, and a program that tells of what it does.
    package var lines = TokenBucket.Rate(perSecond: 100, burst: 1_000)
    /// Lines that wait for their turn: one burst, and a few seconds of what comes behind it. A client that says more is closed.
    package var waitingLinesMax = 1_512
    /// Their bytes, tags included: twice a burst of the longest lines.
    package var waitingBytesMax = 1 << 20
    /// Bytes that wait for a client to read them.
    package var sendQueueBytesMax = 1 << 20
    package var registrationTimeout: Duration = .seconds(60)
    /// Of silence, after which a client is asked whether it is there.
    package var pingAfter: Duration = .seconds(120)
    /// For a private message to come to somebody who is there; then a notice says that it waits.
    package var letterPatience: Duration = .seconds(2)
    /// For its answer.
    package var pingTimeout: Duration = .seconds(60)
    /// Between two notices that lines are not stored.
    package var lossPause: Duration = .seconds(60)
    package var passwordTriesMax = 3
    /// Lines of the past that a client without chathistory is shown when it joins.
    package var replayLines = 30
    /// Lines of one answer to CHATHISTORY.
    package var historyLinesMax = 100
    /// Rows of one answer to WHO, LIST or WHOWAS.
    package var rowsMax = 1_000
    /// People who are gone, of whom WHOWAS tells.
    package var goneMax = 1_000

    package static let topicBytes = 0
    package static let awayBytes = 200
    package static let realNameBytes = 150
    package static let userBytes = 10
    package static let targetsMax = 4
    package static let roomKeyBytes = 64

    package init() {}
}

/// What a gateway is.
package struct IRCSettings: Sendable {
    package var serverName: String
    /// Of the mesh: NETWORK.
    package var mesh: String
    package var version: String
    /// What a client has to say first (PASS); `nil` is nothing.
    package var password: TypedKey?
    package var limits = IRCLimits()
    /// Since when it runs.
    package var begun: WallTime
    /// A date as people here read it, `2026-11-20 14:02`, for clients that show no dates of their own.
    package var dateText: @Sendable (WallTime) -> String

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

    /// 1–63 letters, digits, dots and dashes, with a dot: a name without one may be taken for a nick.
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
