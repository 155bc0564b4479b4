import ArgumentParser
import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Plain Hummingbird: responds with the requested number of bytes, and sends lines to all open streams.
final class HTTPBareServer: Sendable {
    static let stream = "/stream"
    private static let answerPath = "/bytes/"
    private static let answer = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
    /// How far a stream may fall behind; further lines are dropped and counted as lost.
    private static let waitingMax = 1_024

    /// One thread, as a node has; it ends with the process.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private struct Open {
        var streams: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
        var last = 0
    }

    private let open = Mutex(Open())

    /// - Returns: the path whose response has this many bytes.
    static func question(bytes: Int) -> String { "\(answerPath)\(bytes)" }

    /// Serves until its task is cancelled.
    ///
    /// - Parameter isListening: receives the port that the system chose.
    func run(_ isListening: @escaping @Sendable (UInt16) -> Void) async throws {
        let server = Server(
            childChannelSetup: HTTP1Channel(responder: { [self] request, writer, channel in
                try await respond(request, writer, channel)
            }),
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { isListening(UInt16($0.localAddress?.port ?? 0)) },
            eventLoopGroup: Self.group, logger: Logger(label: "bare") { _ in SwiftLogNoOpLogHandler() })
        try await server.run()
    }

    func say(_ line: String) {
        let bytes = ByteBuffer(string: line + "\n")
        open.withLock { open in
            for stream in open.streams.values { stream.yield(bytes) }
        }
    }

    private func respond(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        let path = request.head.path ?? ""
        if path == Self.stream { return try await tell(writer, channel) }
        let count = path.hasPrefix(Self.answerPath) ? Int(path.dropFirst(Self.answerPath.count)) : nil
        let body = count.flatMap { Self.answer.getSlice(at: 0, length: $0) }
        var head = HTTPResponse(status: body == nil ? .notFound : .ok)
        head.headerFields[.contentType] = "application/json"
        head.headerFields[.contentLength] = "\(body?.readableBytes ?? 0)"
        try await writer.write(response: head, body: body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody())
    }

    private func tell(_ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        let (lines, input) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingMax))
        let number = open.withLock { open in
            open.last += 1
            open.streams[open.last] = input
            return open.last
        }
        channel.closeFuture.whenComplete { _ in input.finish() }
        defer { open.withLock { open in _ = open.streams.removeValue(forKey: number) } }
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentType] = "text/event-stream"
        var body = try await writer.writeHead(head)
        try await body.write(ByteBuffer(string: "retry: 2000\n\n"))
        for await line in lines { try await body.write(line) }
        try await body.finish(nil)
    }
}

/// Runs the server in a process of its own, so that its memory and work are measured alone. Reads lines from standard
/// input until it ends.
struct HTTPBareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare", abstract: "The plain server that 'http' compares a node with.", shouldDisplay: false)

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let server = HTTPBareServer()
        Thread {
            while let line = readLine() { server.say(line) }
            Foundation.exit(0)
        }.start()
        try await server.run { port in
            FileHandle.standardOutput.write(Data("\(port)\n".utf8))
        }
    }
}
