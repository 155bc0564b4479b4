import LatticeAPI
import LatticeCore

struct IRCConnection {
    enum Password {
        case missing
        case right
    }

    /// Sign-in to an account (IRCv3 SASL 3.2). `idle` → `chosen` → `asked` → `idle`.
    enum Proof {
        case idle
        /// PLAIN was chosen; the base64 text received so far.
        case chosen(String)
        /// The check is queued or running.
        case asked
    }

    struct Membership {
        /// `nil` for a public room; else the known members who are in the mesh.
        var members: Set<PeerID>?
        /// Members of a private room who are not in the mesh.
        var absent: Set<PeerID> = []
    }

    struct Letter {
        let number: Int64
        let nick: String
        /// When to send a notice that it is waiting; `nil` after that.
        var tellAt: Instant?
    }

    let id: ConnectionID
    let host: String
    let isSecure: Bool
    let since: Instant
    let signedOn: WallTime

    // Identity.
    var nick: String?
    var user: String?
    var realName = ""
    var password = Password.missing
    var proof = Proof.idle
    var passwordTries = 0
    /// The gateway password as received, until its host may try one.
    var guess: TypedKey?
    /// How often admission failed because another connection still used the account.
    var admitTries = 0
    /// Signed in to with a password.
    var account: AccountName?
    /// Set after registration.
    var person: PeerID?
    var isAdmitting = false

    // Input and its pacing.
    var knowsVersion302 = false
    var isNegotiating = false

    var waiting = IRCLineQueue()
    var bucket = TokenBucket()
    /// The pending request; no further input is handled until its reply.
    var ticket: IRCTicket?
    var label: String?
    /// The current line is a notice, which gets no replies.
    var isMute = false
    /// Replies to the current labelled line.
    var labelled: [IRCLine] = []
    var isClosing = false

    // Rooms and state.
    var rooms: [RoomName: Membership] = [:]
    /// Private rooms for which an invitation brought a newer key that was not accepted.
    var invitedAgain: Set<RoomName> = []
    var isInStatus = false
    var isInWall = false
    var away: String?
    var isBot = false
    /// Folded nicks in the order they were added, with their original spelling.
    var monitored: [(folded: String, nick: String)] = []
    /// When it was last notified that its lines are not stored.
    var toldOfLossAt: Instant?

    var heardAt: Instant
    var spokeAt: Instant
    var pingedAt: Instant?
    /// Own private messages that are not delivered yet.
    var letters: [Letter] = []
    /// Its last line, until its event has reached everybody here.
    var unheard: RecordID?
    /// The last of its lines whose event arrived.
    var heard: RecordID?
    /// The QUIT reason; the connection closes when `unheard` has come round, or at the next timer.
    var farewell: String?
    /// People it exchanged private messages with; they are notified when a nick changes.
    var partners: [PeerID] = []

    init(_ id: ConnectionID, host: String, isSecure: Bool, at now: Instant, date: WallTime) {
        self.id = id
        self.host = host
        self.isSecure = isSecure
        since = now
        signedOn = date
        heardAt = now
        spokeAt = now
    }

    var isRegistered: Bool { person != nil && !isAdmitting }
    /// Whether it has not begun to register.
    var isSilent: Bool { nick == nil && user == nil }

    mutating func spoke(with peer: PeerID) {
        guard !partners.contains(peer) else { return }
        partners.append(peer)
        if partners.count > 256 { partners.removeFirst() }
    }
}

/// A person in the mesh, as clients see them.
struct IRCPerson {
    let id: PeerID
    var nick: String
    var name: PeerName
    /// Public rooms.
    var rooms: [RoomName]
    /// Hops from here; 0 means on this node.
    var hops: Int
    /// Their connection, for people on this gateway.
    var connection: ConnectionID?
}

struct IRCGone {
    let id: PeerID
    let nick: String
    let user: String
    let realName: String
    let at: WallTime
}
