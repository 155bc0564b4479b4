import LatticeAPI
import LatticeCore
import LatticeDiscovery
import Testing

@testable import LatticeDoctor

/// What follows from facts, cause by cause.
@Suite struct DiagnosisTests {
    // MARK: - Nothing is wrong

    @Test func whoIsLinkedIsWell() {
        var facts = Case.met
        facts.node?.peers = [Case.linked]
        let diagnosis = Diagnosis(facts)
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.verdict == .well && diagnosis.verdict.exitCode == 0)
        #expect(diagnosis.summary == "all is well: you are linked with carol")
    }

    @Test func aloneOnAGoodNetworkIsNoFault() {
        let diagnosis = Diagnosis(Case.quiet)
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.verdict == .alone && diagnosis.verdict.exitCode == 69)
    }

    @Test func whoCanBeReachedAndIsNotLinkedYetIsNoted() {
        #expect(Case.codes(Case.met) == ["notes notLinked"])
        #expect(Diagnosis(Case.met).verdict == .well)
    }

    @Test func withoutANodeThatIsSaid() {
        #expect(Case.judged { $0.node = nil } == ["notes nothingRuns"])
        #expect(Case.judged(Case.met) { $0.node = nil } == ["notes nothingRuns"])
    }

    // MARK: - The network

    @Test func noNetwork() {
        #expect(Case.judged { $0.interfaces.removeLast() } == ["blocks noInterface"])
        #expect(Case.judged { $0.interfaces[1].isUp = false } == ["blocks noInterface"])
        let down = Case.judged { facts in (facts.interfaces[1].v4, facts.interfaces[1].v6) = ([], []) }
        #expect(down == ["blocks noInterface"])
        // The linked peer is on this machine and needs no network.
        let local = Case.judged { facts in
            facts.interfaces.removeLast()
            facts.node?.peers = [Case.linked]
        }
        #expect(local == ["notes noInterface"])
    }

    @Test func anInterfaceThatWasChosenAndIsNotThere() {
        #expect(Case.judged { $0.wish.interface = "wlan9" } == ["blocks interfaceMissing"])
        let down = Case.judged { facts in
            facts.wish.interface = "wlan0"
            facts.interfaces[1].isUp = false
        }
        #expect(down == ["blocks interfaceMissing"])
    }

    @Test func aNetworkWithoutMulticast() {
        #expect(Case.judged { $0.interfaces[1].carriesMulticast = false } == ["blocks noMulticast"])
    }

    @Test func multicastThatDoesNotComeBack() {
        #expect(Case.judged { $0.echoes[0].outcome = .lost } == ["blocks multicastLost"])
        #expect(Case.judged { $0.echoes[0].outcome = .refused("not permitted") } == ["blocks multicastForbidden"])
        // One family will do.
        let half = Case.judged { facts in
            facts.echoes = [
                EchoFact(interface: "wlan0", outcome: .heard), EchoFact(interface: "wlan0", isV6: true, outcome: .lost),
            ]
        }
        #expect(half.isEmpty)
    }

    @Test func oneOfTwoNetworksMayWork() {
        let found = Case.judged { facts in
            facts.interfaces.append(InterfaceFact(name: "eth0", index: 3, v4: ["10.0.0.7"]))
            facts.echoes.append(EchoFact(interface: "eth0", outcome: .lost))
        }
        #expect(found == ["hinders multicastLost"])
    }

    @Test func whatStandsInTheWayOfTheRestComesFirst() {
        let found = Case.judged { facts in
            facts.interfaces[1].isUp = false
            facts.machine.folder?.objection = "Read-only file system"
            facts.machine.port = .taken(by: "nginx")
            facts.wish.port = 4_000
            facts.node = nil
        }
        #expect(found == ["blocks dataFolder", "blocks noInterface", "hinders portTaken", "notes nothingRuns"])
    }

    @Test func whatIsWrongWithWhatOneKeepsIsSaidAsItIs() {
        let text = "/x/identity is damaged; put a backup in its place"
        var facts = Case.quiet
        facts.machine.dataObjection = text
        let diagnosis = Diagnosis(facts)
        #expect(diagnosis.findings.first.map { "\($0.severity) \($0.code) \($0.text)" } == "blocks dataFolder \(text)")
        #expect(diagnosis.checks.first?.subject == .machine && diagnosis.checks.first?.state == .bad)
    }

    // MARK: - Nobody is near

    @Test func aNetworkWithoutARouter() {
        let found = Case.judged { facts in (facts.interfaces[1].v4, facts.othersHeard) = (["169.254.3.4"], 1) }
        #expect(found == ["hinders linkLocalOnly"])
        // It works with peers on the same cable.
        #expect(Case.judged(Case.met) { $0.interfaces[1].v4 = ["169.254.3.4"] } == ["notes notLinked"])
    }

    @Test func aVPNThatTakesEverything() {
        let found = Case.judged { facts in
            facts.interfaces.append(
                InterfaceFact(name: "wg0", index: 5, kind: .tunnel, carriesMulticast: false, v4: ["10.8.0.2"]))
            facts.defaultInterface = "wg0"
        }
        #expect(found == ["hinders vpn"])
    }

    @Test func aBridgeThatJoinsNothingButThisMachine() {
        #expect(
            Case.judged { facts in (facts.interfaces[1].kind, facts.defaultInterface) = (.bridge, nil) } == [
                "hinders bridgeOnly"
            ])
        // A machine of virtual ones has its network card in it.
        #expect(Case.judged { $0.interfaces[1].kind = .bridge } == [])
    }

    @Test func aContainerAndAQuietNetworkAreNoted() {
        let found = Case.judged { facts in (facts.isContainer, facts.othersHeard) = (true, 0) }
        #expect(found == ["notes container", "notes deaf"])
    }

    @Test func aNodeThatItsOwnMachineDoesNotSee() {
        #expect(Case.judged { $0.sightings = [] } == ["hinders notAnnounced"])
        #expect(
            Case.judged { facts in (facts.sightings, facts.wish.discovery, facts.wish.given) = ([], .off, []) } == [
                "hinders discoveryOff"
            ])
    }

    // MARK: - The responder

    @Test func theServiceOfTheMachine() {
        #expect(Case.judged { $0.wish.discovery = .system } == ["blocks daemonAbsent"])
        #expect(Case.judged { $0.responder = ResponderFact(daemon: .silent) } == ["hinders daemonSilent"])
        #expect(
            Case.judged { $0.responder = ResponderFact(daemon: .refuses("dns_sd error -65540")) } == [
                "hinders daemonRefuses"
            ])
        #expect(Case.judged { $0.responder = ResponderFact(daemon: .answers) }.isEmpty)
    }

    @Test func aServiceThatLeavesOutTheNetwork() {
        var responder = ResponderFact(daemon: .answers, hasDaemonProcess: true)
        responder.settings = AvahiSettings(parsing: "[server]\nallow-interfaces=lo\n")
        #expect(Case.judged { $0.responder = responder } == ["blocks daemonRestricted"])
        // It does not matter to a peer that does not use it.
        let embedded = Case.judged { facts in (facts.responder, facts.wish.discovery) = (responder, .embedded) }
        #expect(embedded.isEmpty)
        responder.settings = AvahiSettings(parsing: "use-ipv4=no\nuse-ipv6=no")
        #expect(Case.judged { $0.responder = responder } == ["blocks daemonRestricted"])
    }

    @Test func aPortThatSomebodyKeeps() {
        var responder = ResponderFact(daemon: .absent, port: .held, holders: ["lattice", "chrome"])
        var facts = Case.quiet
        facts.responder = responder
        let found = Diagnosis(facts).findings
        #expect(found.map(\.code) == [.mdnsPortHeld])
        #expect(found.first?.text.hasPrefix("chrome does not share UDP port 5353") == true)
        responder.hasDaemonProcess = true
        responder.settings = AvahiSettings(parsing: "disallow-other-stacks=yes")
        let embedded = Case.judged { facts in (facts.responder, facts.wish.discovery) = (responder, .embedded) }
        #expect(embedded == ["blocks daemonAlone"])
        // Through a service that answers nobody needs the port.
        responder.daemon = .answers
        #expect(Case.judged { $0.responder = responder }.isEmpty)
    }

    // MARK: - The machine

    @Test func aFullDisk() {
        #expect(Case.judged { $0.machine.folder?.freeBytes = 4_096 } == ["hinders diskFull"])
        #expect(Case.judged { $0.machine.folder?.freeBytes = 99_000_000 } == ["notes diskNearlyFull"])
        #expect(Case.judged { $0.machine.folder?.freeBytes = 999_000_000 } == ["notes diskNearlyFull"])
        #expect(Case.judged { $0.machine.folder?.freeBytes = 1_000_000_000 } == [])
    }

    @Test func aMachineThatAllowsTooLittle() {
        #expect(Case.judged { $0.machine.descriptors = 63 } == ["blocks fewDescriptors"])
        #expect(Case.judged { $0.machine.descriptors = 64 }.isEmpty)
        #expect(Case.judged { $0.machine.clock = WallTime(milliseconds: 0) } == ["hinders clockWrong"])
        #expect(Case.judged { $0.machine.port = .forbidden } == ["hinders portForbidden"])
        #expect(Case.judged { $0.nodeObjection = "it does not answer" } == ["blocks nodeSilent"])
    }

    /// What could not be looked at says nothing.
    @Test func nothingFollowsFromNothing() {
        var facts = Facts(wish: Case.wish)
        facts.interfaces = Case.quiet.interfaces
        #expect(Case.codes(facts) == ["notes nothingRuns"])
    }
}
