import Foundation
import LatticeCore
import LatticeCrypto
import LatticeWire

/// Chat lines for the record feed of a node's control socket, and a program that writes and reads them there.
struct FeedLines {
    private static let recordsAtOnce = 512
    private static let requestsAtOnce = 4
    private static let window = 4_096

    private let source: BenchPosts
    let count: Int

    init(seed: UInt64, count: Int) throws {
        source = try BenchPosts(seed: seed)
        self.count = count
    }

    /// Lines that were said an hour ago, so that the node stores them and has nobody to relay them to.
    func signed() -> [VerifiedRecord] {
        let hourAgo = Self.hourAgo
        return concurrently(0..<count) { number in
            var generator = SeededGenerator(seed: source.seed &* 1_000_003 &+ UInt64(number))
            let author = source.identities[number % source.identities.count]
            return author.sign(
                Record(
                    kind: .chat, author: author.peer,
                    created: HybridTime(wallTime: WallTime(milliseconds: hourAgo.milliseconds + Int64(number))),
                    lifetimeSeconds: 604_800, topic: Array("#bench".utf8),
                    body: ChatLine(
                        style: .says, name: source.names[number % source.names.count],
                        text: source.words.text(&generator)
                    ).body))
        }
    }

    /// The words of all authors, by which what they say in the room may cross bridges.
    func crossings() throws -> [VerifiedRecord] {
        let room = try RoomName("#bench")
        return source.identities.map { author in
            author.sign(
                Record(
                    kind: .crossing, author: author.peer, created: HybridTime(wallTime: Self.hourAgo),
                    lifetimeSeconds: 31_536_000, topic: [], body: CrossingBody(rooms: [room]).body))
        }
    }

    private static var hourAgo: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1_000 - 3_600_000)
    }

    /// - Parameter via: the network over which they came.
    static func requests(_ lines: [VerifiedRecord], via: String = "nats") throws -> [[UInt8]] {
        try stride(from: 0, to: lines.count, by: recordsAtOnce).map { first in
            let records = lines[first..<min(first + recordsAtOnce, lines.count)].map {
                Data($0.signed.bytes).base64EncodedString()
            }
            return try line(first, "records.put", ["via": via, "records": records])
        }
    }

    private static func line(_ id: Int, _ method: String, _ params: [String: Any]) throws -> [UInt8] {
        let call: [String: Any] = ["id": id, "method": method, "params": params]
        let data = try JSONSerialization.data(withJSONObject: call, options: .withoutEscapingSlashes)
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// - Returns: seconds until all are on disk.
    static func put(_ requests: [[UInt8]], count: Int, at path: String) throws -> Double {
        let socket = try LineSocket(path)
        var replies: [[UInt8]] = []
        let began = seconds()
        for request in requests.prefix(requestsAtOnce) { try socket.send(request) }
        for request in requests.dropFirst(requestsAtOnce) {
            replies.append(try socket.line())
            try socket.send(request)
        }
        while replies.count < requests.count { replies.append(try socket.line()) }
        let taken = seconds() - began
        let added = replies.reduce(0) { $0 + Self.count(of: #""is":"added""#, in: $1) }
        guard added == count else { throw BenchError("the node took \(added) of \(count) records") }
        return taken
    }

    /// - Returns: seconds until all were read from the start of the store, each batch confirmed as it came.
    static func follow(at path: String, kinds: [Int] = [1]) throws -> (count: Int, seconds: Double) {
        let socket = try LineSocket(path)
        var batches: [[UInt8]] = []
        let began = seconds()
        try socket.send(Self.line(1, "records.subscribe", ["kinds": kinds, "window": window]))
        let opened = String(decoding: try socket.line(), as: UTF8.self)
        guard let feed = opened.split(separator: #""feed":"#).last.flatMap({ Int($0.prefix { $0.isNumber }) }) else {
            throw BenchError("the node opened no feed: \(opened)")
        }
        while true {
            let line = try socket.line()
            // What stands before the records tells where the batch ends; other lines are answers.
            let head = String(decoding: line.prefix(headBytes), as: UTF8.self)
            guard head.contains(#""method":"records""#) else { continue }
            batches.append(line)
            if head.contains(#""live":true"#) { break }
            guard let position = head.split(separator: #""position":""#).dropFirst().first?.split(separator: "\"").first
            else { throw BenchError("a batch has no position: \(head)") }
            try socket.send(Self.line(2, "records.taken", ["feed": feed, "position": String(position)]))
        }
        let taken = seconds() - began
        return (batches.reduce(0) { $0 + Self.count(of: #""bytes":""#, in: $1) }, taken)
    }

    private static let headBytes = 256

    private static func count(of text: String, in line: [UInt8]) -> Int {
        String(decoding: line, as: UTF8.self).components(separatedBy: text).count - 1
    }
}
