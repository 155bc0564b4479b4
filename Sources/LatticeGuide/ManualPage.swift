import LatticeSettings

/// A manual page, made from the program's help or from an article of the guide.
package struct ManualPage: Equatable {
    /// Without the section: `lattice-post`.
    let name: String
    /// 1 for commands, 7 for articles.
    let section: Int
    let lines: [String]

    package var fileName: String { "\(name).\(section)" }
    package var text: String { lines.map { "\($0)\n" }.joined() }

    /// A page of the whole program, one of each command, and one of each article.
    ///
    /// - Parameters:
    ///   - common: the options that most commands take, which stand in the page of the program only.
    ///   - version: of the program, its name included; it stands below each page.
    ///   - articles: of the guide.
    ///   - groups: the commands by the groups of 'lattice help all'.
    ///   - commonTitle: of the section in which a command lists the options that most commands take.
    ///   - usage: how a command is called, by its words.
    package static func all(
        _ program: CommandTree, common: CommandTree, version: String, articles: [GuideArticle],
        groups: [(name: String, commands: [String])], commonTitle: String, usage: @escaping ([String]) -> String
    ) -> [ManualPage] {
        let maker = Maker(
            program: program, common: common, version: version, articles: articles, groups: groups,
            commonTitle: commonTitle, usage: usage)
        return [maker.whole()] + program.parts.map(maker.page) + articles.map(maker.page)
    }

    /// The name of an article's page: `lattice-chat` in section 7.
    static func name(of article: GuideArticle) -> String { "lattice-\(article.topic)" }

    private struct Maker {
        let program: CommandTree
        let common: CommandTree
        let version: String
        let articles: [GuideArticle]
        let groups: [(name: String, commands: [String])]
        let commonTitle: String
        let usage: ([String]) -> String

        func whole() -> ManualPage {
            let name = program.commandName
            var lines = head(name, program.abstract)
            lines += [Roff.section("SYNOPSIS"), "\(Roff.bold(name)) \(Roff.italic("command")) …"]
            lines += [Roff.section("DESCRIPTION")] + Roff.paragraphs(program.discussion ?? "")
            lines += commands() + guide() + options(of: program) + commonOptions()
            lines += settings() + files() + seeAlso(program.parts.map { ("\(name)-\($0.commandName)", 1) })
            return ManualPage(name: name, section: 1, lines: lines)
        }

        /// In the groups of 'lattice help all'.
        private func commands() -> [String] {
            var lines = [Roff.section("COMMANDS")]
            let meanings = Dictionary(program.parts.map { ($0.commandName, $0.abstract ?? "") }) { first, _ in first }
            for group in groups {
                lines.append(Roff.subsection(group.name))
                for word in group.commands {
                    guard let meaning = meanings[word] else { continue }
                    lines += Roff.item(Roff.bold("\(program.commandName)-\(word)") + "(1)", meaning)
                }
            }
            return lines
        }

        private func guide() -> [String] {
            let name = program.commandName
            return [
                Roff.section("GUIDE"),
                Roff.escaped("Each article is a manual page; '\(name) help TOPIC' prints the same text."),
            ]
                + articles.flatMap { Roff.item(Roff.bold(ManualPage.name(of: $0)) + "(7)", $0.title) }
        }

        func page(of article: GuideArticle) -> ManualPage {
            let name = ManualPage.name(of: article)
            var lines = head(name, article.title, section: 7)
            lines += [Roff.section("DESCRIPTION")] + RoffArticle.lines(article)
            return ManualPage(name: name, section: 7, lines: lines + seeAlso([(program.commandName, 1)]))
        }

        func page(of command: CommandTree) -> ManualPage {
            let name = "\(program.commandName)-\(command.commandName)"
            var lines = head(name, command.abstract)
            lines += [Roff.section("SYNOPSIS")] + call([command.commandName])
            if let discussion = command.discussion, !discussion.isEmpty {
                lines += [Roff.section("DESCRIPTION")] + Roff.paragraphs(discussion)
            }
            lines += options(of: command)
            for part in command.parts {
                lines += [Roff.section("\(command.commandName) \(part.commandName)".uppercased())]
                lines += call([command.commandName, part.commandName]) + [".PP", Roff.escaped(part.abstract ?? "")]
                if let discussion = part.discussion, !discussion.isEmpty {
                    lines += [".PP"] + Roff.paragraphs(discussion)
                }
                lines += items(own(part)) + hint(part)
            }
            let article = articles.filter { $0.topic == command.commandName }.map { (ManualPage.name(of: $0), 7) }
            return ManualPage(
                name: name, section: 1, lines: lines + seeAlso([(program.commandName, 1)] + article))
        }

        private func head(_ name: String, _ abstract: String?, section: Int = 1) -> [String] {
            let book = section == 1 ? "User Commands" : "Guide"
            return [
                ".\\\" Made by 'lattice manual'.",
                ".TH \"\(Roff.escaped(name.uppercased()))\" \(section) \"\" \"\(version)\" \"\(book)\"",
                ".nh", Roff.section("NAME"), "\(Roff.escaped(name)) \\- \(Roff.escaped(Self.sentence(abstract ?? "")))",
            ]
        }

        /// Without the full stop, as whatis(1) expects.
        private static func sentence(_ abstract: String) -> String {
            abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
        }

        private func call(_ words: [String]) -> [String] {
            [".nf"] + usage(words).split(separator: "\n").map { Roff.escaped($0) } + [".fi"]
        }

        private func options(of command: CommandTree) -> [String] {
            let own = own(command)
            return own.isEmpty ? [] : [Roff.section("OPTIONS")] + items(own) + hint(command)
        }

        private func own(_ command: CommandTree) -> [CommandTree.Argument] {
            (command.arguments ?? []).filter { $0.shouldDisplay && $0.sectionTitle != commonTitle }
        }

        private func hint(_ command: CommandTree) -> [String] {
            let hasCommon = (command.arguments ?? []).contains { $0.sectionTitle == commonTitle }
            return hasCommon
                ? [".PP", Roff.escaped("Common options (name, data folder, network): see lattice(1).")] : []
        }

        private func commonOptions() -> [String] {
            let own = Set(["--help", "--version"])
            let arguments = (common.arguments ?? []).filter { argument in
                !(argument.names ?? []).contains { own.contains($0.text) }
            }
            return [Roff.section("COMMON OPTIONS")] + items(arguments)
        }

        private func items(_ arguments: [CommandTree.Argument]) -> [String] {
            arguments.filter(\.shouldDisplay).flatMap { Roff.item(term($0), meaning($0)) }
        }

        private func term(_ argument: CommandTree.Argument) -> String {
            let value = argument.valueName ?? ""
            guard argument.kind != "positional" else {
                return Roff.italic(value) + (argument.isRepeating ? " …" : "")
            }
            let names = (argument.names ?? []).map { Roff.bold($0.text) }.joined(separator: ", ")
            return argument.kind == "flag" ? names : "\(names) \(Roff.italic(value))"
        }

        private func meaning(_ argument: CommandTree.Argument) -> String {
            let abstract = argument.abstract ?? ""
            guard let value = argument.defaultValue, !value.isEmpty, argument.kind != "flag" else { return abstract }
            return "\(abstract) (default: \(value))"
        }

        private func settings() -> [String] {
            var lines = [
                Roff.section("SETTINGS"),
                Roff.escaped(
                    "Set each in the settings file, in the environment or by an option; see lattice-settings(7)."
                ),
            ]
            for key in SettingKey.allCases {
                let option = key.option.map { ", option \($0)" } ?? ""
                let fallback = key.fallback.map { "; default: \($0)" } ?? ""
                lines += Roff.item(
                    Roff.bold(key.rawValue), "\(key.form.words); environment \(key.variable)\(option)\(fallback)")
            }
            return lines
        }

        private func files() -> [String] {
            let files = [
                ("$XDG_CONFIG_HOME/lattice/config.json", "Settings. Without the variable: ~/.config."),
                (SettingsFile.systemPath, "Settings of the machine, read if you have none."),
                ("$XDG_DATA_HOME/lattice/NAME/", "Identity and store of NAME. Without the variable: ~/.local/share."),
                ("$XDG_RUNTIME_DIR/lattice/", "The control socket of a running node."),
            ]
            return [Roff.section("FILES")] + files.flatMap { Roff.item(Roff.italic($0.0), $0.1) }
        }

        private func seeAlso(_ pages: [(name: String, section: Int)]) -> [String] {
            let names = pages.map { "\(Roff.bold($0.name))(\($0.section))" }
            return [Roff.section("SEE ALSO"), names.joined(separator: ",\n")]
        }
    }
}
