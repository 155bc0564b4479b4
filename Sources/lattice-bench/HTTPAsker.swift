import Foundation

/// Sends HTTP requests on one persistent connection, one after the other.
// Safety: a buffer is lent to recv(2) for the length of the call, with its true size.
final class HTTPAsker {
    private static let answerBytesMax = 16 << 20

    private let connection: SocketConnection
    private let host: String
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var filled = 0

    /// - Parameter from: the local address that the server sees.
    init(port: UInt16, from: UInt32? = nil) throws {
        connection = try SocketConnection(port: port, from: from)
        host = "127.0.0.1:\(port)"
    }

    /// The complete last response, head and body.
    var answer: ArraySlice<UInt8> { buffer[..<filled] }

    /// - Returns: the size of the response, head and body.
    @discardableResult
    func ask(_ path: String) throws -> Int {
        connection.write(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
        filled = 0
        var whole: Int?
        repeat {
            if filled == buffer.count {
                guard filled < Self.answerBytesMax else { throw BenchError("an answer has no end") }
                buffer += [UInt8](repeating: 0, count: buffer.count)
            }
            let count = buffer.withUnsafeMutableBytes {
                recv(connection.descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled, 0)
            }
            guard count > 0 else { throw BenchError("the server ended the connection") }
            filled += count
            if whole == nil { whole = try Self.wholeBytes(of: buffer[..<filled]) }
        } while filled < whole ?? .max
        return filled
    }

    /// The size of a response that has begun to arrive; `nil` before its head is complete.
    static func wholeBytes(of answer: ArraySlice<UInt8>) throws -> Int? {
        guard let end = headEnd(of: answer) else { return nil }
        let lines = String(decoding: answer[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first, status.hasPrefix("HTTP/1.1 200") else {
            throw BenchError("the server says: \(lines.first ?? "nothing")")
        }
        let name = "content-length:"
        guard let line = lines.first(where: { $0.prefix(name.count).lowercased() == name }),
            let length = Int(line.dropFirst(name.count).filter { $0 != " " })
        else { throw BenchError("the server does not say how long its answer is") }
        return end - answer.startIndex + length
    }

    private static func headEnd(of answer: ArraySlice<UInt8>) -> Int? {
        var run = 0
        for index in answer.indices {
            let isNext = answer[index] == (run % 2 == 0 ? 13 : 10)
            run = isNext ? run + 1 : (answer[index] == 13 ? 1 : 0)
            if run == 4 { return index + 1 }
        }
        return nil
    }
}
