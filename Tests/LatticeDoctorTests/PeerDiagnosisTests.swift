import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeDoctor

/// Why there is no link with somebody who is near.
@Suite struct PeerDiagnosisTests {
    // MARK: - By what is announced

    @Test func somebodyOfAnotherMesh() {
        let stranger = SightedPeer(name: "bob", prefix: Case.peer(2).prefix, meshTag: Case.other)
        #expect(Case.judged { $0.sightings.append(stranger) } == ["hinders otherMesh"])
        // It is not reported if a peer of the own mesh is there, too.
        #expect(Case.judged(Case.met) { $0.sightings.append(stranger) } == ["notes notLinked"])
    }

    @Test func whatSeveralDoIsSaidOfSeveral() {
        #expect(Told.names(["bob", "bob"], "is", "are") == "bob is")
        #expect(Told.names(["bob", "carol"], "is", "are") == "bob and carol are")
        #expect(Told.names(["bob", "carol", "dave"], "is", "are") == "bob, carol and 1 more are")
    }

    @Test func somebodyOfAClosedMesh() {
        let number = Case.peer(2).prefix
        let closed = SightedPeer(name: number.description, prefix: number, meshTag: Case.other)
        #expect(closed.isOfClosedMesh)
        #expect(Case.judged { $0.sightings.append(closed) } == ["hinders otherMesh"])
        let inClosed = Case.judged { facts in
            facts.sightings.append(closed)
            facts.wish.isClosed = true
        }
        #expect(inClosed == ["hinders otherPassphrase"])
        // Without the passphrase nobody can tell.
        let unknown = Case.judged { facts in
            facts.sightings = [closed]
            (facts.wish.isClosed, facts.wish.meshTags, facts.node) = (true, [], nil)
        }
        #expect(unknown == ["notes otherMesh", "notes nothingRuns"])
    }

    @Test func somebodyOfAnotherVersion() {
        #expect(Case.judged(Case.met) { $0.sightings[1].versions = [2, 3] } == ["hinders otherVersion"])
        #expect(Case.judged(Case.met) { $0.sightings[1].versions = [1, 2] } == ["notes notLinked"])
    }

    @Test func somebodyWhomOneBlocks() {
        let found = Case.judged(Case.met) { $0.node?.blocked = [Case.bob.prefix].compactMap(\.self) }
        #expect(found == ["hinders blockedHere"])
    }

    // MARK: - By what the node went through

    @Test(arguments: [
        (NodeHealth.Reason.otherMesh, "hinders otherMesh"), (.wrongPassphrase, "hinders wrongPassphrase"),
        (.blockedThere, "hinders blockedThere"), (.blockedHere, "hinders blockedHere"),
        (.policyThere, "hinders policyThere"), (.policyHere, "hinders policyHere"), (.declined, "hinders declined"),
        (.handshake, "hinders handshake"), (.fault, "hinders handshake"),
    ])
    func aLinkThatCameToNothing(reason: NodeHealth.Reason, expected: String) {
        #expect(Case.judged { $0.node?.health?.dialFailures = [Case.miss(reason)] } == [expected])
        // With others linked it keeps nobody from hearing of what is said.
        let among = Case.judged { facts in
            facts.node?.health?.dialFailures = [Case.miss(reason)]
            facts.node?.peers = [Case.linked]
        }
        #expect(among == [expected.replacing("hinders", with: "notes")])
    }

    @Test func aMeshThatWasFullIsNoFault() {
        #expect(Case.judged { $0.node?.health?.dialFailures = [Case.miss(.full)] } == ["notes noPlace"])
    }

    @Test func whoIsLinkedByNowIsNotMissed() {
        let found = Case.judged { facts in
            var peer = Case.linked
            peer.id = Case.peer(2)
            facts.node?.peers = [peer]
            facts.node?.health?.dialFailures = [Case.miss(.declined)]
        }
        #expect(found.isEmpty)
    }

