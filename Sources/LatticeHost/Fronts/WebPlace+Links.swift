import Glibc
import LatticeChat
import LatticeCore
import LatticeDiscovery
package import LatticeHTTP
package import LatticeNode

extension WebPlace {
    /// Leads to the page without a token, on this machine or also on others if the server accepts them.
    var link: String { "\(isSecure ? "https" : "http")://\(reachable)/" }

    package func link(_ token: AccessToken) -> String { "\(link)#token=\(token.text)" }

    /// For an address that others can reach: prints what to mind and, on a terminal, the link as a QR code. With visitors
    /// the code leads to the page without the token: it is for everybody.
    package func printCode(_ token: AccessToken) {
        if let fingerprint { Self.tell(fingerprint) }
        guard !IRCFront.isLoopback(address.host) || hasVisitors else { return }
        let plain = isSecure ? "" : "; it is sent unencrypted, so use a network you trust"
        let words = "anybody with the token can read everything and write in your name"
        Report.remark((hasVisitors ? "visitors open \(link), without the token" : words) + plain)
        Self.draw(hasVisitors ? link : link(token))
    }

    /// Browsers show the fingerprint in the details of a certificate.
    private static func tell(_ fingerprint: String) {
        let half = fingerprint.index(fingerprint.startIndex, offsetBy: min(fingerprint.count, 48))
        Report.remark("browsers warn once, since nobody else certified this page; compare its SHA-256, then go on:")
        Report.remark("  \(fingerprint[..<half])")
        if half != fingerprint.endIndex { Report.remark("  \(fingerprint[half...])") }
    }

    /// As a QR code, on a terminal.
    private static func draw(_ link: String) {
        guard isatty(2) != 0, let code = QRCode(link) else { return }
        let context = Surroundings.ofShell()
        let lines = code.lines(QRCode.Ink(isASCII: !context.isUTF8, hasColor: context.hasColor))
        Report.raw(lines.map { "\($0)\n" }.joined())
    }

    private var reachable: PeerAddress {
        guard ["0.0.0.0", "::"].contains(address.host) else { return address }
        return LocalAddresses.reachable(port: address.port).first ?? PeerAddress(host: "127.0.0.1", port: address.port)
    }
}
