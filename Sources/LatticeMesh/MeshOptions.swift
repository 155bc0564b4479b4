package import LatticeCore
import LatticeWire

/// The settings of a mesh, and the limits that hold whatever the settings are.
package struct MeshOptions: Sendable {
    /// Which sighted or inviting peers this peer links with.
    package enum Policy: String, Sendable, CaseIterable {
        /// Everybody of the same mesh.
        case auto
        /// Peers that a person accepts.
        case ask
        /// Only contacts.
        case contacts
        /// Nobody that invites; links begin only where a person names an address or a peer.
        case none
    }

    package var mesh: MeshName
    package var meshTag: UInt32
    package var policy: Policy = .auto
    package var contacts: Set<PeerID> = []
    /// Sent with each invitation; at most `Invitation.contextBytesMax` bytes.
    package var context: [UInt8] = []
    /// Whether sighted peers are dialled as `policy` says; otherwise only those that a program invites.
    package var dialsSighted = true
    /// Under `ask`: a peer that a neighbour has let in may link without asking again.
    package var vouched = false
    /// How long a person may take to answer an invitation.
    package var answerTime = MeshLimit.invitationTimeout
    /// 1–64 links; limits how far this peer's records travel.
    package var timeToLive = RecordFrame.timeToLiveDefault
    /// Links kept open, 1–60 (HyParView's active view). A mesh of up to `activeMax + 1` peers is fully linked.
    package var activeMax = 8
    /// Peers known only from neighbours, 1–1,000 (HyParView's passive view).
    package var passiveMax = 64
    /// IHAVE batching interval. It is the same for all neighbours: with different intervals half of the announcements
    /// would be unnecessary, but every peer would be woken once for each neighbour, which costs more.
    package var haveDelay: Duration = .milliseconds(50)
    /// How long an announced record may take to arrive before it is requested (GRAFT). It must be longer than the tree
    /// takes to deliver, or the record comes twice.
    package var graftDelay: Duration = .milliseconds(300)
    /// Hops that a neighbour must save to replace another one as a branch of the tree.
    package var shortcutHops: UInt8 = 7
    /// Records are also pushed beside the tree within this share, in percent, of the hops that they usually travel.
    /// `nil` derives it from `activeMax`, because wider views need fewer hops for the same number of peers. Measured:
    /// 60 at five links and 45 at eight give half of what a full flood gains, for a tenth of its duplicates.
    package var floodPercent: Int?
    /// KiB of new records accepted from one speaker per second, 16–1,000,000; a record counts as at least one. It stops
    /// a flood and does not slow people down: one core verifies some 27,000 signatures a second.
    package var originRate = Self.originRateUsual
    package static let originRateUsual: Int64 = 4_096
    /// Like `originRate`, for everything from one neighbour; 32–1,000,000.
    package var linkRate = Self.linkRateUsual
    package static let linkRateUsual: Int64 = 16_384

    /// Whether a peer that was linked once is a member, and linked again without asking.
    var keepsMembers: Bool { vouched || !dialsSighted }

    package init(mesh: MeshName, meshTag: UInt32) {
        self.mesh = mesh
        self.meshTag = meshTag
    }
}

