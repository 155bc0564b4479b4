import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Data from one peer to another, by hand and over networks that lose, double and reorder.
struct DataFlowTests {
    private let peer = Fixture.peer(1)
    private func messages(_ count: Int, _ byte: UInt8 = 1) -> DataMessages {
        var messages = DataMessages()
        messages.append([UInt8](repeating: byte, count: count))
        return messages
    }

    private func time(_ milliseconds: Int) -> Instant {
        Instant.zero.advanced(by: .milliseconds(milliseconds))
    }

    private func answer(
        _ flow: UInt64, _ received: Int, limit: UInt64, _ state: DataAnswer.State = .open
    ) -> DataAnswer {
        DataAnswer(route: nil, flow: flow, received: UInt64(received), limit: limit, state: state)
    }

    // MARK: - Sending

    @Test func beforeAnAnswerOnlyTheFirstWindowGoes() {
        var flow = OutgoingData(flow: 7, isRouted: false, at: .zero)
        #expect(flow.room == 65_536)
        let offset = flow.add(messages(59_997), at: .zero)
        #expect(offset == 0)
        #expect(flow.room == 65_536 - 60_000)
        _ = flow.answered(answer(7, 0, limit: 524_288), at: time(1))
        #expect(flow.room == 524_288 - 60_000)
    }

    @Test func whatIsNotAnsweredGoesAgainAndThenTheFlowEnds() {
        var flow = OutgoingData(flow: 7, isRouted: false, at: .zero)
        _ = flow.add(messages(10), at: .zero)
        _ = flow.add(messages(20), at: .zero)
        #expect(flow.nextDeadline == time(250))
        let early = flow.due(at: time(249))
        #expect(early.again.isEmpty)
        for (now, next) in [(250, 750), (750, 1_750), (1_750, 3_750), (3_750, 5_750), (9_999, 11_999)] {
            let doing = flow.due(at: time(now))
            #expect(doing.again.map(\.offset) == [0] && doing.end == nil)
            #expect(flow.nextDeadline == time(next))
        }
        let last = flow.due(at: time(11_999))
        #expect(last.end == .silent && last.again.isEmpty)
    }

    @Test func whatIsMissingGoesAgainOnceAndTheWindowIsHalved() {
        var flow = OutgoingData(flow: 7, isRouted: false, at: .zero)
        _ = flow.answered(answer(7, 0, limit: 1 << 20), at: .zero)
        #expect(flow.room == 524_288)
        for _ in 0..<3 { _ = flow.add(messages(98), at: .zero) }
        let doing = flow.answered(answer(7, 99, limit: 1 << 20, .missing), at: time(1))
        #expect(doing.again.map(\.offset) == [99, 198] && doing.hasMoved)
        #expect(flow.room == 262_144 - 198)
        // Another answer to what was behind the same gap.
        let soon = flow.answered(answer(7, 99, limit: 1 << 20, .missing), at: time(2))
        let later = flow.answered(answer(7, 99, limit: 1 << 20, .missing), at: time(101))
        #expect(soon.again.isEmpty && later.again.count == 2 && !flow.isConfirmed)
        let all = flow.answered(answer(7, 297, limit: 1 << 20), at: time(102))
        #expect(all.hasMoved)
        #expect(flow.isConfirmed && flow.nextDeadline == nil)
    }

    @Test func anAnswerToWhatWasNeverSentIsNone() {
        var flow = OutgoingData(flow: 7, isRouted: false, at: .zero)
        _ = flow.add(messages(10), at: .zero)
        let doing = flow.answered(answer(7, 12, limit: 1 << 20), at: time(1))
        #expect(!doing.hasMoved && !flow.isConfirmed && flow.room == 65_536 - 11)
    }

    @Test func whoeverIsHeldUpAsksUntilThereIsRoom() {
        var flow = OutgoingData(flow: 7, isRouted: false, at: .zero)
        _ = flow.add(messages(59_997), at: .zero)
        _ = flow.answered(answer(7, 60_000, limit: 65_536), at: time(1))
        #expect(flow.isConfirmed)
        let doing = flow.due(at: time(251))
        #expect(doing.asks && doing.again.isEmpty && doing.end == nil)
        let free = flow.answered(answer(7, 60_000, limit: 600_000), at: time(252))
        #expect(free.hasMoved && flow.nextDeadline == nil && flow.room == 524_288)
    }

    // MARK: - Taking

