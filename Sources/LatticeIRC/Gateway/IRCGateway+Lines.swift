import LatticeCore

// From a client's input to its commands, in order.
extension IRCGateway {
    mutating func connected(_ id: ConnectionID, _ host: String, _ isSecure: Bool) {
        let unregistered = connections.values.count { !$0.isRegistered }
        let isFull = connections.count >= limits.connectionsMax || unregistered >= limits.unregisteredMax
        if isFull { makeWay() }
        let isTurnedAway = isFull && connections.count >= limits.connectionsMax
        connections[id] = IRCConnection(id, host: host, isSecure: isSecure, at: now, date: date)
        capabilities[id] = []
        mostConnections = max(mostConnections, connections.count)
        if isTurnedAway { close(id, "All \(limits.connectionsMax) places for clients are taken. Try again later") }
    }

    /// Closes the oldest unregistered client to make space for a new one; clients that sent nothing go first.
    private mutating func makeWay() {
        let candidates = connections.values.filter { !$0.isRegistered && !$0.isAdmitting }
        let oldest = candidates.min { (!$0.isSilent ? 1 : 0, $0.id) < (!$1.isSilent ? 1 : 0, $1.id) }
        if let oldest { close(oldest.id, "Others are waiting, and your client did not register") }
    }

    mutating func arrived(_ line: [UInt8]?, from id: ConnectionID) {
        guard let connection = connections[id], !connection.isClosing else { return }
        let (linesMax, bytesMax) = (limits.waitingLinesMax, limits.waitingBytesMax)
        guard connections[id]?.waiting.append(line, linesMax: linesMax, bytesMax: bytesMax) == true else {
            return close(id, "Excess Flood: send at most \(limits.lines.burst) lines at once")
        }
        connections[id]?.heardAt = now
        connections[id]?.pingedAt = nil
        drain(id)
    }

    /// Handles queued lines until one has to wait.
    mutating func drain(_ id: ConnectionID) {
        while let connection = connections[id], !connection.isClosing, connection.ticket == nil,
            connection.farewell == nil, connection.guess == nil
        {
            finishLabel(id)
            guard !connection.waiting.isEmpty else { return }
            let (rate, now) = (limits.lines, now)
            guard connections[id]?.bucket.take(of: rate, at: now) == true else { return }
            guard let line = connections[id]?.waiting.popFirst() else { return }
            guard let line else {
                numeric(id, .inputTooLong, trailing: Self.tooLong)
                continue
            }
            read(line, from: id)
        }
    }

    private static let tooLong =
        "Your line is too long: at most \(IRCMessage.bytesMax) bytes, and \(IRCMessage.tagBytesMax) of tags"

    private mutating func read(_ line: [UInt8], from id: ConnectionID) {
        do throws(IRCFault) {
            guard let message = try IRCMessage(line) else { return }
            let takesLabels = capabilities[id]?.contains(.labeledResponse) == true
            if takesLabels, let label = message.tag("label"), (1...64).contains(label.utf8.count) {
                connections[id]?.label = label
            }
            connections[id]?.isMute = message.command == IRCCommand.notice.rawValue
            carryOut(message, of: id)
        } catch {
            switch error {
            case .tooLong: numeric(id, .inputTooLong, trailing: Self.tooLong)
            case .notUTF8: fail(id, "*", "INVALID_UTF8", trailing: "Your line is not UTF-8; set your client to UTF-8")
            case .binary: fail(id, "*", "INVALID_MESSAGE", trailing: "Your line contains a NUL or a line break")
            }
        }
    }

    /// Sends the replies to one labelled line as one (IRCv3 labeled-response).
    private mutating func finishLabel(_ id: ConnectionID) {
        connections[id]?.isMute = false
        guard let connection = connections[id], let label = connection.label else { return }
        connections[id]?.label = nil
        connections[id]?.labelled = []
        let lines = connection.labelled
        guard lines.count != 1 || lines[0].batch != nil else {
            var line = lines[0]
            line.label = label
            return write(id, line)
        }
        guard !lines.isEmpty else {
            var line = IRCLine(source: settings.serverName, "ACK")
            line.label = label
            return write(id, line)
        }
        guard makesBatches(id) else {
            for line in lines { write(id, line) }
            return
        }
        let batch = nextBatch()
        var start = IRCLine(source: settings.serverName, "BATCH", ["+\(batch)", "labeled-response"])
        start.label = label
        write(id, start)
        for var line in lines {
            if line.batch == nil { line.batch = batch }
            write(id, line)
        }
        write(id, IRCLine(source: settings.serverName, "BATCH", ["-\(batch)"]))
    }

    mutating func woke() {
        tellOfLateLines()
        checkNextProof()
        for id in connections.keys.sorted() {
            guard let connection = connections[id], !connection.isClosing else { continue }
            if let farewell = connection.farewell {
                close(id, farewell)
                continue
            }
            judgeGuess(id)
            enter(id)
            drain(id)
            tellWhatWaits(id)
            if !connection.isRegistered {
                let isLate = connection.since.advanced(by: limits.registrationTimeout) <= now
                let seconds = limits.registrationTimeout.components.seconds
                if isLate { close(id, "Your client did not register within \(seconds) seconds") }
            } else if let pinged = connection.pingedAt {
                guard pinged.advanced(by: limits.pingTimeout) <= now else { continue }
                close(id, "Ping timeout: \((limits.pingAfter + limits.pingTimeout).components.seconds) seconds")
            } else if connection.heardAt.advanced(by: limits.pingAfter) <= now {
                connections[id]?.pingedAt = now
                write(id, IRCLine("PING", [], trailing: settings.serverName))
            }
        }
    }

    /// Sends the reason, then closes the connection.
    mutating func close(_ id: ConnectionID, _ reason: String) {
        guard let connection = connections[id], !connection.isClosing else { return }
        finishLabel(id)
        write(id, IRCLine("ERROR", [], trailing: "Closing Link: \(connection.host) (\(reason))"))
        ended(id, reason)
        want(.close(id))
    }

    /// Others see that the person left.
    mutating func ended(_ id: ConnectionID, _ reason: String) {
        guard let connection = connections[id], !connection.isClosing else { return }
        connections[id]?.isClosing = true
        // Nothing more is written to it.
        capabilities[id] = nil
        passwordDesk.dropped(id)
        if let person = connection.person { quit(person, connection, reason) }
        if let nick = connection.nick, holders[IRCNick.folded(nick)] == .connection(id) {
            holders[IRCNick.folded(nick)] = nil
        }
        connections[id] = nil
    }
}