/// The limits of the mesh core, each with its reason.
package enum MeshLimit {
    /// Links at once, half-open ones included: the largest active view and links that are still being negotiated.
    package static let linksMax = 64
    /// Links whose dialler has not sent an invitation yet. Anybody can open these, so the oldest one is closed for the
    /// newest.
    package static let uninvitedMax = 16
    /// Peers that discovery knows and that are not linked.
    package static let candidatesMax = 1_024
    /// One address for each interface and protocol of a machine; more is noise.
    package static let addressesPerCandidateMax = 8
    package static let dialsMax = 16
    /// Invitations that a program waits for; each may hold 1 KiB.
    package static let ownInvitationsMax = 64
    /// Own lines waiting while nobody is connected.
    package static let outboxWaitingMax = 1_000
    /// Own lines sent and not yet confirmed by any neighbour; speaking is paced from half of it.
    package static let outboxSentMax = 8_192
    /// The whole outbox is sent at once on a new link, so it must fit a link's queue together with all presences.
    package static let outboxBytesMax = 5 << 20
    /// From here on speaking waits for confirmations, so that the outbox does not overflow.
    package static let outboxBytesPaced = 3 << 20
    /// 48 bytes each plus bookkeeping: about 8 MB at most.
    package static let seenMax = 65_536
    package static let peopleMax = 4_096
    /// Presences of unknown keys. A link may bring half of the largest mesh at once; a crowd that walks in brings them
    /// more slowly.
    static let newcomersPerLink = TokenBucket.Rate(perSecond: 32, burst: Int64(peopleMax / 2))
    static let newcomers = TokenBucket.Rate(perSecond: 64, burst: Int64(peopleMax))
    /// A quarter of `peopleMax`: the other people are at other peers.
    package static let visitorsMax = 1_024
    /// Space for a name and some forty rooms. All presences together, 4 MB, must fit a link's queue.
    package static let presenceBytesMax = 1_024
    /// A link that lasted this long worked: later failures do not count against the peer's address.
    package static let stableAfter: Duration = .seconds(10)
    package static let probesMax = 64
    /// Probes that we relay for one link.
    package static let probesPerLinkMax = 20
    static let probes = TokenBucket.Rate(perSecond: 20, burst: Int64(probesPerLinkMax))
    /// Probes of one link that we flood because no route to the target is known. A flood crosses every link of the
    /// mesh, so few are allowed; the number is a guess at what people need.
    package static let probeFloodsPerLinkMax = 4
    static let probeFloods = TokenBucket.Rate(perSecond: 4, burst: Int64(probeFloodsPerLinkMax))
    /// How far a flooded probe travels.
    package static let probeFloodHopsMax: UInt8 = 16
    /// More than `linksMax` links may bring within `probeTimeout`; some 100 bytes each.
    package static let probesPassedMax = 8_192
    /// Equals `peopleMax`; some 100 bytes each.
    package static let routesMax = 4_096
    /// Walks through us from one link: a joining peer sends at most 8, and one that looks for links 2 a second.
    static let walks = TokenBucket.Rate(perSecond: 20, burst: 100)
    /// Duplicates in a row after which a link that was of use is pruned.
    static let duplicatesMax: UInt8 = 3
    /// Prunes and grafts sent on one link: a tree that changes faster is useless.
    static let prunes = TokenBucket.Rate(perSecond: 10, burst: 100)
    static let shuffles = TokenBucket.Rate(perSecond: 4, burst: 40)
    /// KiB of records that one link may request (GRAFT); a look-up costs 1.
    static let grafts = TokenBucket.Rate(perSecond: 1_024, burst: 8_192)
    /// Seconds of the rate that a bucket accepts in one burst: 16 MB or 16,384 lines of one speaker, enough for an
    /// outbox sent on a new link and for what its speaker says meanwhile.
    static let burstSeconds: Int64 = 4
    /// A paced speaker waits this much longer than it must, so that it does not wait again at each line.
    static let paceSlack: Duration = .milliseconds(50)
    /// Records held back for one busy link, by bytes and count.
    package static let backlogBytesMax = 4 << 20
    package static let backlogMax = 4_096
    /// Authors with their own queue at one busy link; all others share one. Few enough to find the longest queue by a
    /// linear search.
    package static let backlogOriginsMax = 256
    /// Bytes of one author that a busy link sends before the next author's turn: a dozen lines.
    package static let backlogTurnBytes = 4 << 10
    /// Bytes released to a busy link at a time, so that newer records need not wait for all of them.
    package static let backlogPortionBytes = 512 << 10
    /// Bytes of urgent records that pass a busy link between two portions; more of them wait first in its queue.
    static let urgentPassedBytesMax = 256 << 10
    /// Bytes of urgent records that wait first in the queue of a busy link; more of them wait like others.
    static let urgentWaitingBytesMax = 256 << 10
    /// Urgent records of one author in a day.
    package static let urgentMax = 3
    package static let urgentFor: Duration = .seconds(86_400)
    /// KiB of urgent records that one link may bring, whatever else it brings: many authors cost nothing to make, and
    /// together they must not fill every queue from the front. Estimated: enough for a camp in an emergency, too little for a stranger with many keys.
    static let urgent = TokenBucket.Rate(perSecond: 2, burst: 128)
    /// Links evicted for newcomers: a stranger with many identities needs a long time to take every slot.
    static let evictions = TokenBucket.Rate(perSecond: 1, burst: 32)
    /// Peers whose links were evicted: as many as there can be links.
    static let givenUpMax = linksMax
    /// Dials of addresses that only neighbours gave: nobody can make us flood a machine by naming it.
    static let toldDials = TokenBucket.Rate(perSecond: 4, burst: 32)
    /// Shuffles of others whose answer may come back through here.
    package static let shufflesUnderWayMax = 256
    /// Steps of a join walk, and the step at which the newcomer is remembered (HyParView's ARWL and PRWL, 6 and 3 in
    /// the paper).
    package static let joinWalkSteps: UInt8 = 6
    package static let joinWalkRememberedAt: UInt8 = 3
    /// Steps after which a join walk may end at a peer with a free slot. An earlier end would put all links among one
    /// peer's neighbours.
    package static let joinWalkStepsMin: UInt8 = 3
    /// Steps of a search for a peer with a free slot: three of four searches find one if one peer in twelve has a slot.
    package static let seekWalkSteps: UInt8 = 16
    package static let shuffleSteps: UInt8 = 4
    /// Neighbours among the 16 addresses of a shuffle.
    package static let shuffleNeighboursMax = 4
    /// Entries of a full passive view that one shuffle may replace.
    package static let shuffleFreshMax = 4
    /// Records kept for neighbours that request them, by count, bytes and age. They must hold one speaker's burst,
    /// because a gap in the tree is noticed only after a while.
    package static let recentMax = 8_192
    package static let recentBytesMax = 16 << 20
    /// The newest records, which are searched for every duplicate.
    static let freshMax = 256
    /// Announcements waiting on one link: all presences and all recent records.
    package static let unreportedMax = peopleMax + recentMax
    /// How long an announcement waits at most if the neighbour gets the record another way: it only matters if that way
    /// has lost the record. Far less than `recentAge`, within which it can be requested.
    static let postponedHaveDelayMax: Duration = .seconds(4)
    /// Postponed announcements in one frame: the frame and its acknowledgement cost little then.
    static let postponedMax = 64
    /// How long an author is not pruned after a record of this author was lost.
    static let unreliableFor: Duration = .seconds(60)
    /// Links that bring such an author's records besides the one that lost some: if one record of twenty is lost on each
    /// link, all three lose one of 8,000.
    static let waysRestored = 2
    /// Announcements accepted from one link.
    static let haves = TokenBucket.Rate(perSecond: 8_192, burst: 32_768)
    /// Records that were announced and have not arrived.
    package static let missingMax = 4 * missingPerLinkMax
    /// Authors whose records a neighbour gets another way, so that we do not push them to it.
    package static let prunedOriginsMax = 256
    /// Missing records that one neighbour was the first to announce: as many as it may announce at once.
    package static let missingPerLinkMax = recentMax
    package static let missingSourcesMax = 8
    /// Failed dials after which a peer known only from neighbours is forgotten.
    package static let reportedFailuresMax = 2
    /// How often each neighbour is asked for a record before the mesh gives up.
    package static let missingRoundsMax = 3
    /// With more presences than this, a new neighbour gets announcements and requests what it lacks; up to this many
    /// are pushed.
    package static let introducedMax = 64

    package static let invitationTimeout: Duration = .seconds(10)
    /// How long the peer with the larger id waits for the smaller one to dial.
    package static let courtesyDelay: Duration = .seconds(2)
    /// How long an announcement stays visible after its peer has withdrawn it (RFC 6762 section 10.1).
    package static let farewellDelay: Duration = .seconds(1)
    package static let retryDelayMin: Duration = .milliseconds(500)
    package static let retryDelayMax: Duration = .seconds(60)
    package static let pingAfterSilence: Duration = .seconds(5)
    package static let pongTimeout: Duration = .seconds(10)
    /// The limit even if the neighbour sends other frames meanwhile.
    package static let pongTimeoutMax: Duration = .seconds(30)
    /// How often a link is asked to confirm own lines that were sent on it.
    package static let confirmInterval: Duration = .seconds(1)
    /// Two links to one peer within this time crossed each other. With more time between them, the older link is dead
    /// and the peer knows it.
    package static let crossingWindow: Duration = .seconds(5)
    /// How long a neighbour may be silent after the network has changed under its link, or `networkRoundTrips` round
    /// trips if that is longer.
    package static let networkPongTimeout: Duration = .seconds(2)
    package static let networkRoundTrips = 8
    /// Network changes that dial everybody again at once. After that it happens once per `networkSeekInterval`, so that
    /// an interface that flaps causes no storm of dials.
    package static let networkSeeksMax = 8
    package static let networkSeekInterval: Duration = .seconds(4)
    static let networkSeeks = TokenBucket.Rate(
        perSecond: 1, burst: Int64(networkSeeksMax) * networkSeekInterval.components.seconds)
    /// How long after such a change `courtesyDelay` is not used: the other peer may not know that the link is dead.
    package static let networkHaste: Duration = .seconds(10)
    /// The larger id's delay in that time, so that a change seen by both peers does not make two links.
    package static let networkCourtesyDelay: Duration = .milliseconds(250)
    /// How often expired presences are removed; each pass looks at all of them.
    package static let peopleSweepInterval: Duration = .seconds(1)
    /// How late the next presence of a peer may be after its link ended.
    package static let renewalSlack: Duration = .seconds(5)
    /// How long the newest presence of a departed peer is remembered: until `RecordAge` calls every older one `over`. A
    /// presence with a lifetime of 60 s is `over` after 180 s; its author counted as gone after 37 s.
    package static let departedFor: Duration = .seconds(150)
    package static let probeTimeout: Duration = .seconds(5)
    /// Two and a half renewals: a peer that is still here has sent a newer presence by then.
    package static let routeLifetime: Duration = .seconds(150)
    /// How long the result of a probe overrides what records show.
    package static let routeHold: Duration = .seconds(60)
    package static let routesSweepInterval: Duration = .seconds(10)
    package static let recentAge: Duration = .seconds(30)
    /// Delay between searches for another neighbour while a slot is free; it doubles from the minimum to the maximum.
    package static let seekDelayMin: Duration = .milliseconds(500)
    package static let seekDelayMax: Duration = .seconds(30)
    /// Delay between shuffles; it doubles from the minimum to the maximum.
    package static let shuffleDelayMin: Duration = .seconds(2)
    package static let shuffleDelayMax: Duration = .seconds(30)
    /// How long to wait for the answer to a shuffle.
    package static let shuffleTimeout: Duration = .seconds(10)
    /// How long a neighbour may take to link with a newcomer that we offered it.
    package static let offerTimeout: Duration = .seconds(2)
    /// Delay between dials for the last free slot when peers are full.
    package static let lastPlaceDelay: Duration = .seconds(10)
    /// Delay before another dial to a peer that was full or gave its slot to another.
    package static let fullDelay: Duration = .seconds(20)
    /// How often to check for sighted peers that are not in the mesh.
    package static let mergeInterval: Duration = .seconds(20)
    /// One check in this many links with any sighted peer, without a sign that it is in another part: every 5 min.
    package static let mergeAnybodyOneIn = 16
    /// How long before the same peer may again be taken for part of another mesh.
    package static let mergeAgainAfter: Duration = .seconds(300)
}