    @Test func whatComesInOrderIsTakenAndAnsweredTogether() {
        var flow = IncomingData(flow: 7, at: .zero)
        var offset: UInt64 = 0
        for index in 0..<7 {
            let frame = DataFrame(route: nil, flow: 7, offset: offset, messages: messages(9_998))
            let (isTaken, state) = flow.heard(frame, at: .zero)
            offset += 10_000
            guard index < 6 else {
                // Beyond the first window: nobody may send so much before an answer.
                #expect(!isTaken && state == nil)
                break
            }
            // At once from half of the first window on.
            #expect(isTaken && state == (offset <= 30_000 ? nil : .open))
        }
        #expect(flow.nextDeadline == time(10))
        let told = flow.answer(.open)
        #expect(told.received == 60_000 && told.limit == 60_000 + 524_288 - 60_000)
        let isTold = flow.wasRead(60_000)
        #expect(!isTold && flow.unread == 0)
    }

    @Test func aGapIsToldOfOnceAWhile() {
        var flow = IncomingData(flow: 7, at: .zero)
        let late = DataFrame(route: nil, flow: 7, offset: 11, messages: messages(10))
        let early = DataFrame(route: nil, flow: 7, offset: 0, messages: messages(10))
        let answers = [0, 99, 100].map { flow.heard(late, at: time($0)) }
        #expect(answers.map(\.answer) == [.missing, nil, .missing] && !answers.contains { $0.isTaken })
        let taken = [early, late, late].map { flow.heard($0, at: time(102)).isTaken }
        #expect(taken == [true, true, false])
        #expect(flow.nextDeadline == time(112))
    }

    // MARK: - Both ends

    @Test(arguments: 0..<200 as Range<UInt64>)
    func whateverIsLostDoubledOrReorderedAllArrivesInOrder(seed: UInt64) {
        var world = DataWorld(seed: seed)
        world.run(messages: 400)
        #expect(world.ended == nil)
        #expect(world.read == Array(0..<400), "seed \(seed)")
        #expect(world.unreadMost <= DataLimit.window + DataLimit.windowFirst)
    }

    @Test func whoeverDoesNotReadIsSentAWindowAndNoMore() {
        var world = DataWorld(seed: 3, isReading: false)
        world.run(messages: 20_000)
        #expect(world.ended == nil && world.read.isEmpty)
        #expect(world.unreadMost <= DataLimit.window + DataLimit.windowFirst)
        #expect(world.unreadMost > DataLimit.window / 2)
    }

    @Test func dataThatNobodyTakesEndsItsFlow() {
        var world = DataWorld(seed: 1, takesData: false)
        world.run(messages: 3)
        #expect(world.ended == .unwanted)
    }

    @Test func aReceiverThatBeganAnewEndsTheFlow() {
        var world = DataWorld(seed: 0)
        world.run(messages: 50)
        world.receiver = DataFlows()
        world.receiver.readingChanged(true)
        world.run(messages: 1)
        #expect(world.ended == .interrupted)
    }

    @Test func beyondSoManySendersTheNextIsTurnedAwayUnlessOneIsIdle() {
        var flows = DataFlows()
        flows.readingChanged(true)
        func first(_ number: Int, at now: Instant) -> [DataAnswer.State] {
            var outputs: [DataFlows.Output] = []
            let origin = DataOrigin(peer: PeerID(Bytes32(words: (UInt64(number), 0, 0, 0))), isRouted: false)
            flows.heard(
                DataFrame(route: nil, flow: 1, offset: 0, messages: messages(3)), from: origin, at: now,
                into: &outputs)
            flows.wasRead(4, from: origin, into: &outputs)
            let states = outputs.compactMap { if case .answer(let answer, _) = $0 { answer.state } else { nil } }
            return states.filter { $0 != .open }
        }
        let early = (0..<32).map { first($0, at: .zero) }
        #expect(early.allSatisfy { $0.isEmpty })
        let (soon, later) = (first(32, at: time(59_999)), first(32, at: time(60_000)))
        #expect(soon == [.full] && later.isEmpty)
        #expect(flows.counts.incoming == 32)
    }
}

/// A sender and a receiver with a network between them that a seed rules.
struct DataWorld {
    private enum Parcel {
        case data(DataFrame)
        case answer(DataAnswer)
    }

