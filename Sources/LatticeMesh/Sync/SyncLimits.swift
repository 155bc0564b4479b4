package import LatticeCore
import LatticeWire

// The limits of comparing and fetching, each with its reason.
extension MeshLimit {
    // MARK: - What is wanted

    /// Ids known to be missing here; 70 bytes and their bookkeeping each, about 4 MB. Neighbours that told of them first share
    /// this: one that makes ids up cannot take every place.
    package static let wantedMax = 32_768
    /// What is left of it for each neighbour however many there are: the ids of one answer fit.
    package static let wantedPerLinkMin = 2_048
    /// Neighbours remembered for each id. To ask four before the next comparison is enough.
    package static let sourcesMax = 4
    /// Ids asked for on one link and not answered: at first, while it answers quickly, and when it is late. At 300 bytes a record the
    /// largest holds a link of 10 MB/s and 30 ms busy.
    package static let fetchWindowStart = 128
    package static let fetchWindowMax = RecordIDs.countMax
    package static let fetchWindowMin = 8
    /// The same on all links together: what is fetched has to be held here until it is stored.
    package static let fetchInFlightMax = 8_192
    /// How often in a row a link may fail to send the most of what it owes before nothing of what it has is wanted any more.
    package static let strikesMax = 2
    /// How long one that was abandoned so is neither believed nor compared with, and how often that is doubled: up to an hour. Whoever
    /// makes ids up could else keep us from ever being caught up.
    package static let doubtedMin: Duration = .seconds(10)
    package static let doubledMax = 8
    /// What may come on one link at once, by the size of what came on it until now: a tenth of a second of a fast network.
    package static let fetchWindowBytes = 4 << 20
    /// What a record is taken to weigh before one came. A guess.
    package static let fetchBytesGuess = 512
    /// Records that came and are not stored yet: beyond these the store is behind, and nothing is asked for.
    package static let arrivedMax = 8_192
    package static let arrivedBytesMax = 16 << 20
    /// A link that owes records and sends none for so long is asked once more, and then has none, or does not want to.
    package static let fetchSilenceMax: Duration = .seconds(10)
    /// A record that is owed for so long is asked of another neighbour, whatever else comes: what one answers slowly holds up
    /// nothing that another has.
    package static let fetchAgeMax: Duration = .seconds(30)
    /// How long nothing is fetched after the store failed, doubled from the first to the last.
    package static let storeRetryMin: Duration = .seconds(1)
    package static let storeRetryMax: Duration = .seconds(30)
    /// Ids that are not to be fetched again, some 7 MB, and for how long: what is over or without room here stays with others for a
    /// time.
    package static let declinedMax = 65_536
    package static let declinedFor: Duration = .seconds(3_600)
    /// Whose it is does not change: as long as the memory of so many lasts, and a day at most.
    package static let blockedFor: Duration = .seconds(86_400)
    /// Ids fetched lately, so that a copy that the flood brings is known for one: as long a memory as `seenMax`.
    package static let fetchedMax = seenMax

    // MARK: - Comparing

