import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("Which announcement is looked up when")
struct LookupQueueTests {
    private var queue = LookupQueue(refreshDelayMin: .seconds(20))
    private let bob = instance("bob")
    private let word = answer(peer: 0xB)

    private mutating func settle(_ instance: ServiceInstance, at now: Instant = .zero) {
        _ = queue.handle(.added(instance), at: now)
        _ = queue.handle(.located(instance), at: now)
        _ = queue.handle(.answered(instance, .v4, word), at: now)
    }

    @Test mutating func anInstanceIsLocatedThenItsAddressAsked() {
        #expect(queue.handle(.added(bob), at: .zero) == [.locate(bob)])
        #expect(queue.handle(.located(bob), at: .zero) == [.ask(bob, .v4)])
        #expect(queue.handle(.answered(bob, .v4, word), at: .zero) == [.stop(bob), .seen(bob, word)])
        #expect(queue.nextDeadline == after(LookupQueue.hurriedDelayMin))
    }

    @Test mutating func theEndOfBrowsingEndsLookupsAndLosesWhatWasFound() {
        let carol = instance("carol")
        settle(bob)
        _ = queue.handle(.added(carol), at: .zero)
        #expect(queue.handle(.ended, at: .zero) == [.gone(bob), .stop(carol)])
        #expect(queue.count == 0 && queue.nextDeadline == nil)
        // Late answers are about nobody, and browsing may begin again.
        #expect(queue.handle(.located(carol), at: .zero) == [])
        #expect(queue.handle(.added(bob), at: .zero) == [.locate(bob)])
    }

