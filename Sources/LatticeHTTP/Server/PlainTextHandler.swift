import LatticeCore
import NIOCore

/// Sits before TLS: a browser that sends HTTP without encryption is redirected to the same address with `https`, since
/// people type addresses without a scheme.
final class PlainTextHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The first byte of a TLS connection: a handshake record (RFC 8446, section 5.1).
    private static let handshake: UInt8 = 22

    private let closePause: Duration
    private var hasReplied = false

    /// - Parameter closePause: the time for a client to read the reply; an earlier close could make it lose that.
    init(closePause: Duration) { self.closePause = closePause }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasReplied else { return }
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.readableBytesView.first else { return }
        guard first != Self.handshake else {
            context.fireChannelRead(data)
            return context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }
        hasReplied = true
        let reply = Self.reply(to: bytes.readableBytesView)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply)), promise: nil)
        context.close(mode: .output, promise: nil)
        context.eventLoop.scheduleTask(in: .nanoseconds(closePause.nanoseconds)) { channel.close(promise: nil) }
    }

    /// The redirection of a request, if its first bytes contain all headers up to `Host`. It is temporary: the server may
    /// do without TLS tomorrow.
    static func reply(to bytes: some Collection<UInt8>) -> String {
        let lines = String(decoding: bytes.prefix(8_192), as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        let host = lines.dropFirst().dropLast().prefix { !$0.isEmpty }.lazy.compactMap { line in
            line.prefix(5).lowercased() == "host:" ? line.dropFirst(5).drop { $0 == " " } : nil
        }.first
        guard words.count == 3, words[1].first == "/", words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let host, !host.isEmpty, host.utf8.allSatisfy(isOfHost)
        else {
            let text = "This address uses HTTPS. Put https:// in front of it.\n"
            return head("400 Bad Request", "Content-Type: text/plain; charset=utf-8", text.utf8.count) + text
        }
        return head("307 Temporary Redirect", "Location: https://\(host)\(words[1])", 0)
    }

    private static func head(_ status: String, _ field: String, _ count: Int) -> String {
        "HTTP/1.1 \(status)\r\n\(field)\r\nContent-Length: \(count)\r\nConnection: close\r\n\r\n"
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
