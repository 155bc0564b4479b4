import LatticeCore
import LatticeSocket
import NIOCore
import Synchronization

/// What all connections have in common.
final class ShareDesk: Sendable {
    enum Admission {
        case admitted
        /// With an answer.
        case refused
        case closed
    }

    let offer: Offer
    let limits: ShareLimits
    let table: ConnectionTable
    let events: AsyncStream<ShareEvent>
    private let eventInput: AsyncStream<ShareEvent>.Continuation
    private let takings = Mutex(Takings())
    private let refused = Atomic(0)

    init(_ offer: Offer, _ limits: ShareLimits) {
        self.offer = offer
        self.limits = limits
        table = ConnectionTable(limits.connections) {
            Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
        }
        (events, eventInput) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limits.eventsMax))
    }

    var counts: Takings { takings.withLock(\.self) }

    func admit(_ channel: any Channel) -> Admission {
        if table.admit(channel) {
            // Counted until it closes.
            channel.closeFuture.whenComplete { [table] _ in table.leave(channel) }
            return .admitted
        }
        guard refused.add(1, ordering: .relaxed).newValue <= limits.refusedMax else {
            leaveRefused()
            return .closed
        }
        return .refused
    }

    func leaveRefused() { refused.subtract(1, ordering: .relaxed) }

    func mayAsk(_ channel: any Channel) -> Bool { table.mayAsk(channel, isWrite: false) }

    /// An answer is in progress.
    func note(_ channel: any Channel) { table.note(channel, isWaiting: false) }

    func took(_ file: SharedFile, _ range: Range<Int>, by channel: any Channel, milliseconds: Int) {
        let address = channel.remoteHost ?? ""
        guard note(range, of: file, by: address) else { return }
        eventInput.yield(.took(file.kind, address: address, bytes: range.count, milliseconds: milliseconds))
    }

    /// - Parameters:
    ///   - end: the end of what was sent.
    ///   - reach: the end of what may have been sent: a client that goes on from there has the rest.
    func brokeOff(_ file: SharedFile, from start: Int, to end: Int, reach: Int, by channel: any Channel) {
        let address = channel.remoteHost ?? ""
        // The end was sent, but nobody has read it.
        let read = min(reach, file.bytes - 1)
        if read > start { _ = note(start..<read, of: file, by: address) }
        eventInput.yield(.brokenOff(file.kind, address: address, end: end, bytes: file.bytes))
    }

    private func note(_ range: Range<Int>, of file: SharedFile, by address: String) -> Bool {
        takings.withLock { $0.note(range, of: file.kind, bytes: file.bytes, by: address) }
    }

    func finish() { eventInput.finish() }
}
