package import LatticeAPI
import LatticeCore

package enum StoreLines {
    package static func stats(_ stats: StoreStats, _ context: CommandContext) -> [String] {
        var lines = [
            "\(DisplayText.safe(stats.path)): \(bytes(stats.fileBytes)) on disk",
            "\(ItemPhrases.counted(stats.records, "record")) by \(ItemPhrases.counted(stats.authors, "author")): "
                + "\(bytes(stats.bytes)) of \(bytes(stats.quotaBytes)), at most \(bytes(stats.authorQuotaBytes)) per author",
        ]
        lines += stats.kinds.map { kind in
            "  \(DisplayText.safe(kind.kind)): \(ItemPhrases.counted(kind.records, "record")), \(bytes(kind.bytes))"
        }
        if let oldest = stats.oldest, let newest = stats.newest {
            lines.append("oldest \(context.calendar.text(oldest)), newest \(context.calendar.text(newest))")
        }
        lines.append("not sent yet: \(stats.waiting)")
        lines.append("since the store was created: \(stats.expired) expired, \(stats.evicted) evicted")
        return lines.flatMap { line in
            let indent = line.prefix { $0 == " " }.count
            return ItemLines.wrapped(String(line.dropFirst(indent)), indent: indent, context)
        }
    }

    package static func imported(_ report: ImportReport) -> [String] {
        let parts = [
            "\(report.added) new", "\(report.known) already here", "\(report.outdated) outdated",
            "\(report.refused) refused",
        ]
        return [parts.joined(separator: ", ")]
    }

    /// How many records of a bundle were refused, and why.
    package static func refused(_ count: Int) -> String {
        "\(ItemPhrases.counted(count, "record")) refused: not a record, or signed with another key"
    }

    /// `1.6 KiB`, `128 MiB`, in powers of 1,024; whole bytes below that.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1_024 else { return ItemPhrases.counted(count, "byte") }
        var (unit, name) = (1_024, "KiB")
        for next in ["MiB", "GiB"] where count >= unit * 1_024 { (unit, name) = (unit * 1_024, next) }
        let tenths = count % unit * 10 / unit
        return "\(count / unit)\(tenths == 0 ? "" : ".\(tenths)") \(name)"
    }
}
