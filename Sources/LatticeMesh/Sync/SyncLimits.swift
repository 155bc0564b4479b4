package import LatticeCore
import LatticeWire

// The limits of reconciling and fetching, each with its reason.
extension MeshLimit {
    // MARK: - Missing records

    /// Ids known to be missing; 70 bytes and bookkeeping each, about 4 MB. The neighbours that named them first share
    /// this, so that one that invents ids cannot fill it.
    package static let wantedMax = 32_768
    /// Each neighbour's share at least, however many there are: the ids of one answer fit.
    package static let wantedPerLinkMin = 2_048
    /// Neighbours remembered for each id. Four are enough to ask before the next round.
    package static let sourcesMax = 4
    /// Ids requested on one link and not answered: at first, at most, and at least when it is late. With records of 300
    /// bytes the maximum keeps a link of 10 MB/s and 30 ms busy.
    package static let fetchWindowStart = 128
    package static let fetchWindowMax = RecordIDs.countMax
    package static let fetchWindowMin = 8
    /// The same on all links together: fetched records are held in memory until they are stored.
    package static let fetchInFlightMax = 8_192
    /// How often in a row a link may fail to send most of what it owes before all its ids are dropped.
    package static let strikesMax = 2
    /// How long such a link is neither believed nor reconciled with, and how often that doubles: up to an hour.
    /// Otherwise a neighbour that invents ids could keep us from catching up.
    package static let doubtedMin: Duration = .seconds(10)
    package static let doubledMax = 8
    /// Bytes requested on one link, estimated from earlier records: a tenth of a second of a fast network.
    package static let fetchWindowBytes = 4 << 20
    /// The assumed size of a record before one arrives. A guess.
    package static let fetchBytesGuess = 512
    /// Records that arrived and are not stored yet; above this the store is behind and nothing is requested.
    package static let arrivedMax = 8_192
    package static let arrivedBytesMax = 16 << 20
    /// A link that owes records and sends none for this long is asked again once, and then counts as not having them.
    package static let fetchSilenceMax: Duration = .seconds(10)
    /// A record owed for this long is requested from another neighbour, whatever else arrives, so that a slow neighbour
    /// holds up nothing that another one has.
    package static let fetchAgeMax: Duration = .seconds(30)
    /// How long nothing is fetched after the store failed; it doubles from the minimum to the maximum.
    package static let storeRetryMin: Duration = .seconds(1)
    package static let storeRetryMax: Duration = .seconds(30)
    /// Ids that are not fetched again, some 7 MB, and for how long: records that are expired or do not fit here stay
    /// with others for a while.
    package static let declinedMax = 65_536
    package static let declinedFor: Duration = .seconds(3_600)
    /// The author of a record does not change, so this is limited only by the size of the set, and to a day.
    package static let blockedFor: Duration = .seconds(86_400)
    /// Recently fetched ids, so that relayed copies are recognised; as many as `seenMax`.
    package static let fetchedMax = seenMax

    // MARK: - Reconciling

