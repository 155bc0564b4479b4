import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What is kept here is compared with what neighbours keep.
extension Node {
    /// A store that cannot be read is tried again so often: whoever mends it need not start anew.
    private static let loadDelay: Duration = .seconds(10)

    func compare(_ work: ComparisonWork) {
        comparisons.add(work, at: Clocks.now)
        compareInput.yield()
    }

    /// One step at a time: the catalogue does one thing at a time, too.
    func compareWhatIsAsked() async {
        guard let catalogue else { return }
        for await _ in compareSignals {
            while let next = comparisons.next() {
                switch next {
                case .refusal(let work): handle(.compared(ComparisonOutcome(work, .unready)))
                case .step(let work): compared(await catalogue.outcome(of: work))
                }
            }
        }
    }

    /// What waits to be written is needed no more.
    private func compared(_ outcome: ComparisonOutcome) {
        guard live[outcome.work.link] != nil else { return }
        guard case .step(let reply, let have, let need) = outcome.result, !keeping.isEmpty else {
            return handle(.compared(outcome))
        }
        let missing = need.filter { !keeping.contains($0) }
        handle(.compared(ComparisonOutcome(outcome.work, .step(reply: reply, have: have, need: missing))))
    }

    /// Reads the store in the background, and follows what is written to it from then on.
    func followStore() async {
        guard let catalogue, let wall else { return }
        while await !catalogue.isLoaded {
            do {
                try await catalogue.load()
            } catch {
                if Task.isCancelled { return }
                tellOnce(error)
                do {
                    try await Task.sleep(for: Self.loadDelay)
                } catch {
                    return  // Cancelled: the node ends.
                }
            }
        }
        // Before that, whoever asks would only be told to come back later.
        await tellKeeping(of: wall)
        for await _ in followSignals {
            do {
                let gone = try await catalogue.follow()
                if !gone.forGood.isEmpty { handle(.dropped(gone.forGood)) }
                if gone.mayReturn { handle(.syncWanted) }
            } catch {
                if Task.isCancelled { return }
                tellOnce(error)
            }
        }
    }
}
