package import NIOCore

/// Runs an actor on the thread of an event loop: what reads a connection, decides and writes then goes on without a change of
/// threads, each of which costs as much as a round trip over loopback.
///
/// Whatever blocks here, or reckons for long, holds up every connection of the loop.
package final class LoopExecutor: SerialExecutor {
    package var eventLoop: any EventLoop { turn.eventLoop }
    private let turn: LoopTurn

    package init(_ turn: LoopTurn) {
        self.turn = turn
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        turn.run(UnownedJob(job), on: asUnownedSerialExecutor())
    }

    /// By a timer of the loop itself: one of another thread would wake that, and this one after it. It stands still while the machine
    /// sleeps.
    ///
    /// - Throws: when the task is cancelled.
    nonisolated(nonsending) package func sleep(for duration: Duration) async throws {
        let timer = eventLoop.scheduleTask(in: TimeAmount(duration)) {}
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                timer.futureResult.whenComplete { _ in continuation.resume() }
            }
        } onCancel: {
            timer.cancel()
        }
        try Task.checkCancellation()
    }

    package func checkIsolated() {
        eventLoop.preconditionInEventLoop()
    }
}

/// Runs tasks on the thread of an event loop, as `LoopExecutor` runs an actor there.
///
/// A type of its own: a task that ran as an actor does would be scheduled anew with each function it calls.
package final class LoopTaskExecutor: TaskExecutor {
    private let turn: LoopTurn

    package init(_ turn: LoopTurn) {
        self.turn = turn
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        turn.run(UnownedJob(job), on: asUnownedTaskExecutor())
    }
}
