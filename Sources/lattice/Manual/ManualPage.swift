import LatticeCore

/// One manual page, made from what the program itself says in its help.
struct ManualPage: Equatable {
    /// Without section: `lattice-post`.
    let name: String
    let lines: [String]

    var fileName: String { "\(name).1" }
    var text: String { lines.map { "\($0)\n" }.joined() }

    /// A page of the whole program, and one of each command.
    ///
    /// - Parameters:
    ///   - version: of the program, its name included; it stands below each page.
    ///   - usage: of the command that these words call.
    static func all(
        _ program: CommandTree, version: String, usage: @escaping ([String]) -> String
    ) -> [ManualPage] {
        let maker = Maker(program: program, version: version, usage: usage)
        return [maker.whole()] + program.parts.map(maker.page)
    }

    private struct Maker {
        let program: CommandTree
        let version: String
        let usage: ([String]) -> String

        func whole() -> ManualPage {
            let name = program.commandName
            var lines = head(name, program.abstract)
            lines += [Roff.section("SYNOPSIS"), "\(Roff.bold(name)) \(Roff.italic("command")) …"]
            lines += [Roff.section("DESCRIPTION")] + Roff.paragraphs(program.discussion ?? "")
            lines.append(Roff.section("COMMANDS"))
            for part in program.parts {
                lines += Roff.item(Roff.bold("\(name)-\(part.commandName)") + "(1)", part.abstract ?? "")
            }
            lines += options(of: program)
            lines += settings() + files() + seeAlso(program.parts.map { "\(name)-\($0.commandName)" })
            return ManualPage(name: name, lines: lines)
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
                lines += items(part.arguments ?? [])
            }
            return ManualPage(name: name, lines: lines + seeAlso([program.commandName]))
        }

        private func head(_ name: String, _ abstract: String?) -> [String] {
            [
                ".\\\" Made by 'lattice manual' from the help of the program.",
                ".TH \"\(Roff.escaped(name.uppercased()))\" 1 \"\" \"\(version)\" \"User Commands\"",
                ".nh", Roff.section("NAME"), "\(Roff.escaped(name)) \\- \(Roff.escaped(Self.sentence(abstract ?? "")))",
            ]
        }

        /// Without its full stop, as whatis(1) lists it.
        private static func sentence(_ abstract: String) -> String {
            abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
        }

        private func call(_ words: [String]) -> [String] {
            [".nf"] + usage(words).split(separator: "\n").map { Roff.escaped($0) } + [".fi"]
        }

        private func options(of command: CommandTree) -> [String] {
            let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
            return arguments.isEmpty ? [] : [Roff.section("OPTIONS")] + items(arguments)
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
                    "Each can stand in the file of settings, in the environment, or behind an option; see lattice-config(1)."
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
                ("$XDG_CONFIG_HOME/lattice/config.json", "Settings; ~/.config where the variable is not set."),
                (SettingsFile.systemPath, "Settings of the machine, read where the person has none."),
                ("$XDG_DATA_HOME/lattice/NAME/", "Who somebody is and what they keep; ~/.local/share likewise."),
                ("$XDG_RUNTIME_DIR/lattice/", "The control socket of a node that runs."),
            ]
            return [Roff.section("FILES")] + files.flatMap { Roff.item(Roff.italic($0.0), $0.1) }
        }

        private func seeAlso(_ names: [String]) -> [String] {
            [Roff.section("SEE ALSO"), names.map { "\(Roff.bold($0))(1)" }.joined(separator: ",\n")]
        }
    }
}
