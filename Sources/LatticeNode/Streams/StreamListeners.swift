import LatticeAPI
import LatticeCore
import OrderedCollections

/// Programs that wait for a stream, each for one label.
struct StreamListeners: Sendable {
    private struct Listener: Sendable {
        let number: Int
        /// The peer it waits for; `nil` is anybody.
        let from: PeerID?
        var came: StreamInfo?
    }

    /// The answer to a peer that has opened a stream.
    enum Answer: Hashable, Sendable {
        /// This listener has it now.
        case taken(by: Int)
        case nobodyListens
        case notForYou
    }

    /// Labels that begin so are not for a listener for any label: a library carries its own data under them.
    private static let reservedPrefix = "lattice."

    /// The one without a label takes what has no other listener.
    private var all: OrderedDictionary<StreamLabel?, Listener> = [:]

    var isEmpty: Bool { all.isEmpty }
    var numbers: [Int] { all.values.map(\.number) }

    /// - Parameter label: `nil` is any that nobody else listens for.
    /// - Returns: whether there is space, and nobody else listens for this label.
    mutating func add(_ number: Int, for label: StreamLabel?, from peer: PeerID?) -> Bool {
        guard all[label] == nil, all.count < StreamLimit.countMax else { return false }
        all[label] = Listener(number: number, from: peer)
        return true
    }

    mutating func offer(_ stream: StreamInfo) -> Answer {
        let isReserved = stream.label.text.hasPrefix(Self.reservedPrefix)
        let label = all[stream.label] != nil || isReserved ? stream.label : StreamLabel?.none
        guard let listener = all[label], listener.came == nil else { return .nobodyListens }
        guard listener.from == nil || listener.from == stream.peer else { return .notForYou }
        all[label]?.came = stream
        return .taken(by: listener.number)
    }

    /// - Returns: the stream that has come, which also ends the listening.
    mutating func take(_ listener: Int) -> StreamInfo? {
        guard let index = all.values.firstIndex(where: { $0.number == listener }), let came = all.values[index].came
        else { return nil }
        all.remove(at: index)
        return came
    }

    mutating func remove(_ listener: Int) {
        all.removeAll { $0.value.number == listener }
    }

    mutating func removeAll() {
        all = [:]
    }

    /// A stream that was accepted but not handed out yet is gone.
    mutating func streamHasGone(_ number: Int) {
        for index in all.values.indices where all.values[index].came?.stream == number { all.values[index].came = nil }
    }
}
