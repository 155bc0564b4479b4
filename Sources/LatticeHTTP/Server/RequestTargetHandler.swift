import NIOCore
import NIOHTTP1

/// Takes the host from the target if that is an absolute URL (RFC 9112, section 3.2.2). Later handlers see only the
/// path, and would check a header that does not count.
final class RequestTargetHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let scheme = "http://"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), let host = Self.host(in: head.uri),
            // A request with no host or two is refused whatever its target.
            head.headers["host"].count == 1
        else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "host", value: host)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// - Returns: `nil` for a path; for a URL that is not HTTP, a text that is no server's name.
    static func host(in target: String) -> String? {
        if target.hasPrefix("/") || target == "*" { return nil }
        guard target.prefix(scheme.count).lowercased() == scheme else { return "" }
        return String(target.dropFirst(scheme.count).prefix { !"/?#".contains($0) })
    }
}