    @Test mutating func whatIsKnownIsLookedUpAgainSoonThenEverMoreRarely() {
        var now = Instant.zero
        settle(bob)
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let next = queue.nextDeadline ?? now
            pauses.append(now.duration(to: next))
            now = next
            #expect(queue.handle(.woke, at: now) == [.locate(bob)])
            _ = queue.handle(.located(bob), at: now)
            _ = queue.handle(.answered(bob, .v4, word), at: now)
        }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 20, 20].map { .seconds($0) })
        _ = queue.handle(.hurried, at: now)
        #expect(queue.nextDeadline == now.advanced(by: LookupQueue.hurriedDelayMin))
    }

    @Test mutating func anIPv6AddressCountsWhenNoIPv4AddressFollows() {
        _ = queue.handle(.added(bob), at: .zero)
        _ = queue.handle(.located(bob), at: .zero)
        #expect(queue.handle(.woke, at: after(LookupQueue.aloneDelay)) == [.ask(bob, .v6)])
        #expect(queue.handle(.answered(bob, .v6, word), at: after(.milliseconds(200))) == [])
        #expect(queue.handle(.woke, at: after(.milliseconds(449))) == [])
        #expect(queue.handle(.woke, at: after(.milliseconds(450))) == [.stop(bob), .seen(bob, word)])
    }

    @Test mutating func anIPv4AddressIsPreferredToAnIPv6AddressThatCameBefore() {
        let other = answer(peer: 0xB, host: "fe80::1%eth0")
        _ = queue.handle(.added(bob), at: .zero)
        _ = queue.handle(.located(bob), at: .zero)
        _ = queue.handle(.woke, at: after(LookupQueue.aloneDelay))
        _ = queue.handle(.answered(bob, .v6, other), at: after(.milliseconds(200)))
        #expect(
            queue.handle(.answered(bob, .v4, word), at: after(.milliseconds(300))) == [.stop(bob), .seen(bob, word)])
    }

    @Test mutating func aPeerThatIsStillProbingItsNameIsWaitedFor() {
        _ = queue.handle(.added(bob), at: .zero)
        #expect(queue.handle(.woke, at: after(.seconds(1))) == [])
        #expect(queue.handle(.located(bob), at: after(.seconds(2))) == [.ask(bob, .v4)])
    }

    @Test mutating func whoDoesNotAnswerIsAskedEverMoreRarely() {
        var now = Instant.zero
        _ = queue.handle(.added(bob), at: now)
        var pauses: [Duration] = []
        for _ in 0..<9 {
            now = now.advanced(by: LookupQueue.locateDelayMax)
            #expect(queue.handle(.woke, at: now) == [.stop(bob)])
            let next = queue.nextDeadline ?? now
            pauses.append(now.duration(to: next))
            now = next
            #expect(queue.handle(.woke, at: now) == [.locate(bob)])
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test mutating func whatFailsThriceToBeRefreshedIsGoneOnce() {
        settle(bob)
        var effects: [LookupQueue.Effect] = []
        for _ in 0..<12 {
            guard let next = queue.nextDeadline else { break }
            effects += queue.handle(.woke, at: next)
        }
        #expect(effects.filter { $0 == .gone(bob) }.count == 1)
        #expect(effects.prefix { $0 != .gone(bob) }.filter { $0 == .stop(bob) }.count == 3)
    }

    @Test mutating func anInstanceIsGoneWhenNoProtocolSeesItAnyMore() {
        settle(bob)
        #expect(queue.handle(.added(bob), at: .zero) == [])
        #expect(queue.handle(.removed(bob), at: .zero) == [])
        #expect(queue.handle(.removed(bob), at: .zero) == [.gone(bob)])
        #expect(queue.handle(.removed(bob), at: .zero) == [])
        #expect(queue.count == 0)
    }

    @Test mutating func whatGoesBeforeItWasAnsweredIsOnlyStopped() {
        _ = queue.handle(.added(bob), at: .zero)
        #expect(queue.handle(.removed(bob), at: .zero) == [.stop(bob)])
        #expect(queue.handle(.located(bob), at: .zero) == [])
        #expect(queue.handle(.answered(bob, .v4, word), at: .zero) == [])
        #expect(queue.nextDeadline == nil)
    }

    @Test mutating func fewAreLookedUpAtATime() {
        let all = (0..<40).map { instance("n\($0)") }
        let started = all.flatMap { queue.handle(.added($0), at: .zero) }
        #expect(started == all.prefix(LookupQueue.activeCountMax).map { .locate($0) })
        #expect(
            queue.handle(.failed(all[3]), at: .zero) == [
                .stop(all[3]), .locate(all[LookupQueue.activeCountMax]),
            ])
    }

    /// While a name is probed for nobody answers for it, and who has it is announced early as well.
    @Test mutating func aNameThatIsProbedForIsLeftAloneForAWhile() {
        let early = instance("bob (000000000000000b)")
        #expect(queue.handle(.added(bob), at: .zero) == [.locate(bob)])
        #expect(queue.handle(.added(early), at: .zero) == [.stop(bob), .locate(early)])
        #expect(queue.handle(.located(early), at: .zero) == [.ask(early, .v4)])
        #expect(queue.handle(.answered(early, .v4, word), at: .zero) == [.stop(early), .seen(early, word)])
        #expect(queue.handle(.woke, at: after(.milliseconds(1_249))) == [.locate(early)])
        #expect(queue.handle(.woke, at: after(.milliseconds(1_250))) == [.locate(bob)])
        // Once, although another peer has the same name.
        #expect(queue.handle(.added(instance("bob [000000000000000c]")), at: after(.seconds(1))).count == 1)

        // In the other order, and not where the early name is gone or of another interface.
        let (anna, other) = (instance("anna [000000000000000a]"), instance("anna [000000000000000a]", on: 3))
        #expect(queue.handle(.added(anna), at: .zero) == [.locate(anna)])
        #expect(queue.handle(.added(instance("anna")), at: .zero) == [])
        #expect(queue.handle(.removed(anna), at: .zero) == [.stop(anna)])
        _ = queue.handle(.removed(instance("anna")), at: .zero)
        _ = queue.handle(.added(other), at: .zero)
        #expect(queue.handle(.added(instance("anna")), at: .zero) == [.locate(instance("anna"))])
    }

    @Test mutating func ofACrowdThatBeginsAFewAreFoundEarly() {
        var located: Set<ServiceInstance> = []
        var now = Instant.zero
        func finish(_ effects: [LookupQueue.Effect]) {
            for case .locate(let instance) in effects {
                located.insert(instance)
                finish(queue.handle(.located(instance), at: now))
                finish(queue.handle(.answered(instance, .v4, word), at: now))
            }
        }
        for number in 0..<30 {
            let id = PeerPrefix(UInt64(number)).description
            for name in ["n\(number)", "n\(number) (\(id))"] { finish(queue.handle(.added(instance(name)), at: now)) }
        }
        #expect(located.count { $0.name.contains("(") } == LookupQueue.earlyCountMax)
        now = now.advanced(by: LookupQueue.probingDelay)
        finish(queue.handle(.woke, at: now))
        #expect(located.count { !$0.name.contains("(") } == 30)
        // Who goes makes room.
        let (gone, next) = (instance("n29 (000000000000001d)"), instance("late (00000000000000ff)"))
        for number in 0..<30 {
            let early = instance("n\(number) (\(PeerPrefix(UInt64(number))))")
            if early != gone { _ = queue.handle(.removed(early), at: now) }
        }
        #expect(queue.handle(.removed(gone), at: now) == [])
        #expect(queue.handle(.added(next), at: now) == [.locate(next)])
    }

    @Test mutating func aFullTableSaysSoOnce() {
        for index in 0..<LookupQueue.instanceCountMax { _ = queue.handle(.added(instance("n\(index)")), at: .zero) }
        #expect(queue.handle(.added(instance("one more")), at: .zero) == [.crowded])
        #expect(queue.handle(.added(instance("and another")), at: .zero) == [])
        #expect(queue.count == LookupQueue.instanceCountMax)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    mutating func itsEffectsAlwaysMatch(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var now = Instant.zero
        var active: Set<ServiceInstance> = []
        var told: Set<ServiceInstance> = []
        for _ in 0..<400 {
            let name = "n\(Int.random(in: 0..<20, using: &generator))"
            let ending = ["", "", " (000000000000000b)", " [000000000000000b]"].randomElement(using: &generator) ?? ""
            let which = instance(name + ending)
            let events: [LookupQueue.Event] = [
                .added(which), .removed(which), .located(which), .answered(which, .v4, word),
                .answered(which, .v6, word),
                .failed(which), .woke,
            ]
            now = now.advanced(by: .milliseconds(Int.random(in: 0...400, using: &generator)))
            for effect in queue.handle(events.randomElement(using: &generator) ?? .woke, at: now) {
                switch effect {
                case .locate(let instance): #expect(active.insert(instance).inserted)
                case .ask(let instance, _): #expect(active.contains(instance))
                case .stop(let instance): #expect(active.remove(instance) != nil)
                case .seen(let instance, _): told.insert(instance)
                case .gone(let instance): #expect(told.remove(instance) != nil)
                case .crowded: Issue.record("sixty are no crowd")
                }
            }
            #expect(active.count <= LookupQueue.activeCountMax)
        }
    }
}