    @Test(arguments: ["none", "contacts"]) func aNodeThatLetsNobodyInSaysSo(policy: String) {
        #expect(Case.judged { $0.node?.health?.invitations = policy } == ["notes policyHere"])
    }

    @Test func clocks() {
        func told(_ seconds: Int, by peers: Int) -> [String] {
            var health = Case.health
            (health.clockAhead, health.clockPeers) = (.seconds(seconds), peers)
            var facts = Case.quiet
            facts.node?.health = health
            return Case.codes(facts)
        }
        #expect(told(119, by: 3).isEmpty)
        #expect(told(-2_580, by: 3) == ["hinders clockSkew"])
        // Of two nobody knows whose is off.
        #expect(told(2_580, by: 1) == ["notes clockSkew"])
        #expect(Case.judged { $0.node?.health?.isClockWrong = true } == ["hinders clockWrong"])
    }

    // MARK: - By what came of connecting

    @Test func whatAnswersTellsAFirewallFromIsolation() {
        #expect(Case.codes(Case.met(.silent)) == ["hinders firewall"])
        #expect(Case.codes(Case.met(.silent, isNeighbour: false)) == ["hinders isolated"])
        #expect(Case.codes(Case.met(.noWay("No route to host"), isNeighbour: false)) == ["hinders isolated"])
        // The machine is there, and says that it may not be.
        #expect(Case.codes(Case.met(.noWay("No route to host"))) == ["hinders firewall"])
        #expect(Case.codes(Case.met(.noWay("Network is unreachable"), isNeighbour: nil)) == ["hinders noWay"])
        var facts = Case.met(.silent)
        facts.reaches = [Reach(address: Case.address("nohost.invalid"), outcome: .unknownName)]
        let nameless = Diagnosis(facts).findings
        #expect(nameless.map(\.code) == [.unknownName])
        #expect(nameless[0].text == "cannot find the address of nohost.invalid")
        #expect(nameless[0].remedy?.contains("in numbers") == true)
        #expect(Case.codes(Case.met(.closed)) == ["hinders closedPort"])
        #expect(Case.codes(Case.met(.forbidden("Operation not permitted"))) == ["hinders forbiddenHere"])
    }

    @Test func oneAddressThatAnswersWillDo() {
        var facts = Case.met(.silent)
        facts.sightings[1].addresses.append(Case.address("fd00::8"))
        facts.reaches.append(Reach(address: Case.address("fd00::8"), outcome: .open, isNeighbour: true))
        #expect(Case.codes(facts) == ["notes notLinked"])
    }

    @Test func anAddressThatWasGivenCounts() {
        let given = Case.address("192.168.1.20")
        var facts = Case.quiet
        facts.wish.given = [given]
        facts.reaches = [Reach(address: given, outcome: .open, isNeighbour: true)]
        #expect(Diagnosis(facts).verdict == .well)
        facts.reaches = [Reach(address: given, outcome: .noWay("No route to host"), isNeighbour: false)]
        #expect(Case.codes(facts) == ["hinders isolated"])
        #expect(Diagnosis(facts).summary.contains("192.168.1.20:40000"))
    }

    @Test(arguments: [Reach.Outcome.closed, .unknownName])
    func whatIsAskedAboutCountsThoughOthersAreLinked(outcome: Reach.Outcome) {
        var facts = Case.met
        facts.node?.peers = [Case.linked]
        let given = Case.address("192.168.1.20")
        facts.wish.given = [given]
        facts.reaches.append(Reach(address: given, outcome: outcome, isNeighbour: true))
        #expect(Diagnosis(facts).verdict == .well)
        facts.wish.isAskingOfGiven = true
        #expect(Diagnosis(facts).verdict == .hindered)
    }

    @Test func namesOfStrangersAreMadeSafe() {
        var facts = Case.met(.silent)
        facts.sightings[1].name = "bob\u{1B}[31m"
        let told = Diagnosis(facts).findings.map(\.text).joined() + Diagnosis(facts).checks.map(\.text).joined()
        #expect(!told.contains("\u{1B}"))
    }
}
