import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// The page over TLS, asked by a program that checks certificates.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: access("/usr/bin/curl", X_OK) == 0)) struct TLSPageTests {
        private func run(_ stage: Stage, _ arguments: [String], home: String, as name: String) async throws -> (
            peer: Peer, base: String
        ) {
            let words = ["run", "--http", "127.0.0.1:0", "--name", "alice", "--discovery", "off"] + arguments
            let peer = try stage.run(words, as: name, home: home)
            let base = try await eventually("\(name) says where its page is") {
                if let code = peer.child.exitCode { throw NeverHappened(what: "it ended with \(code)") }
                return peer.error.text.firstMatch(of: /open (https:\S+)\/ with the token/).map { String($0.1) }
            }
            return (peer, base)
        }

        /// What curl got, followed by the status.
        private func curl(_ stage: Stage, _ arguments: [String], as name: String) async throws -> (String, Int32) {
            let curl = try stage.run(
                ["--silent", "--write-out", " %{http_code}"] + arguments, as: name, under: ["/usr/bin/curl"],
                isProgram: false)
            let code = try await curl.exitCode()
            return (curl.output.text, code)
        }

        private func fingerprint(_ peer: Peer) throws -> String {
            let pairs = try #require(
                peer.error.text.firstMatch(of: /((?:[0-9A-F]{2}:){16})\s+((?:[0-9A-F]{2}:){15}[0-9A-F]{2})/))
            return "\(pairs.1)\(pairs.2)"
        }

        @Test func aPageKeepsTheCertificateThatItMade() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/alice"
                let first = try await run(stage, ["--tls", "self", "--visitors"], home: home, as: "first")
                let path = try #require(
                    FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String }.first {
                        $0.hasSuffix("http-tls.pem")
                    })
                let certificate = "\(home)/\(path)"
                let port = try #require(first.base.split(separator: ":").last)
                // The name is checked, too.
                let (visit, code) = try await curl(
                    stage, ["--cacert", certificate, "https://localhost:\(port)/v1/visit"], as: "known")
                #expect(code == 0)
                #expect(visit.contains("\"open\":true") && visit.hasSuffix(" 200"))
                #expect(try await curl(stage, ["\(first.base)/v1/visit"], as: "unknown").1 == 60)
                let plain = first.base.replacing("https:", with: "http:")
                let (led, _) = try await curl(
                    stage, ["--cacert", certificate, "--location", "\(plain)/v1/visit"], as: "plain")
                #expect(led == visit)
                let (welcome, come) = try await curl(
                    stage,
                    [
                        "--cacert", certificate, "--include", "--header", "Content-Type: application/json", "--data",
                        #"{"name":"Jonna"}"#, "\(first.base)/v1/visit",
                    ], as: "come")
                #expect(come == 0 && welcome.hasSuffix(" 201") && welcome.contains("; SameSite=Strict; Secure"))
                let fingerprint = try fingerprint(first.peer)
                first.peer.child.send(SIGTERM)
                #expect(try await first.peer.exitCode() == 0)
                let second = try await run(stage, ["--tls", "self"], home: home, as: "second")
                #expect(try self.fingerprint(second.peer) == fingerprint)
                let web = try stage.run(["web", "--name", "alice", "--no-open"], as: "web", home: home)
                #expect(try await web.exitCode() == 0)
                #expect(web.output.text.hasPrefix("\(second.base)/#token="))
                #expect(web.error.text.contains(fingerprint.prefix(47)))
            }
        }

        @Test func whatDoesNotGoTogetherIsSaidInWords() async throws {
            try await onStage { stage in
                let page = ["--http", "127.0.0.1:0"]
                let cases: [(arguments: [String], code: Int32, words: String)] = [
                    (["--tls", "self"], 2, "--tls needs a page; add --http"),
                    (["--http-tls-key", "k"], 2, "--http-tls-key needs a page; add --http"),
                    (page + ["--tls", "on"], 2, "'self' and 'off'"),
                    (page + ["--http-tls-key", "k"], 2, "--http-tls-key and --http-tls-certificate go together"),
                    (
                        page + ["--http-tls-certificate", "c"], 2,
                        "--http-tls-certificate and --http-tls-key go together"
                    ),
                    (
                        page + ["--tls", "self", "--http-tls-certificate", "c"], 2,
                        "--tls and --http-tls-certificate do not go together; give one of them"
                    ),
                    (
                        page + ["--http-tls-certificate", "c", "--http-tls-key", "k"], 1,
                        "--http-tls-key: cannot read the TLS key from k: No such file or directory"
                    ),
                ]
                for (arguments, code, words) in cases {
                    let peer = try stage.run(["run", "--name", "alice"] + arguments, as: "\(arguments)")
                    #expect(try await peer.exitCode() == code, "\(arguments): \(peer.transcript)")
                    #expect(peer.error.text.contains(words), "\(peer.error.text)")
                }
            }
        }
    }
}
