import LatticeCore
import Testing

@testable import LatticeDiscovery

@Suite("Which source runs, and what the reader receives")
struct DiscoveryMachineTests {
    private typealias Session = DiscoveryMachine.Session

    private let first = Session(source: .system, number: 1)
    private let second = Session(source: .embedded, number: 2)
    private let bob = instance("bob")

    private func machine(_ mode: DiscoveryMode) -> DiscoveryMachine {
        var machine = DiscoveryMachine(mode: mode, ownPeer: PeerPrefix(0xA))
        _ = machine.handle(.began, at: .zero)
        return machine
    }

    private func found(_ source: Sighting.Source) -> DiscoveryMachine.Effect {
        .tell(.found(sighting(peer: 0xB, name: "bob", source: source)))
    }

    private func lost(_ source: Sighting.Source) -> DiscoveryMachine.Effect {
        .tell(.lost(sighting(peer: 0xB, name: "bob", source: source)))
    }

    @Test func eachModeStartsItsSource() {
        for (mode, source) in [
            (DiscoveryMode.auto, Sighting.Source.system), (.system, .system), (.embedded, .embedded),
        ] {
            var machine = DiscoveryMachine(mode: mode, ownPeer: PeerPrefix(0xA))
            #expect(machine.handle(.began, at: .zero) == [.start(Session(source: source, number: 1))])
        }
        var off = DiscoveryMachine(mode: .off, ownPeer: PeerPrefix(0xA))
        #expect(off.handle(.began, at: .zero) == [])
        #expect(off.handle(.woke, at: after(.seconds(9))) == [])
    }

    @Test func autoTakesTheEmbeddedStackAtOnceWhenThereIsNoDaemon() {
        var auto = machine(.auto)
        #expect(auto.handle(.report(.absent, first), at: .zero) == [.start(second), .tell(.chosen(.embedded))])
        #expect(auto.handle(.report(.running(label: "alice"), second), at: .zero) == [.tell(.running(.embedded))])
        #expect(auto.handle(.report(.running(label: "renamed"), second), at: .zero) == [])
    }

