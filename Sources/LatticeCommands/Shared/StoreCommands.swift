import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCore

struct StoreCommand: AsyncParsableCommand, Manualled {
    static let manual = CommandManual(
        "store stats|keep|rebuild|check|vacuum", "Show, limit, check and repair what is stored.",
        examples: ["store stats", "store keep --days 30", "store check"])
    static let configuration = manual.configuration(
        subcommands: [
            StoreStatsCommand.self, StoreKeepCommand.self, StoreRebuildCommand.self, StoreCheckCommand.self,
            StoreVacuumCommand.self,
        ], default: StoreStatsCommand.self)
}

struct StoreStatsCommand: SharedCommand {
    static let manual = CommandManual("store stats", "Show how much is stored, by kind.", examples: ["store stats"])

    @OptionGroup var options: ReadingOptions

    var onlyShows: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let stats = try await node.perform(ShowStoreStats())
        return CommandOutput(StoreLines.stats(stats, context), objects: [PostJSON.object(stats)])
    }
}

struct StoreRebuildCommand: SharedCommand {
    static let manual = CommandManual(
        "store rebuild", "Rebuild everything from the signed records.",
        discussion: """
            From a damaged store it saves every record with a valid signature. Exits with code 1 if nothing could be saved.
            """, examples: ["store rebuild"])

    @OptionGroup var options: ReadingOptions

    var needsFiles: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let rebuilt = try await node.perform(RebuildStore())
        let object = JSONLine([
            ("event", .text("rebuilt")), ("records", .integer(rebuilt.records)), ("lost", .integer(rebuilt.lost)),
            ("complete", .flag(rebuilt.isComplete)), ("damaged", rebuilt.damagedPath.map { .text($0) } ?? .null),
        ])
        var output = CommandOutput(
            ["rebuilt from \(rebuilt.records) records"], remarks: Self.remarks(rebuilt), objects: [object])
        if rebuilt.isInVain {
            output.failure = CommandFailure(
                code: "damaged", "nothing could be saved from the damaged file; the store is empty now")
        }
        return output
    }

    /// What happened to the damaged file and to the records that were not saved.
    private static func remarks(_ rebuilt: StoreRebuild) -> [String] {
        var remarks: [String] = []
        switch (rebuilt.lost, rebuilt.isLossKnown) {
        case (0, true): break
        case (let lost, true): remarks.append("\(lost) records could not be saved")
        case (0, false): remarks.append("the damaged file does not show whether there were more")
        case (let lost, false): remarks.append("\(lost) records or more could not be saved")
        }
        if let path = rebuilt.damagedPath { remarks.append("the damaged file is kept as \(DisplayText.safe(path))") }
        return remarks
    }
}

struct StoreCheckCommand: SharedCommand {
    static let manual = CommandManual(
        "store check", "Read all stored records and report problems.",
        discussion: "Exits with code 1 if there are any.", examples: ["store check"])

    @OptionGroup var options: ReadingOptions

    var needsFiles: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let check = try await node.perform(CheckStore())
        let object = JSONLine([
            ("event", .text("check")), ("records", .integer(check.records)),
            ("faults", .list(check.faults.map { .text($0) })),
        ])
        let read =
            "\(check.records) \(check.records == 1 ? "record" : "records") read"
            + (check.faults.isEmpty ? ", all is well" : "")
        var output = CommandOutput(check.faults + [read], objects: [object])
        if !check.faults.isEmpty {
            output.failure = CommandFailure(
                code: "damaged", "the store is damaged; '\(context.call("store rebuild"))' saves what can be saved")
        }
        return output
    }
}

struct StoreVacuumCommand: SharedCommand {
    static let manual = CommandManual(
        "store vacuum", "Return unused space to the disk.", examples: ["store vacuum"])

    @OptionGroup var options: ReadingOptions

    var needsFiles: Bool { true }

    func perform(on node: any MeshNode, context: CommandContext) async throws -> CommandOutput {
        let size = try await node.perform(VacuumStore())
        let object = JSONLine([
            ("event", .text("vacuumed")), ("before", .integer(size.before)), ("after", .integer(size.after)),
        ])
        return CommandOutput(
            ["\(StoreLines.bytes(size.before)) before, \(StoreLines.bytes(size.after)) now"], objects: [object])
    }
}
