import LatticeCore

extension CommandOutput {
    /// The answer of a chat command as output of a shell command.
    package init(answer: ChatItem.Reply, _ context: CommandContext) {
        let columns = context.isTerminal ? context.columns : .max
        let lines =
            switch answer {
            case .peers(let peers, let shown): PeerTable.lines(peers, shown, columns: columns)
            case .stats(let stats): StatsLines.lines(stats, columns: columns)
            default: Phrases.reply(answer)
            }
        self.init(lines, objects: [JSONLine(answer.members)])
    }
}
