import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@testable import LatticeSimulator

/// Peers that exchange blobs: a few plans drawn from seeds, liars of every kind, and what the judges must find.
/// `tools/sweep blobs` tries hundreds.
@Suite struct SmallBlobWorldTests {
    private func faults(_ plan: BlobPlan, _ sabotage: BlobSabotage = .none) -> [Fault] {
        var plan = plan
        plan.sabotage = sabotage
        var trial = BlobTrial(plan)
        return trial.faults()
    }

    @Test(arguments: Array(1...16) as [UInt64])
    func everyJudgeIsContentWithPlansAboutBlobs(seed: UInt64) {
        #expect(faults(BlobPlan.random(seed: seed)) == [], "lattice-sim replay \(seed) --blobs --trace")
    }

    @Test func oneSeedIsOnePlanAndOneStory() {
        func story(_ seed: UInt64) -> [String] {
            let plan = BlobPlan.random(seed: seed)
            var lines = ["\(plan)"]
            var trial = BlobTrial(plan)
            lines += trial.faults { lines += $0 }.map(\.description)
            return lines
        }
        #expect(story(1) == story(1))
        #expect(story(1) != story(2))
    }

    // MARK: - Liars

    /// The first peer wants a blob that the second has; the others have none of it.
    private func plan(_ topology: Topology, size: Int64, within: Int64? = nil, end: Int64 = 120_000) -> BlobPlan {
        var plan = BlobPlan(topology, seed: 7, blobs: [BlobPlan.Blob(size: size)], end: end)
        plan.happens(at: 0, .keep(1, blob: 0))
        plan.happens(at: 10, .want(0, blob: 0, within: within))
        return plan
    }

    /// The honest one comes when the liars have been asked.
    private func besideLiars(_ lie: BlobLie, size: Int64 = 1_500_000, within: Int64) -> BlobPlan {
        var plan = plan(.full(4), size: size, within: within)
        plan.lies = [nil, nil, lie, lie]
        plan.happens(at: 0, .cut(0, 1))
        plan.happens(at: 3_000, .join(0, 1))
        plan.calmAt = 3_001
        return plan
    }

    @Test(arguments: BlobLie.allCases)
    func twoLiarsHoldUpAnHonestGiverForTenSecondsAtMost(lie: BlobLie) {
        #expect(faults(besideLiars(lie, within: 3_000 + 10_000)) == [])
    }

    @Test func theLastPiecesOfASlowGiverAreAskedOfAnotherOne() {
        var plan = plan(.full(3), size: 1_500_000, within: 6_000)
        plan.lies[2] = .drips
        #expect(faults(plan) == [])
        #expect(faults(plan, .noEndGame).map(\.judge).contains("in time"))
    }

    @Test func whoIsLateIsNotWaitedFor() {
        let plan = besideLiars(.silent, within: 13_000)
        #expect(faults(plan) == [])
        #expect(faults(plan, .forgetLate).map(\.judge).contains("in time"))
    }

    @Test func whoDeclinesIsNotBelieved() {
        let plan = besideLiars(.falseHolds, within: 4_500)
        #expect(faults(plan) == [])
        #expect(faults(plan, .believeHolds).map(\.judge).contains("in time"))
    }

    @Test func falsePiecesAreFound() {
        var plan = plan(.full(3), size: 1_500_000)
        plan.lies[2] = .wrongPieces
        #expect(faults(plan) == [])
        #expect(faults(plan, .skipVerify).map(\.judge).contains("no false piece"))
    }

    @Test func aFalseSizeBlamesNobody() {
        var plan = plan(.full(2), size: 20_000)
        plan.blobs.append(BlobPlan.Blob(size: 20_001, falseNameOf: 0))
        plan.happens(at: 20, .want(0, blob: 1))
        plan.happens(at: 100_000, .unwant(0, blob: 1))
        #expect(faults(plan) == [])
        #expect(faults(plan, .blameOnSize).map(\.judge).contains("honest givers are not shunned"))
    }

    // MARK: - Far away

    @Test func aBlobIsFoundOverThreeLinksAndNoFurther() {
        var near = BlobPlan(.line(4), seed: 7, blobs: [BlobPlan.Blob(size: 100_000)], end: 120_000)
        near.happens(at: 0, .keep(3, blob: 0), .want(0, blob: 0))
        #expect(faults(near) == [])
        #expect(faults(near, .noSecondRing).map(\.judge).contains("wanters complete"))
        var far = BlobPlan(.line(6), seed: 7, blobs: [BlobPlan.Blob(size: 100_000)], end: 60_000)
        far.happens(at: 0, .keep(5, blob: 0), .want(0, blob: 0))
        #expect(faults(far) == [])
        #expect(faults(far, .forwardAlways).map(\.judge).contains("three links at most"))
    }

