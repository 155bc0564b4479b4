package import LatticeAPI
package import LatticeCore

/// One connection of a client, as long as the gateway runs.
package struct ConnectionID: Hashable, Comparable, Sendable {
    let number: Int

    package init(_ number: Int) {
        self.number = number
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// By which an answer finds its question.
package struct IRCTicket: Hashable, Sendable {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

/// What happens to a gateway.
package enum IRCEvent: Sendable {
    /// Somebody connected from there.
    case connected(ConnectionID, host: String, isSecure: Bool)
    /// What a client said, without its line end; `nil` is a line that was too long and is lost.
    case line(ConnectionID, [UInt8]?)
    /// A connection ended, and why.
    case ended(ConnectionID, String)
    /// It does not read what it is sent.
    case overflowed(ConnectionID)
    case answered(ConnectionID, IRCTicket, IRCOutcome)
    /// Of `MeshHost.publicEvents`.
    case told(NodeEvent)
    /// Of the person of one connection alone.
    case toldAlone(ConnectionID, NodeEvent)
    /// Who is there already.
    case found([PeerInfo])
    /// Some time went by; a few times a second.
    case woke
    /// The node ends.
    case stopping
}

/// What a gateway wants done.
package enum IRCEffect: Hashable, Sendable {
    /// Whole lines, for each of these.
    case write([ConnectionID], [UInt8])
    /// After what was written.
    case close(ConnectionID)
    /// Answered by `answered` with the same ticket, exactly once.
    case ask(ConnectionID, IRCTicket, IRCQuestion)
    /// The person of this connection goes.
    case leave(ConnectionID)
    /// How far each account has read, to be kept.
    case keep(IRCReadMarks)
}

/// What is asked of the host, or of the person of a connection.
package enum IRCQuestion: Hashable, Sendable {
    case admit(AccountName, PeerName)
    case opens(AccountName, TypedKey)
    case isClaimed(AccountName)
    /// In the name of the person of this connection.
    case perform(IRCRequest)
    /// In the name of the node's owner.
    case performForOwner(IRCRequest)
}

package typealias IRCOutcome = Result<IRCAnswer, RequestError>

package enum IRCAnswer: Hashable, Sendable {
    case admitted(PeerID)
    case says(Bool)
    case answer(IRCReply)
}
