import ArgumentParser
import Testing

@testable import LatticeGuide
@testable import LatticeHost
@testable import lattice

/// The manual pages, by their form.
@Suite struct ManualTests {
    private static func pages() throws -> [ManualPage] { try ManualCommand.pages() }

    @Test func everyCommandAndEveryArticleHasAPage() throws {
        let pages = try Self.pages()
        let names = pages.filter { $0.section == 1 }.map(\.name)
        let commands = Lattice.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        #expect(names == ["lattice"] + commands.compactMap { $0.configuration.commandName }.map { "lattice-\($0)" })
        #expect(pages.filter { $0.section == 7 }.map(\.name) == Guide.topics.map { "lattice-\($0)" })
        #expect(Set(pages.map(\.fileName)).count == pages.count)
        #expect(names.contains("lattice-run") && !names.contains("lattice-manual"))
    }

    /// Requests of man(7) and no others, and no line that is taken for one by accident.
    @Test func everyLineIsTextOrARequestOfManPages() throws {
        let requests: Set<String> = [
            ".TH", ".SH", ".SS", ".TP", ".IP", ".PP", ".RS", ".RE", ".nf", ".fi", ".nh", ".\\\"",
        ]
        for page in try Self.pages() {
            #expect(page.lines[1].hasPrefix(".TH \"LATTICE"))
            let book = page.section == 1 ? "User Commands" : "Guide"
            #expect(page.lines[1].hasSuffix(" \"\(ProgramVersion.program)\" \"\(book)\""))
            // What follows a second line would stand in the page as text.
            #expect(!page.lines[1].contains("\n"))
            #expect(page.lines.contains(".SH NAME"))
            #expect(page.lines.contains(page.section == 1 ? ".SH SYNOPSIS" : ".SH DESCRIPTION"))
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
        #expect(run.text.contains("\\fB\\-\\-room\\fR"))
        let store = try #require(pages.first { $0.name == "lattice-store" })
        #expect(store.lines.contains(".SH STORE KEEP"))
        let whole = try #require(pages.first)
        #expect(whole.text.contains("\\fB\\-\\-data\\-dir\\fR \\fIdir\\fR\n"))
        #expect(whole.lines.contains(".SS Background node"))
        #expect(whole.text.contains("\\fBlattice\\-getting\\-started\\fR(7)"))
        #expect(whole.text.contains("LATTICE_DATA_DIR") && whole.text.contains("\\fBlattice\\-chat\\fR(1)"))
    }
}