    /// Scopes under way with one neighbour: one for each group of kinds. Rooms take turns.
    package static let sessionsPerRoundMax = SyncScope.Group.allCases.count
    /// Neighbours reconciled with at once: more would name the same ids again.
    package static let roundsMax = 4
    /// How long a round waits for others to end and for most of the wanted records to arrive, so that a slow or lying
    /// neighbour does not hold up the rest.
    package static let roundDelayMax: Duration = .seconds(10)
    /// How often a waiting round checks whether it may begin.
    package static let roundPollInterval: Duration = .milliseconds(250)
    /// Wanted ids above which the next round waits.
    package static let wantedLow = wantedMax / 4
    /// Ids in the longest answer.
    package static let answerIDsMax = Comparison.messageBytesMax / 32
    /// Questions in a session: 2,000 full answers name three million records.
    package static let questionsPerSessionMax = 2_000
    /// How often a scope may restart in one round because the keeping has changed.
    package static let reopeningsMax = 8
    package static let questionTimeout: Duration = .seconds(15)
    /// How long the set's owner may take for a step; at its start it reads millions of keys.
    package static let workTimeout: Duration = .seconds(60)
    /// Tries of a step that cannot be done, and the delay before the second try, which doubles for each further one.
    package static let workTriesMax = 6
    package static let workRetryMin: Duration = .milliseconds(250)
    /// How long a round waits for answers in total, and how much each answer that brings something adds: answers must
    /// not go on forever.
    package static let roundPatience: Duration = .seconds(60)
    package static let roundPatienceEarned: Duration = .seconds(5)
    /// The interval between periodic rounds, with a jitter of a quarter so that peers drift apart.
    package static let roundInterval: Duration = .seconds(60)
    /// The interval between rounds with one neighbour, unless a person asks.
    package static let roundGap: Duration = .seconds(2)
    /// How long the dialled side lets the dialler begin: the dialler's questions show both what they lack. After the
    /// last question the dialled side waits this long before it begins.
    package static let answererDelay: Duration = .seconds(2)
    package static let answererDelayMax: Duration = .seconds(15)
    /// Delay before a failed round is tried again; it doubles from the minimum to the maximum.
    package static let roundRetryMin: Duration = .seconds(1)
    package static let roundRetryMax: Duration = .seconds(60)
    /// How often that delay, `roundGap` and `roundInterval` double if rounds find differences and nothing comes of
    /// them: up to an hour between rounds.
    package static let fruitlessMax = 6
    /// Delay before a round after records were gained: long enough to collect some, short enough for news to pass along
    /// a line of peers within seconds.
    package static let newsDelayMin: Duration = .milliseconds(200)
    package static let newsDelayMax: Duration = .milliseconds(1_000)
    /// The longest time that news waits while more records are arriving.
    package static let newsWaitMax: Duration = .seconds(30)

    // MARK: - Rate limits for neighbours

    /// Cost of a neighbour's questions: one each, one per 4 KiB of the question, and one per KiB of the answer. Small
    /// questions thus draw at most 256 KiB of answers a second. A neighbour that lacks much then fetches those ids,
    /// which returns their bytes: 2,048 KiB are twice the ids that it can want at a time. Early questions wait.
    static let questions = TokenBucket.Rate(perSecond: 256, burst: 2_048)
    static let questionBytesPerToken = 4_096
    static let answerBytesPerToken = 1_024
    /// Queued questions of one neighbour: as many as it has scopes under way.
    package static let questionsWaitingMax = sessionsPerRoundMax
    static let keepings = TokenBucket.Rate(perSecond: 1, burst: 16)
    static let offersIn = TokenBucket.Rate(perSecond: 4_096, burst: 32_768)
    /// Ids that we offer one neighbour: it is not offered the same unwanted ids again and again.
    static let offersOut = TokenBucket.Rate(perSecond: 64, burst: 16_384)
    /// From this many offered ids on we begin a round, because there may be more.
    package static let offersManyMin = RecordIDs.countMax
    /// Ids that one neighbour may request: three times what any peer was seen to store.
    static let fetches = TokenBucket.Rate(perSecond: 65_536, burst: 65_536)
    /// KiB of records served to one neighbour. After the burst that is 27,000 usual records of 310 bytes a second, more
    /// than any peer was seen to store. The sender counts them; early requests wait.
    package static let served = TokenBucket.Rate(perSecond: 8_192, burst: 16_384)
    /// Requested ids remembered for one neighbour until it reports them as stored.
    package static let suppliedMax = 16_384

    // MARK: - Faults

    /// Faults of a neighbour, and how fast they are forgotten. A neighbour with an empty bucket is shunned: it gets
    /// answers, but we neither reconcile with it nor fetch from it. Relaying on its link continues.
    static let syncFaults = TokenBucket.Rate(perSecond: 1, burst: 64)
    package static let shunnedFor: Duration = .seconds(600)
    static let faultOfUnasked: Int64 = 1
    /// It used all the time there is for answers without content. Not answering at all is no fault on a bad network,
    /// and costs us less and less.
    static let faultOfDallying: Int64 = 16
    /// It served a record that is invalid for its kind. It may not have known better: peers also carry kinds that they
    /// do not know.
    static let faultOfFaulty: Int64 = 4
    /// Records that it claimed and then lacked, beyond those that it served: more than can expire during a round.
    package static let lackedMax = 4_096
    static let faultOfLacking: Int64 = 32
    /// Peers whose faults are remembered after their links end: several times the number of links.
    package static let reputationsMax = 256
}
