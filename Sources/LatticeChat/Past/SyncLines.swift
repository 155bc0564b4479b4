package import LatticeAPI
import LatticeCore

/// The reply to `sync status`: progress, what is stored, and how much came from whom.
package enum SyncLines {
    package static func output(_ status: SyncStatus, _ context: CommandContext) -> CommandOutput {
        CommandOutput(lines(status, context), objects: [object(status)])
    }

    private static func lines(_ status: SyncStatus, _ context: CommandContext) -> [String] {
        var lines = [summary(status, context), ""]
        let groups = status.groups.map { group in
            [DisplayText.safe(group.name), "\(group.records)", group.since.map(context.calendar.text) ?? "all"]
        }
        lines += TextTable.lines([["KEPT", "RECORDS", "SINCE"]] + groups, context)
        guard !status.peers.isEmpty else { return lines + ["", "Not synced with anybody yet."] }
        let names = NamesInList(status.peers.map { ($0.name, $0.id) })
        let peers = status.peers.map { peer in
            [
                names.shown(peer.name, peer.id), status.progress == nil ? "-" : peer.isConnected ? "connected" : "away",
                peer.comparedAt.map(context.calendar.text) ?? "never", "\(peer.gained)", "\(peer.given)",
            ]
        }
        return lines + [""] + TextTable.lines([["PEER", "STATE", "LAST SYNC", "RECEIVED", "SENT"]] + peers, context)
    }

    private static func summary(_ status: SyncStatus, _ context: CommandContext) -> String {
        if let progress = status.progress {
            if progress.isCaughtUp { return "caught up" }
            if progress.total > 0 { return SyncPhrases.unfinished(progress) }
        }
        return status.caughtUpAt.map { "last caught up \(context.calendar.text($0))" } ?? "never caught up"
    }

    private static func object(_ status: SyncStatus) -> JSONLine {
        let groups = status.groups.map { group in
            JSONLine.Value.object(
                JSONLine([
                    ("name", .text(group.name)), ("records", .integer(group.records)), ("since", date(group.since)),
                ]))
        }
        let peers = status.peers.map { peer in
            JSONLine.Value.object(
                JSONLine([
                    ("id", .text(peer.id.hex)), ("name", .text(peer.name)), ("connected", .flag(peer.isConnected)),
                    ("compared_at", date(peer.comparedAt)), ("gained", .integer(peer.gained)),
                    ("given", .integer(peer.given)),
                ]))
        }
        return JSONLine([
            ("event", .text("sync_status")), ("caught_up", status.progress.map { .flag($0.isCaughtUp) } ?? .null),
            ("fetched", .integer(status.progress?.fetched)), ("total", .integer(status.progress?.total)),
            ("caught_up_at", date(status.caughtUpAt)), ("groups", .list(groups)), ("peers", .list(peers)),
        ])
    }

    private static func date(_ time: WallTime?) -> JSONLine.Value {
        time.map { .text(RFC3339.string($0)) } ?? .null
    }
}

extension SyncProgress {
    /// The JSON object of progress, while reconciling and at its end.
    package var object: JSONLine {
        JSONLine([
            ("event", .text("sync")), ("caught_up", .flag(isCaughtUp)), ("fetched", .integer(fetched)),
            ("total", .integer(total)), ("peer_count", .integer(peers)),
        ])
    }
}
