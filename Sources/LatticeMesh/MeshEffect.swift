package import LatticeCore
package import LatticeWire

/// The states of a link, as in MultipeerConnectivity.
package enum LinkState: String, Hashable, Sendable {
    case notConnected
    case connecting
    case connected
}

/// What the mesh wants done.
package enum MeshEffect: Hashable, Sendable {
    case dial(DialID, PeerAddress)
    case send(Frame, to: LinkID)
    /// One record to several links, encoded once. An urgent one goes before all other records that wait there.
    case forward(
        VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool = false, isUrgent: Bool = false, to: [LinkID])
    /// A relayed presence, with its age.
    case handPresence(VerifiedRecord, timeToLive: UInt8, hops: UInt8, ageMilliseconds: UInt32, to: [LinkID])
    /// Append our signed stop to this probe, then send it to all of these.
    indirect case endorse(Probe, to: [LinkID])
    /// Send what is queued, then say goodbye and close.
    indirect case close(LinkID, Goodbye)
    /// A record that is new here, to show and to store; `hops` is 0 for our own.
    case deliver(VerifiedRecord, hops: UInt8, isUrgent: Bool = false)
    /// Sign our presence and submit it.
    indirect case announce(Presence)
    indirect case stateChanged(PeerID, PeerName, LinkState, LinkEnd?)
    /// A person decides whether this peer may link. A later invitation of the same peer comes on another link.
    indirect case ask(PeerID, PeerName, context: [UInt8], on: LinkID)
    /// What became of an invitation that `MeshEvent.inviting` asked for; sent once for each.
    indirect case invitationEnded(AnnouncedPeer, InvitationOutcome)
    /// A sighted address does not answer; sent once for each address until it answers.
    indirect case unreachable(Sighting, DialEnd)
    /// An address that a person gave is our own.
    indirect case dialledSelf(PeerAddress)
    /// Somebody's presence changed.
    indirect case presenceChanged(PeerID, Presence, hops: UInt8)
    indirect case probed(nonce: UInt64, ProbeOutcome)
    /// Do one step of a comparison; `MeshEvent.compared` returns the result.
    indirect case compare(ComparisonWork)
    /// A fetched record, to store and, if at all, to show only then. `MeshEvent.kept` returns the outcome.
    case keep(VerifiedRecord, ageSeconds: UInt32, isUrgent: Bool = false, from: LinkID)
    /// Serve these records from the store as `Frame.serve`, the ones that expire first before the others; list those
    /// that are not there in `Frame.lack`.
    indirect case serve([RecordID], to: LinkID)
    /// Progress with missing records has changed: see `AntiEntropy.progress`.
    case syncChanged
    /// A comparison with a neighbour has ended; people are notified of the result.
    indirect case comparedWith(PeerID)
    /// A neighbour has these own records, none of which are chat lines.
    case confirmed([RecordID])
    /// What becomes of a record that a program of this person brought.
    case supplied(VerifiedRecord, SupplyVerdict)
    /// The outbox is full; this record was not kept.
    indirect case outboxFull(RecordID)
    indirect case data(DataEffect)
    indirect case datagram(DatagramEffect)
    /// What a connected neighbour says about blobs, or a piece of one: `want`, `holds`, `piece` or `absent`.
    case blob(Frame, from: LinkID)
}

/// What became of a probe.
package enum ProbeOutcome: Hashable, Sendable {
    /// It came back after `roundTrip`; `path` starts with us and ends with its target.
    case answered(roundTrip: Duration, path: [Probe.Stop])
    /// No connected neighbour could be asked.
    case noRoute
    case timedOut
    /// The only answers in time had a path that not everybody in it had signed.
    case forged
}

/// What becomes of a record that a program of this person brought from another network.
package enum SupplyVerdict: Hashable, Sendable {
    /// It was written just now: it is delivered, and relayed.
    case isRelayed
    /// It is stored, and reaches neighbours when they reconcile.
    case isKept(isUrgent: Bool)
    /// There was too much in too short a time.
    case isTooMuch
    case isBlocked
}
