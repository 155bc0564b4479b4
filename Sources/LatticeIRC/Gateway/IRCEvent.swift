package import LatticeAPI
package import LatticeCore

/// Identifies a client connection; never reused while the gateway runs.
package struct ConnectionID: Hashable, Comparable, Sendable {
    let number: Int

    package init(_ number: Int) {
        self.number = number
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

package struct IRCTicket: Hashable, Sendable {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

package enum IRCEvent: Sendable {
    case connected(ConnectionID, host: String, isSecure: Bool)
    /// A line from a client without its line break; `nil` if it was too long.
    case line(ConnectionID, [UInt8]?)
    case ended(ConnectionID, String)
    /// The client does not read what it is sent.
    case overflowed(ConnectionID)
    case answered(ConnectionID, IRCTicket, IRCOutcome)
    /// An event from `MeshHost.publicEvents`.
    case told(NodeEvent)
    /// An event for the person of one connection.
    case deliveredAlone(ConnectionID, NodeEvent)
    /// The people present at the start.
    case found([PeerInfo])
    /// The card of the mesh.
    case card(MeshCardStatus)
    /// A timer, a few times a second.
    case woke
    case stopping
}

package enum IRCEffect: Hashable, Sendable {
    /// Complete lines for each of these connections.
    case write([ConnectionID], [UInt8])
    case close(ConnectionID)
    /// Ask; answered by `answered` with the same ticket, exactly once.
    case ask(ConnectionID, IRCTicket, IRCQuestion)
    case leave(ConnectionID)
    case keep(IRCReadMarks)
}

/// A request to the host, or to the person of a connection.
package enum IRCQuestion: Hashable, Sendable {
    case admit(AccountName, PeerName)
    case opens(AccountName, TypedKey)
    case isClaimed(AccountName)
    /// As the person of this connection.
    case perform(IRCRequest)
    /// As the node's owner.
    case performForOwner(IRCRequest)
}

package typealias IRCOutcome = Result<IRCAnswer, RequestError>

package enum IRCAnswer: Hashable, Sendable {
    case admitted(PeerID)
    case says(Bool)
    case answer(IRCReply)
}
