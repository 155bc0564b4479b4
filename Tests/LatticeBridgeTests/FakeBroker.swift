import LatticeBridge
import LatticeConcurrency
import LatticeCore

/// A broker in memory: streams, a window in which it knows ids, and faults.
actor FakeBroker: BridgeBroker {
    private struct Stream {
        var created: Int
        var messages: [BrokerMessage] = []
        var last: UInt64 = 0
        /// When each id of the window came.
        var window: [String: Duration] = [:]
        /// Ids of all parcels, as often as they are there.
        var ids: [String] = []
    }

    private static let windowLength: Duration = .seconds(600)
    private let time: FakeTime
    private var streams: [BridgeSpan: Stream] = [:]
    private var waiters: [BridgeSpan: [Signal]] = [:]
    private var creations = 0
    private(set) var isDown = false
    /// Parcels that are stored, but whose answers are lost.
    private var answersToLose = 0
    /// Publishing fails this often for the first parcel of a request, and stores the others.
    private var firstsToRefuse = 0
    /// How many parcels a stream takes.
    private var countMax = Int.max

    init(_ time: FakeTime) { self.time = time }

    /// The ids of all parcels, sorted: one that is there twice stands there twice.
    var ids: [String] { streams.values.flatMap(\.ids).sorted() }

    var subjects: Set<String> { Set(streams.values.flatMap { $0.messages.map(\.subject) }) }

    func set(isDown: Bool) {
        self.isDown = isDown
        tick()
    }

    func loseAnswers(_ count: Int) { answersToLose = count }

    func refuseFirsts(_ count: Int) { firstsToRefuse = count }

    func limit(to countMax: Int) { self.countMax = countMax }

    /// Readers that wait learn that there is nothing, as from a broker that they can reach.
    func tick() {
        for signal in waiters.values.joined() { signal.raise() }
    }

    /// Removes a stream; the next bridge that looks creates it.
    func remove(_ span: BridgeSpan) {
        streams[span] = nil
        tick()
    }

    /// Something that no bridge of this mesh published.
    func insert(_ payload: [UInt8], in span: BridgeSpan) {
        append(BridgeParcel(subject: "lattice.1.x", id: "forged \(creations) \(payload)", payload: payload), to: span)
    }

    /// Everything that is there comes again, as new.
    func replay(_ span: BridgeSpan) {
        guard let messages = streams[span]?.messages else { return }
        for message in messages { insert(message.payload, in: span) }
    }

    func stand(of span: BridgeSpan) async throws(BrokerFault) -> StreamStand {
        guard !isDown else { throw .unreachable("down") }
        if streams[span] == nil {
            creations += 1
            streams[span] = Stream(created: creations)
        }
        guard let stream = streams[span] else { throw .unreachable("down") }
        return StreamStand(created: "\(stream.created)", last: stream.last)
    }

    func next(_ span: BridgeSpan, after sequence: UInt64) async throws(BrokerFault) -> BrokerPage {
        if let page = try page(span, after: sequence) { return page }
        let signal = Signal()
        waiters[span, default: []].append(signal)
        await signal.wait()
        waiters[span]?.removeAll { $0 === signal }
        return try page(span, after: sequence) ?? BrokerPage([], passed: sequence, remaining: 0)
    }

    private func page(_ span: BridgeSpan, after sequence: UInt64) throws(BrokerFault) -> BrokerPage? {
        guard !isDown else { throw .unreachable("down") }
        guard let stream = streams[span], stream.last >= sequence else { throw .unreachable("it was made anew") }
        let messages = stream.messages.filter { $0.sequence > sequence }.prefix(10)
        guard let last = messages.last else { return nil }
        return BrokerPage(Array(messages), passed: last.sequence, remaining: stream.last - last.sequence)
    }

    func publish(_ parcels: [BridgeParcel]) async -> [PublishOutcome] {
        parcels.enumerated().map { index, parcel in
            if index == 0, firstsToRefuse > 0 {
                firstsToRefuse -= 1
                return .failed("no leader")
            }
            guard !isDown, let span = BridgeSpan.allCases.first(where: { parcel.subject.contains(".\($0.rawValue).") }),
                let stream = streams[span]
            else { return .failed("down") }
            let isKnown = stream.window[parcel.id].map { time.now - $0 < Self.windowLength } ?? false
            guard isKnown || stream.messages.count < countMax else { return .full }
            if !isKnown { append(parcel, to: span) }
            if answersToLose > 0 {
                answersToLose -= 1
                return .failed("no answer")
            }
            return isKnown ? .known : .stored
        }
    }

    private func append(_ parcel: BridgeParcel, to span: BridgeSpan) {
        guard var stream = streams[span] else { return }
        stream.last += 1
        stream.messages.append(
            BrokerMessage(sequence: stream.last, subject: parcel.subject, payload: parcel.payload))
        stream.window[parcel.id] = time.now
        stream.ids.append(parcel.id)
        streams[span] = stream
        tick()
    }
}