    @Test func whatPassesByKeepsToItsQuota() {
        var plan = BlobPlan(
            .line(3), seed: 7, blobs: Array(repeating: BlobPlan.Blob(size: 1_500_000), count: 2), end: 120_000)
        plan.passingMax[1] = 2 << 20
        for blob in 0..<2 { plan.happens(at: 0, .keep(0, blob: blob), .want(2, blob: blob)) }
        #expect(faults(plan) == [])
        #expect(faults(plan, .countLate).map(\.judge).contains("quotas hold"))
    }

    // MARK: - Bytes

    @Test func eachPieceIsAskedOfOneSource() {
        var plan = plan(.full(4), size: 6_000_000)
        for rank in 2...3 { plan.happens(at: 0, .keep(rank, blob: 0)) }
        #expect(faults(plan) == [])
        #expect(!faults(plan, .askEverybody).isEmpty)
    }

    @Test func whatIsOverIsCancelled() {
        var plan = BlobPlan(
            .line(2), seed: 7, blobs: Array(repeating: BlobPlan.Blob(size: 1_000), count: 100), end: 60_000)
        for blob in plan.blobs.indices { plan.happens(at: 0, .keep(0, blob: blob), .want(1, blob: blob)) }
        #expect(faults(plan) == [])
        #expect(faults(plan, .noCancel).map(\.judge).contains("wanters complete"))
    }

    @Test func whatWasCancelledAndComesBlamesNobody() {
        var plan = plan(.full(2), size: 60_000_000)
        plan.bytesPerSecond = 20_000_000...20_000_000
        plan.delay = 100...100
        // Some hundred pieces are on their way then.
        plan.happens(at: 2_500, .unwant(0, blob: 0))
        #expect(faults(plan) == [])
        #expect(faults(plan, .blameAfterCancel).map(\.judge).contains("honest givers are not shunned"))
    }

    @Test func aRestartGoesOnWhereItWas() {
        var plan = plan(.full(2), size: 12_000_000)
        plan.happens(at: 2_000, .crash(0, isPowerCut: false))
        plan.happens(at: 2_500, .restart(0, keepsMap: true))
        #expect(faults(plan) == [])
        #expect(faults(plan, .noMap).map(\.judge).contains("bytes bounded"))
    }

    @Test func afterACrashNoFalsePieceCounts() {
        var plan = plan(.full(2), size: 6_000_000)
        plan.happens(at: 300, .fill(0))
        plan.happens(at: 700, .crash(0, isPowerCut: true))
        plan.happens(at: 800, .free(0))
        plan.happens(at: 900, .restart(0, keepsMap: true))
        #expect(faults(plan) == [])
        #expect(faults(plan, .bitBeforeBytes).map(\.judge).contains("no false piece"))
        #expect(faults(plan, .trustAfterPowerCut).map(\.judge).contains("no false piece"))
    }

    @Test func whatWasDeletedIsNotGiven() {
        var plan = BlobPlan(.full(2), seed: 7, blobs: [BlobPlan.Blob(size: 100_000)], end: 100_000)
        plan.happens(at: 0, .keep(1, blob: 0))
        plan.happens(at: 1_000, .delete(1, blob: 0))
        plan.happens(at: 70_000, .want(0, blob: 0))
        #expect(faults(plan) == [])
        #expect(faults(plan, .noTrigger).map(\.judge).contains("what was deleted is not given"))
    }

    // MARK: - Judges by hand

    @Test func whatIsTooMuchIsFound() throws {
        var judge = BlobJudge(peerCount: 3)
        let disk = BlobDisk(passingBytes: 1 << 20, .none)
        let (full, fuller) = (
            BlobFill(name: "a", count: 5, countMax: 5), BlobFill(name: "b", count: 6, countMax: 5)
        )
        judge.inspected([full], disk, 1, at: 5)
        #expect(judge.faults == [])
        judge.inspected([full, fuller], disk, 1, at: 5)
        #expect(judge.faults.map(\.text) == ["b: 6, at most 5"])

        let name = try #require(BlobName(root: Bytes32(words: (1, 2, 3, 4)), size: 5))
        judge = BlobJudge(peerCount: 3)
        judge.heard(name, hops: 2, at: 1, 0)
        for _ in 0..<8 { judge.forwarded(name, hops: 1, by: 1, linkCount: 1, at: 100) }
        #expect(judge.faults == [])
        judge.forwarded(name, hops: 1, by: 1, linkCount: 1, at: 200)
        #expect(judge.faults.map(\.judge) == ["seeks are bounded"])

        judge = BlobJudge(peerCount: 3)
        judge.cost(of: 2, at: 1, bytes: 4 << 20, 0)
        judge.cost(of: 2, at: 1, bytes: 4 << 20, 700_000)
        #expect(judge.faults == [])
        judge.cost(of: 2, at: 1, bytes: 1, 700_001)
        #expect(judge.faults.map(\.judge) == ["liars cost little"])

        judge = BlobJudge(peerCount: 3)
        judge.spins(2, at: 7)
        #expect(judge.faults.map(\.peer) == [2])
    }
}
