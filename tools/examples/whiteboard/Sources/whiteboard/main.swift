import Foundation
import Lattice

// whiteboard NAME [PORT [ADDRESS…]]: reads what to do from its input, a line each:
//   peers N        waits until N others are connected
//   move SECONDS   moves the cursor around a square, 60 times a second
//   draw X,Y …     draws a stroke
//   wait SECONDS   does nothing
//   show           prints the board and what was dropped
let arguments = CommandLine.arguments.dropFirst()
let addresses = arguments.dropFirst(2).map { PeerAddress($0) }
guard let name = arguments.first, let port = UInt16(arguments.dropFirst().first ?? "0"), !addresses.contains(nil) else {
    fail("say 'whiteboard NAME [PORT [ADDRESS…]]'", code: 2)
}
var configuration = Configuration(name: name, mesh: "whiteboard")
configuration.port = port
configuration.addresses = addresses.compactMap(\.self)
let board = Board()

func fail(_ words: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("whiteboard: \(words)\n".utf8))
    exit(code)
}

/// One call sends to no more.
func others(in session: Session) -> [Peer] { Array(session.connectedPeers.prefix(Session.recipientsMax)) }

/// The point after this number of steps around a square with sides of 1,000.
func square(after step: Int) -> Point {
    let along = UInt16(step * 8 % 1_000)
    return switch step * 8 / 1_000 % 4 {
    case 0: Point(x: along, y: 0)
    case 1: Point(x: 1_000, y: along)
    case 2: Point(x: 1_000 - along, y: 1_000)
    default: Point(x: 0, y: 1_000 - along)
    }
}

/// The cursor goes round; each position makes the ones before it worthless.
func move(_ seconds: Int, in session: Session) async throws {
    for step in 0..<60 * max(0, min(seconds, 3_600)) {
        try await session.send(square(after: step).bytes, to: others(in: session), mode: .unreliable)
        try await Task.sleep(for: .milliseconds(16))
    }
}

func connected(_ count: Int, in session: Session) async {
    for await _ in session.peerUpdates where session.connectedPeers.count >= count { return }
}

func draw(_ words: [Substring], in session: Session) async throws {
    let points = words.compactMap { word -> Point? in
        let numbers = word.split(separator: ",").compactMap { UInt16($0) }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }
    try await session.send(points.flatMap(\.bytes), to: others(in: session))
}

func show(_ session: Session) async {
    await board.show()
    let counts = session.datagramStatistics
    print("sent \(counts.sent), forwarded \(counts.forwarded), received \(counts.received)")
    print("dropped: \(counts.droppedWhenFull) full, \(counts.droppedOld) old, \(counts.droppedUnread) unread")
    print("dropped: \(counts.droppedWithoutWay) without a way, \(counts.droppedInvalid) invalid")
}

do {
    try await withSession(configuration) { session in
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await message in session.received { await board.take(message) } }
            while let line = readLine() {
                let words = line.split(separator: " ")
                let number = words.dropFirst().first.flatMap { Int($0) } ?? 1
                switch words.first {
                case "peers": await connected(number, in: session)
                case "move": try await move(number, in: session)
                case "draw": try await draw(Array(words.dropFirst()), in: session)
                case "wait": try await Task.sleep(for: .seconds(number))
                case "show": await show(session)
                default: print("peers N, move SECONDS, draw X,Y …, wait SECONDS or show")
                }
            }
            try await session.flush(others(in: session))
            group.cancelAll()
        }
    }
} catch {
    fail("\(error)")
}
