import LatticeCore
import LatticeLink
import LatticeWire
import Synchronization

/// An owner that notes what its links tell, finds fault with every `accept`, and can be made to take its time.
final class Owner: LinkOwner {
    private struct State {
        var opened: [Link] = []
        var frames: [LinkID: [Frame]] = [:]
        var closures: [(link: LinkID, closure: LinkClosure)] = []
        var failures: [(dial: DialID, end: DialEnd)] = []
        var isHeld = false
        var held: [Link] = []
        var pieces: [[UInt8]] = []
        var bulkRooms = 0
        var onDatagrams: @Sendable (Link) -> Void = { _ in }
    }

    private let introductionNow: @Sendable () -> Introduction
    private let state = Mutex(State())

    init(introduction: @escaping @Sendable () -> Introduction) {
        introductionNow = introduction
    }

    // MARK: - What a test looks at

    var opened: [Link] { state.withLock { $0.opened } }
    var closures: [LinkClosure] { state.withLock { $0.closures.map(\.closure) } }
    var failures: [DialEnd] { state.withLock { $0.failures.map(\.end) } }
    var heldCount: Int { state.withLock { $0.held.count } }

    func frames(_ link: Link) -> [Frame] { state.withLock { $0.frames[link.id] ?? [] } }
    func closures(_ link: Link) -> [LinkClosure] {
        state.withLock { state in state.closures.filter { $0.link == link.id }.map(\.closure) }
    }
    func failure(_ dial: DialID) -> DialEnd? {
        state.withLock { state in state.failures.first { $0.dial == dial }?.end }
    }

    /// Pieces that no link has taken yet.
    var pieceCount: Int { state.withLock { $0.pieces.count } }
    /// How often a link had room for pieces.
    var bulkRooms: Int { state.withLock { $0.bulkRooms } }

    var wasToldNothing: Bool {
        state.withLock { $0.opened.isEmpty && $0.frames.isEmpty && $0.closures.isEmpty && $0.failures.isEmpty }
    }

    /// Releases the links that it knows.
    func forget() {
        state.withLock { $0.opened = [] }
    }

    /// From now on links that deliver frames wait for `release`.
    func hold() {
        state.withLock { $0.isHeld = true }
    }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for link in held { link.goOn() }
    }

    /// Sends these pieces on the next link that opens, as it has room.
    func offer(_ pieces: [Frame]) {
        state.withLock { $0.pieces += pieces.map(\.bytes) }
    }

    /// - Parameter work: called when datagrams have left the queue of a link.
    func onDatagrams(_ work: @escaping @Sendable (Link) -> Void) {
        state.withLock { $0.onDatagrams = work }
    }

    // MARK: - What the links call

    func introduction() -> Introduction { introductionNow() }

    func linkOpened(_ link: Link) {
        state.withLock { state in
            state.opened.append(link)
            sendPieces(on: link, &state)
        }
    }

    func linkHasBulkRoom(_ link: Link) {
        state.withLock { state in
            state.bulkRooms += 1
            sendPieces(on: link, &state)
        }
    }

    /// A link that called back from within would find the state locked, which ends the program.
    private func sendPieces(on link: Link, _ state: inout State) {
        while let piece = state.pieces.first, link.sendBulk(piece) { state.pieces.removeFirst() }
    }

    func linkTookDatagrams(_ link: Link, _ tally: DatagramTally) {
        let work = state.withLock { $0.onDatagrams }
        work(link)
    }

    func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception {
        if frames.contains(where: { if case .accept = $0 { true } else { false } }) {
            return .faulty(LinkFault("accepted what was not asked"))
        }
        return state.withLock { state in
            state.frames[link.id, default: []] += frames
            if state.isHeld { state.held.append(link) }
            return state.isHeld ? .later : .taken
        }
    }

    func linkClosed(_ link: Link, _ closure: LinkClosure) {
        state.withLock { $0.closures.append((link.id, closure)) }
    }

    func dialFailed(_ dial: DialID, _ end: DialEnd) {
        state.withLock { $0.failures.append((dial, end)) }
    }
}