    @Test func autoDoesNotWaitForADaemonThatHangs() {
        var auto = machine(.auto)
        #expect(auto.handle(.woke, at: after(.milliseconds(199))) == [])
        #expect(
            auto.handle(.woke, at: after(.milliseconds(200))) == [.start(second), .tell(.chosen(.embedded))])
    }

    @Test func whichSourceAutoTakesIsToldOnceBeforeItIsAnnounced() {
        var auto = machine(.auto)
        #expect(auto.handle(.report(.answered, first), at: .zero) == [.tell(.chosen(.system))])
        #expect(auto.handle(.report(.running(label: "alice"), first), at: .zero) == [.tell(.running(.system))])
        #expect(auto.handle(.report(.stopped, first), at: .zero) == [.start(second)])
        for mode in [DiscoveryMode.system, .embedded] {
            var fixed = machine(mode)
            let session = Session(source: mode == .system ? .system : .embedded, number: 1)
            #expect(fixed.handle(.report(.answered, session), at: .zero) == [])
        }
    }

    @Test func autoFollowsWhenTheDaemonComes() {
        var auto = machine(.auto)
        _ = auto.handle(.report(.absent, first), at: .zero)
        _ = auto.handle(.report(.running(label: "alice"), second), at: .zero)
        #expect(auto.handle(.report(.seen(bob, answer(peer: 0xB)), second), at: .zero) == [found(.embedded)])
        #expect(auto.handle(.report(.answered, first), at: .zero) == [])
        #expect(auto.handle(.report(.seen(bob, answer(peer: 0xB)), first), at: .zero) == [found(.system)])
        #expect(auto.handle(.report(.running(label: "alice"), first), at: .zero) == [.tell(.running(.system))])
        #expect(
            auto.handle(.woke, at: after(DiscoveryMachine.overlap)) == [
                .end(second), lost(.embedded), .tell(.stopped(.embedded)),
            ])
        #expect(auto.handle(.report(.seen(bob, answer(peer: 0xB)), second), at: after(.seconds(4))) == [])
    }

    @Test func autoFollowsWhenTheDaemonGoesAndForgetsWhatItSawLater() {
        var auto = machine(.auto)
        _ = auto.handle(.report(.answered, first), at: .zero)
        _ = auto.handle(.report(.running(label: "alice"), first), at: .zero)
        _ = auto.handle(.report(.seen(bob, answer(peer: 0xB)), first), at: .zero)
        #expect(auto.handle(.report(.stopped, first), at: .zero) == [.start(second)])
        #expect(auto.handle(.report(.seen(bob, answer(peer: 0xB)), second), at: .zero) == [found(.embedded)])
        #expect(
            auto.handle(.woke, at: after(DiscoveryMachine.overlap)) == [lost(.system), .tell(.stopped(.system))])
    }

    @Test func aDaemonThatGoesSoonLeavesTheEmbeddedStackInUse() {
        var auto = machine(.auto)
        _ = auto.handle(.report(.absent, first), at: .zero)
        _ = auto.handle(.report(.running(label: "alice"), second), at: .zero)
        _ = auto.handle(.report(.answered, first), at: .zero)
        _ = auto.handle(.report(.running(label: "alice"), first), at: .zero)
        let early = after(.seconds(1))
        #expect(auto.handle(.report(.stopped, first), at: early) == [.tell(.running(.embedded))])
        #expect(auto.handle(.woke, at: after(DiscoveryMachine.overlap)) == [])
        #expect(auto.handle(.woke, at: early.advanced(by: DiscoveryMachine.overlap)) == [.tell(.stopped(.system))])
    }

    @Test func aDaemonThatComesBackSoonStartsFromNothing() {
        var auto = machine(.auto)
        _ = auto.handle(.report(.answered, first), at: .zero)
        _ = auto.handle(.report(.running(label: "alice"), first), at: .zero)
        _ = auto.handle(.report(.seen(bob, answer(peer: 0xB)), first), at: .zero)
        _ = auto.handle(.report(.stopped, first), at: .zero)
        #expect(
            auto.handle(.report(.answered, first), at: after(.seconds(1))) == [lost(.system), .tell(.stopped(.system))])
        #expect(auto.handle(.report(.seen(bob, answer(peer: 0xB)), first), at: after(.seconds(1))) == [found(.system)])
    }

    @Test func withoutItsDaemonTheModeSystemSaysSoOnceAndRecovers() {
        var system = machine(.system)
        #expect(system.handle(.report(.absent, first), at: .zero) == [.tell(.trouble(.noDaemon))])
        #expect(system.handle(.report(.absent, first), at: .zero) == [])
        #expect(system.handle(.report(.answered, first), at: .zero) == [])
        #expect(
            system.handle(.report(.running(label: "alice"), first), at: .zero) == [
                .tell(.running(.system)), .tell(.recovered),
            ])
        #expect(
            system.handle(.report(.stopped, first), at: .zero) == [
                .tell(.stopped(.system)), .tell(.trouble(.noDaemon)),
            ])
    }

    @Test func aRefusalOfTheEmbeddedStackIsTold() {
        var embedded = machine(.embedded)
        let session = Session(source: .embedded, number: 1)
        #expect(
            embedded.handle(.report(.refused("no socket"), session), at: .zero) == [
                .tell(.trouble(.refused("no socket")))
            ])
    }

    @Test func theTroubleOfTheNetworkComesFirstAndEnds() {
        var system = machine(.system)
        #expect(system.handle(.network(.noInterface), at: .zero) == [.tell(.trouble(.noInterface))])
        #expect(system.handle(.network(.noInterface), at: .zero) == [])
        #expect(system.handle(.report(.absent, first), at: .zero) == [])
        #expect(system.handle(.network(nil), at: .zero) == [.tell(.trouble(.noDaemon))])
        #expect(system.handle(.network(.noMulticast("tun0")), at: .zero) == [.tell(.trouble(.noMulticast("tun0")))])
        #expect(
            system.handle(.report(.running(label: "alice"), first), at: .zero) == [.tell(.running(.system))])
        #expect(system.handle(.network(nil), at: .zero) == [.tell(.recovered)])
    }
}
