package import LatticeCore
import LatticeWire

/// What a person may settle about a mesh, and the limits that hold whatever they settle.
package struct MeshOptions: Sendable {
    /// Whom this peer links with of those that it only sighted or that invite it.
    package enum Policy: String, Sendable, CaseIterable {
        /// Everybody of the same mesh.
        case auto
        /// Whoever a person says yes to.
        case ask
        /// Only known peers.
        case contacts
        /// Nobody that invites; links begin only where a person names an address or a peer.
        case none
    }

    package var mesh: MeshName
    package var meshTag: UInt32
    package var policy: Policy = .auto
    package var contacts: Set<PeerID> = []
    /// Said with each invitation; at most `Invitation.contextBytesMax` bytes.
    package var context: [UInt8] = []
    /// 1–64 links; what this peer says travels no further.
    package var timeToLive = RecordFrame.timeToLiveDefault
    /// Links that are kept open, 1–60 (HyParView's active view). Up to one more peer than this, everybody is linked with
    /// everybody.
    package var activeMax = 8
    /// Peers remembered of those that only neighbours told of, 1–1,000 (HyParView's passive view).
    package var passiveMax = 64
    /// How long it is gathered what a neighbour is to be told of. The same for everybody: told at different times, half of it need not be
    /// told, and yet everybody works more, since each is woken for every neighbour apart.
    package var haveDelay: Duration = .milliseconds(50)
    /// How long a record that a neighbour has is waited for before it is asked for. Longer than the tree takes to bring it,
    /// or it comes twice.
    package var graftDelay: Duration = .milliseconds(300)
    /// So many hops a neighbour must save to become a branch of the tree in the place of another.
    package var shortcutHops: UInt8 = 7
    /// Within this share of the hops that records take, in percent, they are pushed beside the tree, too. `nil`: as suits
    /// `activeMax`, since the wider the views the fewer hops reach as many peers. 60 at five links and 45 at eight were
    /// found by measuring: half of what the whole flood gains, for a tenth of its duplicates.
    package var floodPercent: Int?
    /// KiB of new records that are taken from one speaker in a second, 16–1,000,000; every record counts as one at least. A
    /// fence against a flood, no speed limit for people: one core checks some 27,000 signatures a second.
    package var originRate = Self.originRateUsual
    package static let originRateUsual: Int64 = 4_096
    /// As `originRate`, from one neighbour, whoever speaks; 32–1,000,000.
    package var linkRate = Self.linkRateUsual
    package static let linkRateUsual: Int64 = 16_384

    package init(mesh: MeshName, meshTag: UInt32) {
        self.mesh = mesh
        self.meshTag = meshTag
    }
}