    /// Scopes under way at once with one neighbour: each group of kinds. Rooms wait for one another.
    package static let sessionsPerRoundMax = SyncScope.Group.allCases.count
    /// Neighbours that we compare with at once: more would tell us of the same ids again.
    package static let roundsMax = 4
    /// How long a comparison waits until others have ended and most of what is wanted has come: a slow neighbour, or one that lies,
    /// does not hold up the rest.
    package static let roundDelayMax: Duration = .seconds(10)
    /// How often it is looked whether one that waits may begin.
    package static let roundPollInterval: Duration = .milliseconds(250)
    /// Wanted ids above which the next comparison waits.
    package static let wantedLow = wantedMax / 4
    /// Ids in the longest answer.
    package static let answerIDsMax = Comparison.messageBytesMax / 32
    /// Questions in a session: 2,000 answers full of ids tell of three million records.
    package static let questionsPerSessionMax = 2_000
    /// How often a scope is begun again in one round because what is kept has changed meanwhile.
    package static let reopeningsMax = 8
    package static let questionTimeout: Duration = .seconds(15)
    /// How long whoever has the set may take for a step; it reads millions of keys when it starts.
    package static let workTimeout: Duration = .seconds(60)
    /// Tries of a step that could not be made, and the wait before the second, which is doubled before each further one.
    package static let workTriesMax = 6
    package static let workRetryMin: Duration = .milliseconds(250)
    /// How long a round waits for answers in all, and how much of it each answer that brings something gives back: an answer for
    /// ever is none.
    package static let roundPatience: Duration = .seconds(60)
    package static let roundPatienceEarned: Duration = .seconds(5)
    /// Between comparisons with one neighbour each, with a quarter more or less so that peers do not fall into step.
    package static let roundInterval: Duration = .seconds(60)
    /// Between two comparisons with the same neighbour that nobody asked for.
    package static let roundGap: Duration = .seconds(2)
    /// How long the side that was dialled leaves the first questions to the other, which learns by them what either lacks, and how long
    /// after the last of these it asks itself.
    package static let answererDelay: Duration = .seconds(2)
    package static let answererDelayMax: Duration = .seconds(15)
    /// Before a comparison that failed is tried again: doubled from the first to the last.
    package static let roundRetryMin: Duration = .seconds(1)
    package static let roundRetryMax: Duration = .seconds(60)
    /// How often that, `roundGap` and `roundInterval` are doubled where comparisons find differences and nothing comes of them: up
    /// to an hour between two.
    package static let fruitlessMax = 6
    /// Before neighbours are compared with after records were gained: long enough to gather some, soon enough for news to walk along a
    /// line of peers within seconds.
    package static let newsDelayMin: Duration = .milliseconds(200)
    package static let newsDelayMax: Duration = .milliseconds(1_000)
    /// While more is still coming the news waits; so long at most.
    package static let newsWaitMax: Duration = .seconds(30)

    // MARK: - What neighbours may ask

    /// What a neighbour may have us compare: one for a question, one for every 4 KiB of it, and one for every KiB of its answer. So small
    /// questions draw 256 KiB of answers a second. A neighbour that lacks much then fetches those ids, which gives
    /// their bytes back: 2,048 KiB are twice the ids that it can want at a time. A question that is early waits.
    static let questions = TokenBucket.Rate(perSecond: 256, burst: 2_048)
    static let questionBytesPerToken = 4_096
    static let answerBytesPerToken = 1_024
    /// Questions of one neighbour that wait: as many as it has scopes under way.
    package static let questionsWaitingMax = sessionsPerRoundMax
    static let keepings = TokenBucket.Rate(perSecond: 1, burst: 16)
    /// Ids that one neighbour may offer.
    static let offersIn = TokenBucket.Rate(perSecond: 4_096, burst: 32_768)
    /// Ids that we offer one neighbour: what it does not want it is not told over and over.
    static let offersOut = TokenBucket.Rate(perSecond: 64, burst: 16_384)
    /// From so many offered ids on we compare ourselves, since there may be more than were offered.
    package static let offersManyMin = RecordIDs.countMax
    /// Ids that one neighbour may ask for: three times what any peer was seen to store.
    static let fetches = TokenBucket.Rate(perSecond: 65_536, burst: 65_536)
    /// KiB of records that one neighbour is sent because it asks for them: after the burst 27,000 of the usual 310 bytes a second, which is
    /// more than any peer was seen to store. Counted where they are sent; what is early waits.
    package static let supplies = TokenBucket.Rate(perSecond: 8_192, burst: 16_384)
    /// Ids remembered that one neighbour asked for, until it says that they are stored.
    package static let suppliedMax = 16_384

    // MARK: - Faults

    /// What is held against a neighbour, and how fast it is forgotten. With nothing left it is shunned: it is answered, and nothing
    /// that it says is asked after. What people say on its link goes on.
    static let syncFaults = TokenBucket.Rate(perSecond: 1, burst: 64)
    package static let shunnedFor: Duration = .seconds(600)
    static let faultOfUnasked: Int64 = 1
    /// It took all the time there is for answers that told nothing. Not to answer at all is no crime on a bad network, and costs us
    /// less and less.
    static let faultOfDallying: Int64 = 16
    /// It served what its kind cannot be. It may not have known better: it carries kinds that it does not know.
    static let faultOfFaulty: Int64 = 4
    /// Records that it lacks, of those it said it has, beyond what it supplied: more than what may end while we ask.
    package static let lackedMax = 4_096
    static let faultOfLacking: Int64 = 32
    /// Peers whose faults are remembered after their links end: as many as there may be links at once, some times over.
    package static let standingsMax = 256
}
