import LatticeAPI
import LatticeConcurrency
import LatticeWire
import Logging

/// What fronts were notified of and do not hear again, and stored records whose effects they are still to hear of.
struct Notifier {
    /// More are announced as "many".
    private static let recordsMax = 4_096
    private static let strangersMax = 1_024

    private let logger: Logger
    private let noticeText: @Sendable (Notice) -> String
    /// The first event is readiness.
    private(set) var isReady = false
    private var isStoreFaulty = false
    /// Private rooms: older keys and public namesakes.
    private var strangers: Set<String> = []
    private var records: [VerifiedRecord] = []
    /// Records were added.
    let news = Signal()

    /// - Parameter noticeText: what the log says of a notice.
    init(_ logger: Logger, noticeText: @escaping @Sendable (Notice) -> String) {
        (self.logger, self.noticeText) = (logger, noticeText)
    }

    /// A service may have no front that reads events.
    func log(_ event: NodeEvent) {
        guard case .notice(let notice) = event, notice.level == .problem else { return }
        logger.warning("\(noticeText(notice))", metadata: ["code": "\(notice.code)"])
    }

    /// - Returns: whether fronts are still to hear of it.
    mutating func becameReady() -> Bool {
        defer { isReady = true }
        return !isReady
    }

    /// The store takes nothing.
    ///
    /// - Returns: whether fronts are still to hear of it.
    mutating func storeFailed() -> Bool {
        defer { isStoreFaulty = true }
        return !isStoreFaulty
    }

    mutating func storeWorks() {
        isStoreFaulty = false
    }

    /// Whether this is the first notice of its kind about strangers.
    mutating func isFirst(_ stranger: String) -> Bool {
        strangers.count < Self.strangersMax && strangers.insert(stranger).inserted
    }

    /// These were stored; what they change has to be read.
    ///
    /// - Returns: `false` if there are too many to announce one by one.
    mutating func add(_ more: some Collection<VerifiedRecord>) -> Bool {
        guard !more.isEmpty else { return true }
        news.raise()
        guard records.count < Self.recordsMax else { return false }
        records += more
        return true
    }

    mutating func takeRecords() -> [VerifiedRecord] {
        defer { records = [] }
        return records
    }
}