/// The limits of the mesh core, each with its reason.
package enum MeshLimit {
    /// Links at once, half-open ones included: an active view of the largest size, and who is being talked with.
    package static let linksMax = 64
    /// Links whose dialler has not invited us yet: anybody can make those, so the oldest gives way to the newest.
    package static let uninvitedMax = 16
    /// Peers that discovery knows and that are not linked.
    package static let candidatesMax = 1_024
    /// Interfaces × protocols of one machine; more is noise.
    package static let addressesPerCandidateMax = 8
    package static let dialsMax = 16
    /// Own lines kept while nobody is connected.
    package static let outboxWaitingMax = 1_000
    /// Own lines sent and not yet confirmed by any neighbour; speaking waits from half of it.
    package static let outboxSentMax = 8_192
    /// A new link is sent all of it at once, so it has to fit a link's queue, together with everybody's presence.
    package static let outboxBytesMax = 5 << 20
    /// Where speaking waits for neighbours to confirm: nothing is dropped from a full outbox then.
    package static let outboxBytesPaced = 3 << 20
    /// 48 bytes and their bookkeeping each: about 8 MB at most.
    package static let seenMax = 65_536
    package static let peopleMax = 4_096
    /// Presences of unknown keys: a link may bring half of the largest mesh at once. A crowd that walks in comes more slowly than this.
    static let newcomersPerLink = TokenBucket.Rate(perSecond: 32, burst: Int64(peopleMax / 2))
    static let newcomers = TokenBucket.Rate(perSecond: 64, burst: Int64(peopleMax))
    /// A quarter of the people a mesh knows of: the others are elsewhere.
    package static let residentsMax = 1_024
    /// A name and some forty rooms. All presences together, 4 MB, have to fit a link's queue.
    package static let presenceBytesMax = 1_024
    /// A link that held for so long was a good one: what fails later is not held against the peer's address.
    package static let stableAfter: Duration = .seconds(10)
    package static let probesMax = 64
    /// Probes one link may have us pass on.
    package static let probesPerLinkMax = 20
    static let probes = TokenBucket.Rate(perSecond: 20, burst: Int64(probesPerLinkMax))
    /// Of these, the ones we pass on to everybody, because no way to their target is known here: each goes over every
    /// link of the mesh, so one neighbour may start few. A guess that is plenty for people.
    package static let probeFloodsPerLinkMax = 4
    static let probeFloods = TokenBucket.Rate(perSecond: 4, burst: Int64(probeFloodsPerLinkMax))
    /// How far a probe goes that is passed on to everybody.
    package static let probeFloodHopsMax: UInt8 = 16
    /// More than `linksMax` links may bring within `probeTimeout`; some 100 bytes each.
    package static let probesPassedMax = 8_192
    /// As many as `peopleMax`; some 100 bytes each.
    package static let routesMax = 4_096
    /// Walks one link may send through us: a peer that joins sends 8 at most, and one that seeks links 2 a second.
    static let walks = TokenBucket.Rate(perSecond: 20, burst: 100)
    /// Duplicates in a row after which a link that was of use is pruned.
    static let duplicatesMax: UInt8 = 3
    /// Prunes and grafts said on one link: a tree that changes more often than this is no tree.
    static let prunes = TokenBucket.Rate(perSecond: 10, burst: 100)
    static let shuffles = TokenBucket.Rate(perSecond: 4, burst: 40)
    /// KiB of records that one link may ask us for again; to look for one costs as much.
    static let grafts = TokenBucket.Rate(perSecond: 1_024, burst: 8_192)
    /// As many seconds' worth of records are taken at once. Of one speaker these are 16 MB or 16,384 lines: all that a new link is
    /// sent of an outbox, and what somebody may say meanwhile.
    static let burstSeconds: Int64 = 4
    /// Who has spoken too much is silent so much longer than it must, so that it need not wait at every single line.
    static let paceSlack: Duration = .milliseconds(50)
    /// Records that wait for one busy link, by bytes and count.
    package static let backlogBytesMax = 4 << 20
    package static let backlogMax = 4_096
    /// Speakers with a queue of their own at one busy link; all others share one more. So few that the longest queue is found
    /// by looking.
    package static let backlogOriginsMax = 256
    /// Bytes of one speaker that a busy link takes before it is the next one's turn: a dozen lines.
    package static let backlogTurnBytes = 4 << 10
    /// Bytes that a busy link takes at a time, so that what is said meanwhile does not wait for all of it.
    package static let backlogPortionBytes = 512 << 10
    /// Links given up to make room for newcomers: a stranger with many identities takes long to take every place.
    static let evictions = TokenBucket.Rate(perSecond: 1, burst: 32)
    /// Peers remembered that were given up for others: as many as there may be links.
    static let givenUpMax = linksMax
    /// Dials to addresses that neighbours told of: no machine is flooded because somebody names it.
    static let toldDials = TokenBucket.Rate(perSecond: 4, burst: 32)
    /// Shuffles of others whose answer may come back through here.
    package static let shufflesUnderWayMax = 256
    /// Steps of a join's walk, and at which of them it is remembered (HyParView's ARWL and PRWL, 6 and 3 in the paper).
    package static let joinWalkSteps: UInt8 = 6
    package static let joinWalkRememberedAt: UInt8 = 3
    /// From this step on a join's walk ends at a peer with room: before, it would end among the neighbours of one peer.
    package static let joinWalkStepsMin: UInt8 = 3
    /// Steps of the search for a peer with room: three in four find one where one peer in twelve has room.
    package static let seekWalkSteps: UInt8 = 16
    package static let shuffleSteps: UInt8 = 4
    /// Neighbours among the 16 addresses of a shuffle.
    package static let shuffleNeighboursMax = 4
    /// So many of them replace others where the reserve is full.
    package static let shuffleFreshMax = 4
    /// Records kept for neighbours that ask, by count, bytes and age.
    /// What one speaker may say in a burst is among them: a gap in the tree is asked for only after a while.
    package static let recentMax = 8_192
    package static let recentBytesMax = 16 << 20
    /// Of these, so many are looked through at every duplicate.
    static let freshMax = 256
    /// What has yet to be announced on one link: everybody's presence and everything recent.
    package static let untoldMax = peopleMax + recentMax
    /// Records one link may tell us of.
    static let haves = TokenBucket.Rate(perSecond: 8_192, burst: 32_768)
    /// Records that neighbours have and that have not come.
    package static let missingMax = 4 * missingPerLinkMax
    /// Speakers whose records one neighbour has anyway, and is not pushed.
    package static let prunedOriginsMax = 256
    /// Of these, so many of which one neighbour told first: as many as it says at once.
    package static let missingPerLinkMax = recentMax
    package static let missingSourcesMax = 8
    /// Failed dials after which a peer that only neighbours told of is forgotten.
    package static let toldFailuresMax = 2
    /// How often each neighbour is asked for a record before it is given up.
    package static let missingRoundsMax = 3
    /// So many presences are pushed to a new neighbour; of more it is told, and asks for what it lacks.
    package static let introducedMax = 64

    package static let invitationTimeout: Duration = .seconds(10)
    /// How long the peer with the larger id leaves the first word to the smaller.
    package static let courtesyDelay: Duration = .seconds(2)
    /// For how long an announcement is seen whose peer has taken its leave (RFC 6762 section 10.1).
    package static let farewellDelay: Duration = .seconds(1)
    package static let retryDelayMin: Duration = .milliseconds(500)
    package static let retryDelayMax: Duration = .seconds(60)
    package static let pingAfterSilence: Duration = .seconds(5)
    package static let pongTimeout: Duration = .seconds(10)
    /// However much else a neighbour says meanwhile.
    package static let pongTimeoutMax: Duration = .seconds(30)
    /// How often a link that carries own unconfirmed lines is asked to confirm them.
    package static let confirmInterval: Duration = .seconds(1)
    /// Two links to one peer closer together than this crossed each other; later, the older one is dead and its peer
    /// knows it.
    package static let crossingWindow: Duration = .seconds(5)
    /// How long a neighbour has to say anything after the network has changed under its link; or `networkRoundTrips` of its round trips,
    /// if these take longer.
    package static let networkPongTimeout: Duration = .seconds(2)
    package static let networkRoundTrips = 8
    /// Changes of the network after which everybody is sought again at once. Afterwards it takes `networkSeekInterval` each: an
    /// interface that comes and goes all the time makes no storm of dials.
    package static let networkSeeksMax = 8
    package static let networkSeekInterval: Duration = .seconds(4)
    static let networkSeeks = TokenBucket.Rate(
        perSecond: 1, burst: Int64(networkSeeksMax) * networkSeekInterval.components.seconds)
    /// How long after such a change nobody is left the first word for `courtesyDelay`: the other does not know that the link is dead.
    package static let networkHaste: Duration = .seconds(10)
    /// What the larger id leaves to the smaller then: a change that both see is not to make two links.
    package static let networkCourtesyDelay: Duration = .milliseconds(250)
    /// Between two looks at who is here no more: it looks at everybody.
    package static let peopleSweepInterval: Duration = .seconds(1)
    /// What the next presence of somebody whose link ended may take beyond its time.
    package static let renewalSlack: Duration = .seconds(5)
    /// How long the newest presence of somebody who is gone is remembered: until `RecordAge` takes no older one for live. One of 60 s is
    /// over after 180, and its author was gone after 37.
    package static let departedFor: Duration = .seconds(150)
    package static let probeTimeout: Duration = .seconds(5)
    /// Two presences and a half: whoever is here has said something newer by then.
    package static let routeLifetime: Duration = .seconds(150)
    /// How long what a probe found out stands against what records say.
    package static let routeHold: Duration = .seconds(60)
    package static let routesSweepInterval: Duration = .seconds(10)
    package static let recentAge: Duration = .seconds(30)
    /// Between searches for another neighbour while there is room for one: doubled from the first to the last.
    package static let seekDelayMin: Duration = .milliseconds(500)
    package static let seekDelayMax: Duration = .seconds(30)
    /// Between exchanges of addresses: doubled from the first to the last.
    package static let shuffleDelayMin: Duration = .seconds(2)
    package static let shuffleDelayMax: Duration = .seconds(30)
    /// How long an answer to a shuffle is waited for.
    package static let shuffleTimeout: Duration = .seconds(10)
    /// How long a neighbour that was offered a newcomer may take to link with it.
    package static let offerTimeout: Duration = .seconds(2)
    /// Between dials for the last free place, where peers are full.
    package static let lastPlaceDelay: Duration = .seconds(10)
    /// Before a peer is dialled again that had no room, or that gave its place to another.
    package static let fullDelay: Duration = .seconds(20)
    /// How often it is looked whether somebody is in sight who is not in the mesh.
    package static let mergeInterval: Duration = .seconds(20)
    /// One time in so many somebody in sight is linked with of whom nothing speaks for being in another part: every 5 min.
    package static let mergeAnybodyOneIn = 16
    /// Before the same peer is taken for another mesh's part again.
    package static let mergeAgainAfter: Duration = .seconds(300)
}
