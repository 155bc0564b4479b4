import LatticeAPI
import LatticeChat
import Testing

@testable import LatticeCommands

/// What is said of a store that was made anew.
@Suite struct RebuildAnswerTests {
    private func output(_ rebuilt: StoreRebuild) async -> CommandOutput {
        await SlashCommands().run("store", "rebuild", on: CommandNode { _ throws(RequestError) in rebuilt })
    }

    @Test func ofASoundStoreThereIsNothingToRemark() async {
        let output = await output(StoreRebuild(records: 52))
        #expect(output.lines == ["rebuilt from 52 records"] && output.remarks == [] && output.exitCode == 0)
    }

    @Test func whatIsLostIsSaid() async {
        let some = await output(StoreRebuild(records: 50, damagedPath: "/d", lost: 2))
        #expect(some.remarks == ["2 records could not be saved", "the damaged file is kept as /d"])
        let atLeast = await output(StoreRebuild(records: 50, damagedPath: "/d", lost: 2, isLossKnown: false))
        #expect(atLeast.remarks.first == "2 records or more could not be saved")
        let unknown = await output(StoreRebuild(records: 50, damagedPath: "/d", isLossKnown: false))
        #expect(unknown.remarks.first == "the damaged file does not show whether there were more")
        #expect(some.exitCode == 0 && atLeast.exitCode == 0 && unknown.exitCode == 0)
    }

    @Test func whereNothingCouldBeSavedItFails() async {
        #expect(await output(StoreRebuild(records: 0, damagedPath: "/d", lost: 52)).exitCode == 1)
        #expect(await output(StoreRebuild(records: 0, damagedPath: "/d", isLossKnown: false)).exitCode == 1)
        #expect(await output(StoreRebuild(records: 0, damagedPath: "/d")).exitCode == 0)
    }
}
