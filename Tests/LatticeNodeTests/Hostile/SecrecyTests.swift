import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Logging
import Synchronization
import Testing

@testable import LatticeNode

/// What no log may hold, however much is logged.
@Suite(.timeLimit(.minutes(10))) struct SecrecyTests {
    /// Keeps every word that is logged.
    private final class Log: Sendable {
        private let text = Mutex("")

        func note(_ words: String) { text.withLock { $0 += words + "\n" } }
        var words: String { text.withLock { $0 } }
    }

    private struct Handler: LogHandler {
        let log: Log
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.note("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])")
        }
    }

    /// The secret as its file spells it.
    private func secret(of identity: Identity) throws -> String {
        let lines = String(decoding: IdentityText.write(identity), as: UTF8.self).split(separator: "\n")
        return String(try #require(lines.first { $0.hasPrefix("secret ") }).dropFirst("secret ".count))
    }

    @Test func noKeyAndNoWordOfAnybodyReachesALog() async throws {
        let log = Log()
        let home = try Home("alice")
        let host = try await Chatter(home, logger: Logger(label: "test") { _ in Handler(log: log) })
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                try await host.say("between us")
                stranger.say(try Speech.line("for you alone", by: stranger.identity))
                try await eventually("the line") { host.heardTexts == ["for you alone"] }
                let forged = try Speech.forged("a lie", as: Identity.generate())
                stranger.say(.record(RecordFrame(timeToLive: 4, hops: 1, signed: forged)))
                try await eventually("it is sent away") { stranger.closure != nil }
            }
        }
        #expect(!log.words.isEmpty)
        for said in ["between us", "for you alone", "a lie"] { #expect(!log.words.contains(said)) }
        for identity in [home.identity, stranger.identity] {
            let secret = try secret(of: identity)
            #expect(!log.words.lowercased().contains(secret))
            #expect(!"\(identity) \(String(reflecting: identity))".lowercased().contains(secret))
        }
    }
}
