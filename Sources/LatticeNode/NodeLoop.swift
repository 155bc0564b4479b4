import LatticeLink
import NIOCore
import NIOPosix

/// Where the node and its links run, and when the node's next deadline is.
struct NodeLoop: Sendable {
    let executor: LoopExecutor
    let taskExecutor: LoopTaskExecutor
    let turn: LoopTurn
    let alarm: Alarm

    /// - Parameter eventLoop: `nil` is any.
    init(_ eventLoop: (any EventLoop)?) {
        turn = LoopTurn(eventLoop ?? MultiThreadedEventLoopGroup.singleton.next())
        executor = LoopExecutor(turn)
        taskExecutor = LoopTaskExecutor(turn)
        alarm = Alarm(eventLoop: turn.eventLoop)
    }

    var eventLoop: any EventLoop { turn.eventLoop }
}
