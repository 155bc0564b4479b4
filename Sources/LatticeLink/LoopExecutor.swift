package import NIOCore

/// Runs an actor on the thread of an event loop: reading a connection, deciding and writing then need no change of
/// threads, each of which costs as much as a round trip over loopback.
///
/// Blocking or long computation here delays every connection of the loop.
package final class LoopExecutor: SerialExecutor {
    package var eventLoop: any EventLoop { turn.eventLoop }
    private let turn: LoopTurn

    package init(_ turn: LoopTurn) {
        self.turn = turn
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        turn.run(UnownedJob(job), on: asUnownedSerialExecutor())
    }

    /// Sleeps with a timer of the loop itself: another thread's timer would wake that thread first. The timer stops
    /// while the machine sleeps.
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

/// Runs tasks on the thread of an event loop, as `LoopExecutor` does for an actor.
///
/// A separate type: a task on a serial executor would be rescheduled at each function call.
package final class LoopTaskExecutor: TaskExecutor {
    private let turn: LoopTurn

    package init(_ turn: LoopTurn) {
        self.turn = turn
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        turn.run(UnownedJob(job), on: asUnownedTaskExecutor())
    }
}
