package import LatticeAPI
package import LatticeCore

/// How a bridge is doing from its start to its end, over all its connections to the broker: what it reports to its node.
package struct BridgeStanding: Sendable {
    package private(set) var report: BridgeReport
    /// Counts of earlier connections.
    private var taken = BridgeReport.Taken()
    private var published = BridgeReport.Published()

    /// - Parameter broker: its address, without secrets.
    package init(_ engine: BridgeEngine, broker: String?, startedAt: WallTime) {
        report = BridgeReport(engine, broker: broker)
        report.startedAt = startedAt
    }

    /// The broker was reached; what follows is counted from zero again.
    package mutating func connected() {
        (taken, published) = (report.taken, report.published)
        (report.isConnected, report.lostAt) = (true, nil)
        (report.obstacleIn, report.obstacleOut) = (nil, nil)
    }

    /// Nothing crosses until `connected`.
    package mutating func stopped(_ obstacle: BridgeReport.Obstacle, at now: WallTime) {
        forget()
        report.obstacleIn = obstacle
        report.obstacleOut = obstacle
        // A broker that refuses us is there.
        lost(obstacle.code == .unreachable, at: now)
        report.isConnected = false
    }

    /// - Parameter feed: its number at the node; `nil` if none is open.
    package mutating func note(_ status: BridgeStatus, isComplete: Bool, feed: Int?, at now: WallTime) {
        report.taken = taken + status.taken
        report.published = published + status.published
        report.obstacleIn = (status.obstacleIn ?? status.obstaclePiecesIn).map { BridgeReport.Obstacle($0) }
        report.obstacleOut = (status.obstacleOut ?? status.obstaclePiecesOut).map { BridgeReport.Obstacle($0) }
        if let ahead = status.clockAhead { report.clockAhead = ahead }
        let isLost = report.obstacleIn?.code == .unreachable
        lost(isLost, at: now)
        guard !isLost else { return forget(feed) }
        report.isConnected = true
        (report.isComplete, report.feed) = (isComplete, feed)
        let behind = status.behind.filter { $0.key != .pieces }
        let count = behind.values.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
        report.behindIn = behind.isEmpty ? nil : Int(min(count, UInt64(BridgeReport.countMax)))
    }

    private mutating func lost(_ isLost: Bool, at now: WallTime) {
        report.lostAt = isLost ? report.lostAt ?? now : nil
    }

    /// What is known of a broker only while it answers.
    private mutating func forget(_ feed: Int? = nil) {
        (report.isConnected, report.isComplete, report.feed, report.behindIn) = (false, false, feed, nil)
    }
}

extension BridgeReport.Obstacle {
    package init(_ fault: BrokerFault) {
        switch fault {
        case .unreachable(let why), .closed(let why): self.init(.unreachable, why)
        case .refused(let why): self.init(.refused, why)
        case .otherSettings(let why): self.init(.settings, why)
        case .missingStream(let name): self.init(.settings, "there is no stream \(name)")
        }
    }

    package init(_ obstacle: BridgeStatus.Obstacle) {
        switch obstacle {
        case .broker(let fault): self.init(fault)
        case .full: self.init(.full, "a stream has no space")
        case .nodeBusy: self.init(.nodeBusy, "the node cannot store records now")
        }
    }
}

private func + (before: BridgeReport.Taken, now: BridgeStatus.Taken) -> BridgeReport.Taken {
    BridgeReport.Taken(
        added: before.added + now.added, known: before.known + now.known, expired: before.expired + now.expired,
        refused: before.refused + now.refused)
}

private func + (before: BridgeReport.Published, now: BridgeStatus.Published) -> BridgeReport.Published {
    BridgeReport.Published(
        stored: before.stored + now.stored, known: before.known + now.known, repeated: before.repeated + now.repeated)
}
