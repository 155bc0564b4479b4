import Foundation
import FoundationNetworking
import Testing

/// `lattice run --http`, and a program that uses it.
struct Page {
    let peer: Peer
    let base: String
    let token: String

    /// - Parameter other: whom to link with.
    init(
        _ name: String, on stage: Stage, linked other: Page? = nil, home: String? = nil, _ arguments: [String] = []
    ) async throws {
        var words = ["run", "--http", "127.0.0.1:0", "--name", name, "--discovery", "off", "--log", "info"] + arguments
        if let other {
            let port = try #require(other.peer.error.text.firstMatch(of: /\bport=([0-9]+)/))
            words += ["--peer", "127.0.0.1:\(port.1)"]
        }
        try await self.init(name, try stage.run(words, as: name, home: home))
    }

    init(_ name: String, _ peer: Peer) async throws {
        self.peer = peer
        (base, token) = try await eventually("\(name) says where its page is") {
            if let code = peer.child.exitCode { throw NeverHappened(what: "\(name) ended with \(code)") }
            // A log hears only where the token stands; 'lattice web' prints it.
            if let link = peer.output.text.firstMatch(of: /(http:\/\/127\.0\.0\.1:[0-9]+)\/#token=([\w-]{22,})\n/) {
                return (String(link.1), String(link.2))
            }
            guard let link = peer.error.text.firstMatch(of: /open (http:\S+)\/ with the token in (\S+);/) else {
                return nil
            }
            let token = try String(contentsOfFile: String(link.2), encoding: .utf8)
            return (String(link.1), token.trimmingCharacters(in: .newlines))
        }
    }

    /// - Parameter token: `nil` goes without.
    func ask(
        _ method: String = "GET", _ path: String, _ body: [String: Any]? = nil, headers: [String: String] = [:],
        file: Data? = nil, isOwner: Bool = true
    ) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: try #require(URL(string: base + path)))
        request.httpMethod = method
        if isOwner { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
        }
        if let file { request.httpBody = file }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }

    func object(
        _ method: String = "GET", _ path: String, _ body: [String: Any]? = nil, headers: [String: String] = [:],
        isOwner: Bool = true
    ) async throws -> [String: Any] {
        let answer = try await ask(method, path, body, headers: headers, isOwner: isOwner)
        return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    }

    func items(_ path: String) async throws -> [[String: Any]] {
        try #require(try await object("GET", path)["items"] as? [[String: Any]])
    }
}
