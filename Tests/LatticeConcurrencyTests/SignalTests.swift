import LatticeConcurrency
import Testing

@Suite struct SignalTests {
    @Test func aRaiseBeforeTheWaitIsNotLost() async {
        let signal = Signal()
        signal.raise()
        await signal.wait()
    }

    @Test func raisesBetweenTwoWaitsAreOne() async {
        let signal = Signal()
        for _ in 0..<3 { signal.raise() }
        await signal.wait()
        let second = Task { await signal.wait() }
        second.cancel()
        await second.value
    }

    @Test func aWaiterIsResumedByEachRaise() async {
        let (signal, answer) = (Signal(), Signal())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 0..<1_000 {
                    await signal.wait()
                    answer.raise()
                }
            }
            group.addTask {
                for _ in 0..<1_000 {
                    signal.raise()
                    await answer.wait()
                }
            }
        }
    }

    @Test func cancellationEndsAWaitAndLosesNoRaise() async {
        let signal = Signal()
        for _ in 0..<200 {
            let waiting = Task { await signal.wait() }
            waiting.cancel()
            await waiting.value
        }
        signal.raise()
        await signal.wait()
    }

    @Test func aWaiterStaysOnItsActor() async {
        await Place().check()
    }

    @Test func aThreadRunsItsBody() async {
        let done = Signal()
        DedicatedThread.start { done.raise() }
        await done.wait()
    }
}

private actor Place {
    private let signal = Signal()

    func check() async {
        signal.raise()
        await signal.wait()
        preconditionIsolated()
    }
}
