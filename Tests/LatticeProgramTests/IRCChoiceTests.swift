import ArgumentParser
import Glibc
import LatticeCore
import LatticeHost
import LatticeSettings
import Testing

@testable import lattice

/// Conflicting settings are refused, and the error names where they came from.
@Suite struct IRCChoiceTests {
    private func fault(
        _ file: String = "{}", _ environment: [String: String] = [:], _ arguments: [String] = []
    ) throws -> String? {
        let file = try SettingsFile(path: "/c.json", text: Array(file.utf8), home: nil)
        let settings = try Settings(arguments: ["run"] + arguments, environment: environment, file: file)
        return try Settings.$current.withValue(settings) {
            do {
                try IRCOptions.parse(arguments).choice.check()
                return nil
            } catch let error as WrongValue {
                return error.description
            }
        }
    }

    @Test func anAddressThatOthersReachIsToldOfItsOption() throws {
        #expect(
            try fault("{}", [:], ["--irc", "10.0.0.1:6667"])
                == "--irc: others can reach 10.0.0.1; add --irc-tls-certificate, --irc-tls-key and "
                + "--irc-password-file, or listen on 127.0.0.1")
    }

    @Test func anAddressThatOthersReachIsToldOfItsSetting() throws {
        let file = try fault(#"{"irc.listen": "10.0.0.1:6667"}"#)
        #expect(
            file == "irc.listen in /c.json line 1: others can reach 10.0.0.1; add irc.tls.certificate, "
                + "irc.tls.key and irc.password-file, or listen on 127.0.0.1")
        let variable = try fault("{}", ["LATTICE_IRC_LISTEN": "10.0.0.1:6667"])
        let start = "LATTICE_IRC_LISTEN: others can reach 10.0.0.1; add LATTICE_IRC_TLS_CERTIFICATE,"
        #expect(variable?.hasPrefix(start) == true)
    }

    @Test func aCertificateAndItsKeyGoTogetherWhereverTheyAreSaid() throws {
        let listen = #""irc.listen": "127.0.0.1:0""#
        #expect(
            try fault("{\(listen),\n\"irc.tls.key\": \"/k\"}")
                == "irc.tls.key in /c.json line 2 and irc.tls.certificate go together; give both")
        #expect(
            try fault("{\(listen)}", [:], ["--irc-tls-certificate", "c"])
                == "--irc-tls-certificate and --irc-tls-key go together; give both")
        #expect(try fault("{\(listen), \"irc.tls.key\": \"/k\"}", [:], ["--irc-tls-certificate", "c"]) == nil)
    }

    /// As a passphrase file is.
    @Test func aKeyThatOthersCanReadIsRefused() throws {
        let path = "/tmp/lattice-key-\(getpid())-\(UInt32.random(in: 0...9_999_999))"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
        try #require(file >= 0 && fchmod(file, 0o644) == 0)
        defer {
            close(file)
            unlink(path)
        }
        let options = try IRCOptions.parse([
            "--irc", "127.0.0.1:0", "--irc-tls-certificate", "c", "--irc-tls-key", path,
        ])
        let fault = #expect(throws: Failure.self) { try options.choice.front() }
        #expect(
            fault?.description == "--irc-tls-key: others can read the TLS key in \(path) (its mode is 644); keep it to "
                + "yourself: chmod 600 \(path)")
        try #require(fchmod(file, 0o600) == 0)
        let next = #expect(throws: Failure.self) { try options.choice.front() }
        #expect(
            next?.description == "--irc-tls-certificate: cannot read the TLS certificate c: No such file or directory")
    }

    @Test func howWithoutWhereIsRefused() throws {
        #expect(
            try fault(#"{"irc.password-file": "/p"}"#)
                == "irc.password-file in /c.json line 1 needs irc.listen, such as 127.0.0.1:6667")
        #expect(
            try fault("{}", [:], ["--irc-server-name", "a.b"])
                == "--irc-server-name needs --irc, such as 127.0.0.1:6667")
        #expect(try fault() == nil)
    }
}
