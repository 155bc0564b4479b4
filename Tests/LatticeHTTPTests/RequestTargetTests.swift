import Testing

@testable import LatticeHTTP

/// RFC 9112, section 3.2.
@Suite struct RequestTargetTests {
    @Test(arguments: [
        ("/v1/me?a=b", "/v1/me?a=b", nil), ("*", "*", nil), ("http://a:1/b?c#d", "/b?c", "a:1"), ("HTTP://a", "/", "a"),
        ("http://a?b=/c", "/?b=/c", "a"), ("http://a#b", "/", "a"), ("http:///b", "/b", ""),
        ("https://a/b", "https://a/b", ""),
        ("v1/me", "v1/me", ""), ("", "", ""),
    ])
    func aTargetHasAPathAndMayNameAHost(target: String, path: String, host: String?) {
        #expect(RequestTarget(target).path == path)
        #expect(RequestTarget(target).host == host)
    }

    @Test func withTLSTheSchemeIsAnother() {
        #expect(RequestTarget("HTTPS://a:1/b", scheme: "https") == RequestTarget("http://a:1/b"))
        #expect(RequestTarget("http://a/b", scheme: "https").host == "")
    }
}
