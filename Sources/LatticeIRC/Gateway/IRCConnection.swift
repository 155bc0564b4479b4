import LatticeAPI
import LatticeCore

/// What a gateway knows of one client.
struct IRCConnection {
    enum Password {
        /// None was said.
        case missing
        case right
    }

    /// How somebody shows that an account is theirs (IRCv3 SASL 3.2). `idle` → `chosen` → `asked` → `idle`.
    enum Proof {
        case idle
        /// PLAIN was chosen; what it said of it so far.
        case chosen(String)
        /// It waits for its turn, or is checked.
        case asked
    }

    /// A room it is in.
    struct Membership {
        /// `nil` is one that everybody reads; else those who are known to be in it, and are in the mesh.
        var members: Set<PeerID>?
        /// Of a private one, those who are not in the mesh.
        var absent: Set<PeerID> = []
    }

    /// A private message on its way.
    struct Letter {
        let number: Int64
        let nick: String
        /// When a notice says that it waits; `nil` once it did.
        var tellAt: Instant?
    }

    let id: ConnectionID
    let host: String
    let isSecure: Bool
    let since: Instant
    let signedOn: WallTime

    // Who it is.
    var nick: String?
    var user: String?
    var realName = ""
    var password = Password.missing
    var proof = Proof.idle
    var passwordTries = 0
    /// The gateway's password as it was said, until its host may try one.
    var guess: TypedKey?
    /// How often its account was asked for while another client was still leaving it.
    var admitTries = 0
    /// Shown to be theirs by a password.
    var account: AccountName?
    /// Once it is in.
    var person: PeerID?
    var isAdmitting = false

    // How it speaks.
    var knowsVersion302 = false
    var isNegotiating = false

    var waiting = IRCLineQueue()
    var bucket = TokenBucket()
    /// What it waits for: nothing it says is looked at meanwhile.
    var ticket: IRCTicket?
    var label: String?
    /// What it said last is a notice, which nothing answers.
    var isMute = false
    /// Answers to a line with a label.
    var labelled: [IRCLine] = []
    var isClosing = false

    // Where it is.
    var rooms: [RoomName: Membership] = [:]
    /// Private ones of these that have a newer key, which came by an invitation and was not taken.
    var invitedAgain: Set<RoomName> = []
    var isInStatus = false
    var isInWall = false
    var away: String?
    var isBot = false
    /// Folded, in the order they were added, with how they were written.
    var monitored: [(folded: String, nick: String)] = []
    /// When it last heard that its lines are not stored.
    var toldOfLossAt: Instant?

    var heardAt: Instant
    var spokeAt: Instant
    var pingedAt: Instant?
    /// Own private messages that wait for whom they are for.
    var letters: [Letter] = []
    /// What it said last, until it has come round to everybody here.
    var unheard: RecordID?
    /// What came round last.
    var heard: RecordID?
    /// It wants to go: once what it said has come round.
    var farewell: String?
    /// With whom it talked alone: they see it when a nick changes.
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
    /// It sent nothing that tells who it is.
    var isSilent: Bool { nick == nil && user == nil }

    mutating func spoke(with peer: PeerID) {
        guard !partners.contains(peer) else { return }
        partners.append(peer)
        if partners.count > 256 { partners.removeFirst() }
    }
}

/// Somebody in the mesh, by what clients call them.
struct IRCPerson {
    let id: PeerID
    var nick: String
    var name: PeerName
    /// Public rooms.
    var rooms: [RoomName]
    /// Links from here to there; 0 is this very node.
    var hops: Int
    /// Through which connection of this gateway they are here.
    var connection: ConnectionID?
}

/// Somebody who was there.
struct IRCGone {
    let id: PeerID
    let nick: String
    let user: String
    let realName: String
    let at: WallTime
}
