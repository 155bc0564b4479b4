import ArgumentParser
import Testing

@testable import lattice

/// The manual pages, by their form.
@Suite struct ManualTests {
    private static func pages() throws -> [ManualPage] {
        ManualPage.all(try CommandTree.ofProgram(), version: ProgramVersion.program, usage: ManualCommand.usage)
    }

    @Test func everyCommandHasAPage() throws {
        let names = try Self.pages().map(\.name)
        let commands = Lattice.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        #expect(names == ["lattice"] + commands.compactMap { $0.configuration.commandName }.map { "lattice-\($0)" })
        #expect(names.contains("lattice-run") && !names.contains("lattice-manual"))
    }

    /// Requests of man(7) and no others, and no line that is taken for one by accident.
    @Test func everyLineIsTextOrARequestOfManPages() throws {
        let requests: Set<String> = [".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".nf", ".fi", ".nh", ".\\\""]
        for page in try Self.pages() {
            #expect(page.lines[1].hasPrefix(".TH \"LATTICE"))
            #expect(page.lines[1].hasSuffix(" \"\(ProgramVersion.program)\" \"User Commands\""))
            // What follows a second line would stand in the page as text.
            #expect(!page.lines[1].contains("\n"))
            #expect(page.lines.contains(".SH NAME") && page.lines.contains(".SH SYNOPSIS"))
            for line in page.lines.flatMap({ $0.split(separator: "\n") }) where line.hasPrefix(".") {
                #expect(requests.contains(String(line.prefix { $0 != " " })), "\(page.name): \(line)")
            }
            let (opened, closed) = (page.lines.filter { $0 == ".nf" }.count, page.lines.filter { $0 == ".fi" }.count)
            #expect(opened == closed, "\(page.name)")
        }
    }

    @Test func aPageSaysWhatTheHelpSays() throws {
        let pages = try Self.pages()
        let run = try #require(pages.first { $0.name == "lattice-run" })
        #expect(run.text.contains("\\fB\\-\\-data\\-dir\\fR \\fIdir\\fR\n"))
        let store = try #require(pages.first { $0.name == "lattice-store" })
        #expect(store.lines.contains(".SH STORE KEEP"))
        let whole = try #require(pages.first)
        #expect(whole.text.contains("LATTICE_DATA_DIR") && whole.text.contains("\\fBlattice\\-chat\\fR(1)"))
    }

    @Test func textIsNeverTakenForARequest() {
        #expect(Roff.escaped(".SH x") == "\\&.SH x")
        #expect(Roff.escaped("'x") == "\\&'x")
        #expect(Roff.escaped("a\\fB-b") == "a\\efB\\-b")
        #expect(
            Roff.paragraphs("One.\n\n  a\n  b\n\nTwo.") == [
                "One.", ".PP", ".RS 4", ".nf", "a", "b", ".fi", ".RE", ".PP", "Two.",
            ])
    }
}