    private let sender = Fixture.peer(1)
    private let target = Fixture.peer(2)
    private var flows = DataFlows()
    var receiver = DataFlows()
    private var generator: SeededGenerator
    private let lossPercent: Int
    private let isReading: Bool
    /// The last arrives first.
    private var parcels: [(at: Instant, parcel: Parcel)] = []
    private var order = 0
    private var now = Instant.zero
    private var waiting: [DataMessages] = []
    private var unread: [DataMessages] = []
    private var said = 0
    private var room: Int?
    private(set) var read: [Int] = []
    private(set) var unreadMost: UInt64 = 0
    private(set) var ended: DataEnd?

    init(seed: UInt64, isReading: Bool = true, takesData: Bool = true) {
        generator = SeededGenerator(seed: seed)
        lossPercent = [0, 3, 12][Int(seed % 3)]
        self.isReading = isReading
        receiver.readingChanged(takesData)
    }

    /// Until nothing is left to do, a while at most.
    mutating func run(messages count: Int) {
        for _ in 0..<count {
            var messages = DataMessages()
            let padding = Int.random(in: 0..<2_000, using: &generator)
            messages.append(
                [UInt8(truncatingIfNeeded: said >> 8), UInt8(truncatingIfNeeded: said)]
                    + [UInt8](repeating: 0, count: padding))
            said += 1
            waiting.append(messages)
        }
        want()
        for _ in 0..<200_000 where ended == nil {
            let times = [parcels.last?.at, flows.nextDeadline, receiver.nextDeadline]
            guard let next = times.compactMap(\.self).min() else { return }
            // Who is asked for ever whether there is room has been held up long enough.
            guard next < Instant.zero.advanced(by: .seconds(600)) else { return }
            now = max(now, next)
            arrive()
            var outputs: [DataFlows.Output] = []
            flows.due(at: now, into: &outputs)
            carryOut(outputs)
            outputs = []
            receiver.due(at: now, into: &outputs)
            carryOut(outputs)
            if isReading { readSome() }
        }
    }

    private mutating func arrive() {
        while let next = parcels.last, next.at <= now {
            parcels.removeLast()
            var outputs: [DataFlows.Output] = []
            switch next.parcel {
            case .data(let frame):
                receiver.heard(frame, from: DataOrigin(peer: sender, isRouted: false), at: now, into: &outputs)
            case .answer(let answer): flows.answered(answer, by: target, at: now, into: &outputs)
            }
            carryOut(outputs)
        }
    }

    private mutating func want() {
        submit(flows.room(to: target))
    }

    private mutating func carryOut(_ outputs: [DataFlows.Output]) {
        for output in outputs {
            switch output {
            case .frame(let flow, let offset, let messages, _, _):
                send(.data(DataFrame(route: nil, flow: flow, offset: offset, messages: messages)))
            case .answer(let answer, _): send(.answer(answer))
            case .effect(.received(_, let messages)):
                unread.append(messages)
                unreadMost = max(unreadMost, UInt64(unread.reduce(0) { $0 + $1.bytes.count }))
            case .effect(.moved): want()
            case .effect(.ended(_, let reason)): ended = reason
            case .effect(.carry): break
            }
        }
    }

    private mutating func submit(_ room: Int) {
        var room = room
        while let next = waiting.first, next.bytes.count <= room {
            room -= next.bytes.count
            waiting.removeFirst()
            var outputs: [DataFlows.Output] = []
            flows.submit(next, to: target, isRouted: false, at: now, using: &generator, into: &outputs)
            carryOut(outputs)
        }
    }

    private mutating func send(_ parcel: Parcel) {
        let copies = Int.random(in: 0..<100, using: &generator) < lossPercent ? 0 : lossPercent > 0 ? 1 + order % 2 : 1
        for _ in 0..<copies {
            order += 1
            let delay = lossPercent > 0 ? Int.random(in: 1...30, using: &generator) : 5
            let time = now.advanced(by: .milliseconds(delay))
            // What arrives at one time arrives in the order it was sent.
            var (place, end) = (0, parcels.count)
            while place < end {
                let middle = (place + end) / 2
                if parcels[middle].at > time { place = middle + 1 } else { end = middle }
            }
            parcels.insert((time, parcel), at: place)
        }
    }

    private mutating func readSome() {
        while !unread.isEmpty {
            let messages = unread.removeFirst()
            var position = 0
            while let message = messages.message(at: &position) {
                read.append(message.prefix(2).reduce(0) { $0 << 8 | Int($1) })
            }
            var outputs: [DataFlows.Output] = []
            receiver.wasRead(
                messages.bytes.count, from: DataOrigin(peer: sender, isRouted: false), into: &outputs)
            carryOut(outputs)
        }
    }
}
