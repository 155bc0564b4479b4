import NIOCore
import NIOHTTP1

extension HTTPReply {
    var head: HTTPResponseHead {
        var fields = HTTPHeaders(Self.common)
        if let type { fields.add(name: "Content-Type", value: type) }
        for (name, value) in headers { fields.replaceOrAdd(name: name, value: value) }
        switch body {
        case .bytes(let bytes):
            if status != 304, status != 204 { fields.replaceOrAdd(name: "Content-Length", value: "\(bytes.count)") }
        case .file(let file): fields.replaceOrAdd(name: "Content-Length", value: "\(file.bytes.count)")
        case .pieces(let file): fields.replaceOrAdd(name: "Content-Length", value: "\(file.range.count)")
        case .stream: break
        }
        if [400, 413, 417, 431].contains(status) { fields.replaceOrAdd(name: "Connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
    }

    /// The body, unless it is empty or sent in parts.
    var payload: ByteBuffer? {
        switch body {
        case .bytes(let bytes): bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
        case .file(let file): ByteBuffer(bytes: file.bytes)
        case .pieces, .stream: nil
        }
    }

    /// A response must not be executed, framed, sniffed or read by other sites.
    private static let common = [
        ("content-security-policy", PageRoutes.policy), ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"), ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("permissions-policy", "geolocation=(self), camera=(), microphone=()"), ("cache-control", "no-store"),
    ]
}
