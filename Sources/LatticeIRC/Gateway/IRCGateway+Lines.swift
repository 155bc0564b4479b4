import LatticeCore

// From a client's input to its commands, in order.
extension IRCGateway {
    mutating func connected(_ id: ConnectionID, _ host: String, _ isSecure: Bool) {
        let unregistered = clients.count - clients.registeredCount
        let isFull = clients.count >= limits.connectionsMax || unregistered >= limits.unregisteredMax
        if isFull { makeWay() }
        let isTurnedAway = isFull && clients.count >= limits.connectionsMax
        clients.add(IRCConnection(id, host: host, isSecure: isSecure, at: clients.now, date: clients.date))
        registration.connected(id, host)
        messages.connected(id)
        pages.connected(count: clients.count)
        if isTurnedAway { close(id, "All \(limits.connectionsMax) places for clients are taken. Try again later") }
    }

    /// Closes the oldest unregistered client to make space for a new one; clients that sent nothing go first.
    private mutating func makeWay() {
        let candidates = clients.filter { !$0.isRegistered && !$0.isAdmitting }
        let oldest = candidates.min { (!$0.isSilent ? 1 : 0, $0.id) < (!$1.isSilent ? 1 : 0, $1.id) }
        if let oldest { close(oldest.id, "Others are waiting, and your client did not register") }
    }

    mutating func arrived(_ line: [UInt8]?, from id: ConnectionID) {
        guard clients[id]?.isClosing == false else { return }
        let (limits, now) = (limits, clients.now)
        guard clients[id]?.input.append(line, limits, at: now) == true else {
            return close(id, "Excess Flood: send at most \(limits.lines.burst) lines at once")
        }
        drain(id)
    }

    /// Handles queued lines until one has to wait.
    mutating func drain(_ id: ConnectionID) {
        while let connection = clients[id], !connection.isClosing, !connection.underWay.isAsking,
            messages.farewell(id) == nil, !registration.hasGuess(id)
        {
            clients.finishLabel(id)
            let (limits, now) = (limits, clients.now)
            guard let line = clients[id]?.input.next(limits, at: now) else { return }
            guard let line else {
                clients.numeric(id, .inputTooLong, trailing: Self.tooLong)
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
            if clients.has(.labeledResponse, id), let label = message.tag("label"),
                (1...64).contains(label.utf8.count)
            {
                clients[id]?.reply.label = label
            }
            clients[id]?.reply.isMute = message.command == IRCVerb.notice.rawValue
            carryOut(message, of: id)
            carryOutJobs(of: id)
        } catch {
            switch error {
            case .tooLong: clients.numeric(id, .inputTooLong, trailing: Self.tooLong)
            case .notUTF8:
                clients.fail(id, "*", "INVALID_UTF8", trailing: "Your line is not UTF-8; set your client to UTF-8")
            case .binary:
                clients.fail(id, "*", "INVALID_MESSAGE", trailing: "Your line contains a NUL or a line break")
            }
        }
    }

    /// Goes on with the targets of the client's current line, until one has to wait for a reply.
    mutating func carryOutJobs(of id: ConnectionID) {
        while clients[id]?.isClosing == false, let job = clients[id]?.underWay.nextJob() { carryOut(job, of: id) }
    }

    mutating func woke() {
        rooms.reportLateLines(into: &clients)
        registration.checkNextProof(into: &clients)
        for id in clients.ids {
            guard clients[id]?.isClosing == false else { continue }
            if let farewell = messages.farewell(id) {
                close(id, farewell)
                continue
            }
            carryOut(registration.judgeGuess(id, into: &clients), of: id)
            enter(id)
            drain(id)
            messages.reportWaiting(id, into: &clients)
            lookAfter(id)
        }
    }

    /// Closes a client that does not register, or is not there any more.
    private mutating func lookAfter(_ id: ConnectionID) {
        let (limits, now) = (limits, clients.now)
        guard let connection = clients[id] else { return }
        guard connection.isRegistered else {
            let isLate = connection.since.advanced(by: limits.registrationTimeout) <= now
            let seconds = limits.registrationTimeout.components.seconds
            if isLate { close(id, "Your client did not register within \(seconds) seconds") }
            return
        }
        switch clients[id]?.input.silence(limits, at: now) {
        case .short, nil: break
        case .pingIsDue: clients.write(id, IRCLine("PING", [], trailing: clients.serverName))
        case .tooLong:
            close(id, "Ping timeout: \((limits.pingAfter + limits.pingTimeout).components.seconds) seconds")
        }
    }

    mutating func close(_ id: ConnectionID, _ reason: String) {
        guard let connection = clients[id], !connection.isClosing else { return }
        clients.finishLabel(id)
        clients.write(id, IRCLine("ERROR", [], trailing: "Closing Link: \(connection.host) (\(reason))"))
        ended(id, reason)
        clients.want(.close(id))
    }

    /// Others see that the person left.
    mutating func ended(_ id: ConnectionID, _ reason: String) {
        guard let connection = clients[id], !connection.isClosing else { return }
        clients.mute(id)
        registration.ended(id)
        if let person = connection.person { quit(person, id, reason) }
        people.ended(id, nick: connection.nick)
        rooms.ended(id)
        messages.ended(id)
        monitor.ended(id)
        clients.remove(id)
    }
}
