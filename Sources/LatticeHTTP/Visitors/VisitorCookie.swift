/// The cookie that signs a visitor in (RFC 6265). Scripts cannot read it, and pages of other sites do not send it.
enum VisitorCookie {
    private static let name = "lattice-visitor"
    /// As long as browsers keep one at most.
    private static let secondsMax = 400 * 86_400

    static func token(in call: HTTPCall) -> String? {
        for pair in (call.headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        return nil
    }

    /// - Parameter isSecure: whether it was asked for over TLS; then it never travels without.
    static func setting(_ token: String, isSecure: Bool) -> String { header(token, secondsMax, isSecure) }

    static func removing(isSecure: Bool) -> String { header("", 0, isSecure) }

    private static func header(_ value: String, _ seconds: Int, _ isSecure: Bool) -> String {
        "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}
