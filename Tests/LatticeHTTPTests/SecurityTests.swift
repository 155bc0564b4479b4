import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeHTTP

/// Who is let in, decided from what they say.
@Suite struct SecurityTests {
    private let here = Gatekeeper(host: "127.0.0.1", token: Sample.token, machine: "mill")
    private let everywhere = Gatekeeper(host: "0.0.0.0", token: Sample.token, machine: "Mill")

    private func call(
        _ method: HTTPCall.Method = .get, _ path: String = "v1", headers: [String: String]
    ) -> HTTPCall {
        HTTPCall(method, path: [path, "me"], headers: headers)
    }

    @Test(arguments: ["localhost", "127.0.0.1:8080", "127.1.2.3", "[::1]:80", "LOCALHOST:9"])
    func aServerOfThisMachineGoesByItsNames(host: String) throws {
        #expect(try here.admit(call(headers: ["host": host])) == false)
    }

    /// A name that leads to this machine may be anybody's (DNS rebinding).
    @Test(arguments: [
        "evil.example", "localhost.evil.example", "192.168.1.7:8080", "mill", "127.0.0.1.evil.example", "", "[::2]",
        "127.0.0.1:8080, evil.example", "[::1]evil", "localhost:80x",
        "[",
        "127.0.0.256",
    ])
    func anotherNameIsSomebodyElses(host: String) {
        #expect(refusal(of: call(headers: ["host": host]), by: here) == 421)
    }

    @Test func aRequestNamesItsHost() { #expect(refusal(of: call(headers: [:]), by: here) == 400) }

    @Test(arguments: ["192.168.1.7:8080", "mill", "mill.local:8080", "[fd00::1]:8080", "localhost"])
    func elsewhereAddressesAndTheNameOfTheMachineAreRight(host: String) throws {
        #expect(try everywhere.admit(call(headers: ["host": host])) == false)
        #expect(refusal(of: call(headers: ["host": "evil.example"]), by: everywhere) == 421)
    }

    @Test func aPageOfAnotherAddressChangesNothing() throws {
        let host = "127.0.0.1:8080"
        for method in HTTPCall.Method.allCases where !method.isSafe {
            for origin in ["http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:9"] {
                #expect(refusal(of: call(method, headers: ["host": host, "origin": origin]), by: here) == 403)
            }
            let own = ["host": host, "origin": "http://\(host)", "sec-fetch-site": "same-origin"]
            #expect(try here.admit(call(method, headers: own)) == false)
        }
        for site in ["cross-site", "same-site"] {
            #expect(refusal(of: call(headers: ["host": host, "sec-fetch-site": site]), by: here) == 403)
            // But a link to the page may stand anywhere.
            #expect(try here.admit(call(.get, "page", headers: ["host": host, "sec-fetch-site": site])) == false)
        }
    }

    /// What a certificate names leads to this server: nobody else could prove to be it.
    @Test func withTLSTheNamesOfTheCertificateAreRightAndPagesAreEncrypted() throws {
        let gate = Gatekeeper(
            host: "0.0.0.0", token: Sample.token, machine: nil, certified: ["camp.example", "*.mesh.example"])
        for host in ["camp.example", "CAMP.example:8443", "hub.mesh.example", "10.0.0.1"] {
            #expect(try gate.admit(call(headers: ["host": host])) == false)
            let own = ["host": host, "origin": "https://\(host)"]
            #expect(try gate.admit(call(.post, headers: own)) == false)
            let plain = ["host": host, "origin": "http://\(host)"]
            #expect(refusal(of: call(.post, headers: plain), by: gate) == 403)
        }
        for host in [
            "example", "mesh.example", "a.b.mesh.example", "evil.camp.example", "*.mesh.example.evil", ".example",
        ] {
            #expect(refusal(of: call(headers: ["host": host]), by: gate) == 421)
        }
    }

    @Test func theTokenIsRightOrWrong() throws {
        let right = ["host": "localhost", "authorization": "bearer \(Sample.token.text)"]
        #expect(try here.admit(call(headers: right)))
        let wrong = [
            "Bearer", "Bearer ", "Basic \(Sample.token.text)", "Bearer \(Sample.token.text)x",
            "Bearer tokentokentokentokentX",
        ]
        for text in wrong {
            #expect(refusal(of: call(headers: ["host": "localhost", "authorization": text]), by: here) == 401)
        }
    }

    @Test func aTokenHasEnoughOfTheRightCharacters() {
        var dice = SeededGenerator(seed: 1)
        let made = AccessToken.made(using: &dice)
        #expect(made.text.utf8.count == 22)
        #expect(AccessToken(made.text)?.text == made.text)
        for text in [
            "", "short", String(repeating: "a", count: 129), "tokentokentokentoken+/", "tokentokentokentok en",
        ] {
            #expect(AccessToken(text) == nil)
        }
        #expect("\(made)".contains(made.text) == false)
    }

    private func refusal(of call: HTTPCall, by gate: Gatekeeper) -> Int? {
        do throws(HTTPProblem) {
            _ = try gate.admit(call)
            return nil
        } catch {
            return error.status
        }
    }
}
