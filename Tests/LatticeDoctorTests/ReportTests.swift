import LatticeAPI
import Testing

@testable import LatticeDoctor

/// What a person reads.
@Suite struct ReportTests {
    @Test func theVerdictComesFirstThenWhatToDo() {
        var facts = Case.quiet
        facts.interfaces[1].isUp = false
        facts.echoes = []
        facts.othersHeard = 0
        #expect(
            DoctorReport(Diagnosis(facts)).lines == [
                "this machine is not on a network: wlan0 is down",
                "  → turn on Wi-Fi or plug in the cable; lattice continues on its own",
                "checked:",
                "  ✓ your data: /home/anna/.local/share/lattice/anna, 50000 MB free",
                "  ✗ network: none usable for discovery",
                "  ✓ mDNS: no service on this machine; lattice brings its own",
                "  ✗ peers: nobody in sight",
                "  · your node: anna in lattice, port 40000, 0 links",
                "workaround: run 'lattice invite' and send them the link; they run: lattice join LINK",
            ])
    }

    @Test func whoIsWellNeedsNoWayRound() {
        var facts = Case.met
        facts.node?.peers = [Case.linked]
        let lines = DoctorReport(Diagnosis(facts)).lines
        #expect(lines.first == "all is well: you are linked with carol")
        #expect(!lines.contains { $0.contains("invite") })
        #expect(lines.contains("  ✓ peers from your mesh in sight: bob"))
    }

    @Test func whoIsLinkedInSpiteOfAProblemIsNotToldThatAllIsWell() {
        var facts = Case.quiet
        facts.interfaces[1].isUp = false
        facts.node?.peers = [Case.linked]
        let lines = DoctorReport(Diagnosis(facts)).lines
        #expect(lines.first == "you are linked with carol; the problem below does not stop that")
        #expect(lines.contains("  ✗ network: none usable for discovery"))
        #expect(lines.contains("  · peers: nobody in sight; you are linked with carol"))
    }

    @Test func aTerminalWithoutUTF8IsGivenASCII() {
        let lines = DoctorReport(Diagnosis(Case.met(.silent)), isUTF8: false).lines
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(lines.contains { $0.hasPrefix("  -> ") })
    }

    @Test func inAChatCommandsAreCalledAsThere() {
        var facts = Case.quiet
        facts.node?.health?.dialFailures = [Case.miss(.blockedHere)]
        #expect(DoctorReport(Diagnosis(facts), isChat: true).lines[1] == "  → /unblock NAME")
        #expect(DoctorReport(Diagnosis(facts)).lines[1] == "  → lattice unblock NAME")
    }

    @Test func everyFindingIsASentenceWithoutAFullStop() {
        for code in Finding.Code.allCases {
            #expect(code.rank < Finding.Code.allCases.count)
        }
        for facts in [Case.met(.silent), Case.met(.closed), Case.quiet] {
            for finding in Diagnosis(facts).findings {
                #expect(!finding.text.hasSuffix(".") && finding.remedy?.hasSuffix(".") != true)
            }
        }
    }
}
