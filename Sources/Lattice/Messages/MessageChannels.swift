import LatticeCore

/// Which stream carries the messages to each peer.
struct MessageChannels: Sendable {
    private enum Channel: Sendable {
        /// A sender opens it. Next: `open`, or none.
        case opening
        /// Next: none.
        case open(Int, hasSent: Bool)
    }

    enum Way: Hashable, Sendable {
        case stream(Int)
        /// The caller has to open one.
        case toOpen
        /// The last one broke, and messages may be lost with it.
        case broken
    }

    private var channels: [LatticeCore.PeerID: Channel] = [:]
    /// Peers whose next sender learns that earlier messages may be lost.
    private var broken: Set<LatticeCore.PeerID> = []
    private var flushed: Set<UInt64> = []
    private var lastFlush: UInt64 = 0

    /// - Parameter isMessage: whether a message of the program is to be sent, which learns of a loss; not a question for a key.
    /// - Returns: `nil` while another sender opens the stream.
    mutating func way(to peer: LatticeCore.PeerID, isMessage: Bool = true) -> Way? {
        if isMessage, broken.remove(peer) != nil { return .broken }
        switch channels[peer] {
        case .opening: return nil
        case .open(let number, let hasSent):
            channels[peer] = .open(number, hasSent: hasSent || isMessage)
            return .stream(number)
        case nil:
            channels[peer] = .opening
            return .toOpen
        }
    }

    mutating func hasOpened(_ number: Int, to peer: LatticeCore.PeerID) {
        channels[peer] = .open(number, hasSent: false)
    }

    mutating func couldNotOpen(to peer: LatticeCore.PeerID) {
        if case .opening? = channels[peer] { channels[peer] = nil }
    }

    /// The other side has opened a stream. It carries messages from here as well, unless there is one already.
    mutating func hasAccepted(_ number: Int, from peer: LatticeCore.PeerID) {
        if channels[peer] == nil { channels[peer] = .open(number, hasSent: false) }
    }

    /// - Parameter isBroken: whether what was sent over it may not have arrived.
    mutating func hasEnded(_ number: Int, with peer: LatticeCore.PeerID, isBroken: Bool) {
        guard case .open(number, let hasSent)? = channels[peer] else { return }
        channels[peer] = nil
        if isBroken, hasSent { broken.insert(peer) }
    }

    /// The stream that messages to this peer went over.
    func stream(to peer: LatticeCore.PeerID) -> Int? {
        guard case .open(let number, hasSent: true)? = channels[peer] else { return nil }
        return number
    }

    var streams: [Int] {
        channels.values.compactMap { if case .open(let number, _) = $0 { number } else { nil } }.sorted()
    }

    // MARK: - Flushing

    mutating func nextFlush() -> UInt64 {
        lastFlush += 1
        return lastFlush
    }

    mutating func wasFlushed(_ number: UInt64) {
        // Numbers that nobody asked for are a stranger's.
        if number <= lastFlush { flushed.insert(number) }
    }

    /// - Returns: whether it was read; `nil` while that is unknown.
    mutating func outcome(of flush: UInt64, over stream: Int, to peer: LatticeCore.PeerID) -> Bool? {
        if flushed.remove(flush) != nil { return true }
        return self.stream(to: peer) == stream ? nil : false
    }
}
