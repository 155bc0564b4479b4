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
    /// One record to several links, encoded once.
    case forward(VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool = false, to: [LinkID])
    /// A presence that was heard before, with its age.
    case handPresence(VerifiedRecord, timeToLive: UInt8, hops: UInt8, ageMilliseconds: UInt32, to: [LinkID])
    /// Append our signed stop to this probe, then send it to all of these.
    indirect case endorse(Probe, to: [LinkID])
    /// Say goodbye after what waits to be sent, then close.
    indirect case close(LinkID, Goodbye)
    /// A record that is new here, for whoever shows or stores it; `hops` 0 is our own.
    case deliver(VerifiedRecord, hops: UInt8)
    /// Sign our presence and submit it.
    indirect case announce(Presence)
    indirect case stateChanged(PeerID, PeerName, LinkState, LinkEnd?)
    /// A person is to say whether this peer may link.
    indirect case ask(PeerID, PeerName, context: [UInt8])
    /// An address that was sighted does not answer; told once for each address until it does.
    indirect case unreachable(Sighting, reason: String)
    /// A given address turned out to be ourselves.
    indirect case dialledSelf(PeerAddress)
    /// Somebody's presence changed.
    indirect case presenceChanged(PeerID, Presence, hops: UInt8)
    indirect case probed(nonce: UInt64, ProbeOutcome)
    /// A step of a comparison is to be made; its end is `MeshEvent.compared`.
    indirect case compare(ComparisonWork)
    /// A record that was fetched, for the store; shown, if at all, once it is stored. Its end is `MeshEvent.kept`.
    case keep(VerifiedRecord, ageSeconds: UInt32, from: LinkID)
    /// Send these from the store, what ends soonest first, as `Frame.supply`, and of the rest `Frame.lack`.
    indirect case supply([RecordID], to: LinkID)
    /// How far this peer is with what it lacks has changed: see `Mesh.syncProgress`.
    case syncChanged
    /// A comparison with a neighbour has ended: what came of it is told to people.
    indirect case comparedWith(PeerID)
    /// A neighbour has these own records now, which are no lines of chat.
    case confirmed([RecordID])
    /// More own lines wait than fit; this one was not kept.
    indirect case outboxFull(RecordID)
    indirect case data(DataEffect)
}

/// What became of a probe.
package enum ProbeOutcome: Hashable, Sendable {
    /// It came back after `roundTrip`; `path` starts with us and ends with its target.
    case answered(roundTrip: Duration, path: [Probe.Stop])
    /// Nobody is connected who could be asked.
    case noRoute
    case timedOut
    /// No answer in time but one whose path was not signed by everybody in it.
    case forged
}
