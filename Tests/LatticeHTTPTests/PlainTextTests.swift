import LatticeCore
import NIOCore
import NIOEmbedded
import Testing

@testable import LatticeHTTP

/// HTTP without encryption, sent to an address that speaks TLS.
@Suite struct PlainTextTests {
    private func reply(_ text: String) -> String { PlainTextHandler.reply(to: Array(text.utf8)) }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: 192.168.1.7:8080\r\n\r\n", "https://192.168.1.7:8080/"),
        ("GET /v1/me?a=b HTTP/1.1\r\nAccept: */*\r\nhost:mill.local\r\nX: y\r\n\r\n", "https://mill.local/v1/me?a=b"),
        ("HEAD / HTTP/1.0\r\nHost: [fd00::1]:80\r\n", "https://[fd00::1]:80/"),
    ])
    func aBrowserIsLedToTheSameAddressWithTLS(request: String, address: String) {
        let reply = reply(request)
        #expect(reply.hasPrefix("HTTP/1.1 307 "))
        #expect(reply.contains("\r\nLocation: \(address)\r\n"))
        #expect(reply.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [
        "", "hello", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\nHost: body\r\n\r\n", "GET / HTTP/1.1\r\nHost: cut.exam",
        "GET / HTTP/1.1\r\nHost: a\nSet-Cookie: b\r\n\r\n",
    ])
    func anythingElseIsToldWhatToDo(request: String) {
        let reply = reply(request)
        #expect(reply.hasPrefix("HTTP/1.1 400 "))
        #expect(reply.hasSuffix("This address uses HTTPS. Put https:// in front of it.\n"))
    }

    @Test func aHandshakeGoesToTheNextHandler() throws {
        let channel = EmbeddedChannel(handler: PlainTextHandler(closePause: .seconds(1)))
        let hello = ByteBuffer(bytes: [22, 3, 1, 0, 5])
        try channel.writeInbound(hello)
        #expect(try channel.readInbound(as: ByteBuffer.self) == hello)
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        // What follows is no longer looked at.
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n"))
        #expect(try channel.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "GET / HTTP/1.1\r\n"))
        #expect(try channel.finish().isClean)
    }

    @Test func aConnectionInPlainTextIsAnsweredAndClosed() throws {
        let channel = EmbeddedChannel(handler: PlainTextHandler(closePause: .seconds(1)))
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        #expect(try channel.readOutbound(as: ByteBuffer.self)?.readableBytes ?? 0 > 0)
        // What still comes is not looked at; a while later it is closed.
        try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }
}
