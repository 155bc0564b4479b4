import LatticeCore

/// Limits of exchanging blobs.
enum BlobLimit {
    /// Open asks on a link, in each direction.
    static let asksMax = 64
    /// Pieces that wait to be given: in one ask, and on one link.
    static let waitingOfAskMax = 256
    static let waitingOfLinkMax = 1_024
    /// Received pieces of all blobs that wait for the disk: 256 KiB. They are lost if the process is killed.
    static let arrivedMax = 8
    /// Blobs that are wanted at the same time.
    static let wantsMax = 1_024
    /// The largest blob that is fetched for others.
    static let passingSizeMax: Int64 = 512 << 20
    /// Segments that are tried for one question.
    static let triesMax = 64
    /// Blobs that were looked for on behalf of others.
    static let soughtMax = 4_096
    /// Blobs that are wanted for others.
    static let passingMax = 256
    /// Of these, those that one neighbour waits for: a few that seek for ever leave space for others.
    static let soughtOfLinkMax = 32
    /// Asks on a link on behalf of others. Fewer of them ask to look further: the neighbour has `soughtOfLinkMax` for
    /// that, and own wants need some.
    static let passingOfLinkMax = 32
    static let furtherOfLinkMax = 16
    /// Links that one blob is fetched over at a time.
    static let sourcesMax = 16
    /// Pieces that are read for a link at once, and that wait for it.
    static let givenAtOnce = 4
    /// Consecutive pieces that one source is asked for before another one: 1 MiB.
    static let segmentCount = 32
    /// Pieces of other sources that an idle source is asked for near the end.
    static let doubledMax = 32
    /// At most `doubledMax` pieces come twice, and one more for each of this many that are here.
    static let doubledShare = 50
    /// How long a piece has been owed when another source is asked for it.
    static let doubledAfter: Duration = .milliseconds(500)

    static let opens = TokenBucket.Rate(perSecond: 512, burst: 2_048)
    static let seeks = TokenBucket.Rate(perSecond: 8, burst: 128)
    /// The share of `seeks` that may be spent on behalf of others. The rest is left for own wants.
    static let passed = TokenBucket.Rate(perSecond: 4, burst: 64)
    /// Searches on behalf of one neighbour: for what it wants itself, and for what it passes on.
    static let passedForIt = TokenBucket.Rate(perSecond: 2, burst: 32)
    static let passedForOthers = TokenBucket.Rate(perSecond: 4, burst: 48)
    /// Blobs that a neighbour offers.
    static let offers = TokenBucket.Rate(perSecond: 1, burst: 16)
    /// Less at once: some may arrive closer together than they were sent.
    static let offersSent = TokenBucket.Rate(perSecond: 1, burst: 8)
    /// Offers that are remembered for a link, and those that wait to be sent on it.
    static let offersMax = 64
    /// Blobs that are being fetched because they were offered.
    static let keepingMax = 64
    /// How long one of them is wanted without a source.
    static let keeping: Duration = .seconds(60)
    static let accusations = TokenBucket.Rate(perSecond: 1, burst: 8)
    /// Pieces that were not asked for.
    static let unasked = TokenBucket.Rate(perSecond: 1, burst: 64)

    /// How long a source may send nothing while it owes pieces.
    static let silence: Duration = .seconds(5)
    /// How long a neighbour may leave a question unanswered. It may look for the blob itself for 10 seconds.
    static let unanswered: Duration = .seconds(12)
    /// How long a blob is looked for on behalf of others.
    static let seeking: Duration = .seconds(10)
    /// One blob is looked for on behalf of others once in this time.
    static let seekAgain: Duration = .seconds(5)
    /// A source that sent a wrong piece or nothing is not asked for that blob again for this long, doubled each time.
    static let outFirst: Duration = .seconds(10)
    static let outLast: Duration = .seconds(3_600)
    /// How long a source that declined what it had claimed is not believed: 1 s, doubled each time.
    ///
    /// - Parameter count: how often that happened before.
    static func doubted(_ count: Int) -> Duration { .seconds(1) * (1 << min(count, 9)) }
    /// How long a busy source is left alone, and how often in a row until it is given up.
    static let busy: Duration = .seconds(1)
    static let busyMax = 3
    /// The longest interval between questions for a blob that no neighbour has.
    static let seekLast: Duration = .seconds(600)
    /// Wrong pieces of one peer within an hour until it is shunned.
    static let wrongMax = 3
    static let shunnedFirst: Duration = .seconds(600)
    static let shunnedLast: Duration = .seconds(86_400)
    static let standingsMax = 256
    static let pauseFirst: Duration = .seconds(1)
    static let pauseLast: Duration = .seconds(30)
    /// New pieces after which neighbours with open asks hear of them.
    static let toldEvery = 64
    /// What neighbours hear of one blob is gathered for this long.
    static let toldInterval: Duration = .milliseconds(250)
}
