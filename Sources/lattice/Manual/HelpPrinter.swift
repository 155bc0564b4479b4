import Glibc
import LatticeChat
import LatticeGuide

/// Prints help, on a terminal with colours and through the pager in PAGER.
enum HelpPrinter {
    /// Ends the program if its arguments ask for help.
    static func answer(_ words: [String]) {
        guard let question = Help.question(in: words) else { return }
        let isTerminal = isatty(1) == 1
        let context = Surroundings.ofShell()
        let screen = HelpScreen(columns: context.columns, hasColor: context.hasColor)
        guard let lines = Help.lines(question, screen) else {
            guard case .unknown(let word) = question else { preconditionFailure("all other questions have an answer") }
            WrongUsage.end(Help.objection(to: word), helpCall: "lattice help all")
        }
        let text = lines.map { "\($0)\n" }.joined()
        let isLong = lines.count >= context.rows
        if isTerminal, isLong, let pager = Surroundings.variable("PAGER"), page(text, through: pager) { exit(0) }
        print(text, terminator: "")
        exit(0)
    }

    /// - Returns: whether the pager ran; a shell that does not find it exits with 127.
    // Safety: the text is lent to fwrite(3) for the length of the call, with its true size.
    private static func page(_ text: String, through pager: String) -> Bool {
        // As git does: less then shows colours, and leaves short text on the screen.
        setenv("LESS", "FRX", 0)
        guard let pipe = popen(pager, "w") else { return false }
        let bytes = Array(text.utf8)
        _ = fwrite(bytes, 1, bytes.count, pipe)
        return pclose(pipe) >> 8 != 127
    }
}
