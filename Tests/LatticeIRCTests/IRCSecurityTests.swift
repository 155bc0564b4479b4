import Foundation
import Testing

@testable import LatticeIRC

#if TLS
    private let hasTLS = true
#else
    private let hasTLS = false
#endif

@Suite(.disabled(if: hasTLS)) struct IRCWithoutTLSTests {
    @Test func whoWantsTLSLearnsHowToGetIt() {
        #expect(throws: IRCSecurityError.notBuilt) { try IRCSecurity(certificatePath: "c.pem", keyPath: "k.pem") }
        #expect(
            IRCSecurityError.notBuilt.description
                == "this lattice was built without TLS; 'LATTICE_TLS=1 tools/lattice' builds one with TLS")
    }
}

/// Certificates and keys that will not do, in words that say what to do.
@Suite(.enabled(if: hasTLS)) struct IRCSecurityTests {
    /// P-256, made for these tests with `openssl req -x509 -newkey ec`.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBfDCCASOgAwIBAgIULPTToKm82rhHhp93xOONRIEWj8UwCgYIKoZIzj0EAwIw
        EzERMA8GA1UEAwwIaXJjLnRlc3QwIBcNMjYxMTIyMTEyNjQ4WhgPMjEyNjEwMjkx
        MTI2NDhaMBMxETAPBgNVBAMMCGlyYy50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEHS39WWgWdL8wqEelxoYZFuEbClGfMVQHIig7CW8JcbbFhRmEDZ/Q/TWp
        LvSNjhagFMnRI4Myi5LyOvSiNDmyv6NTMFEwHQYDVR0OBBYEFLzDNYhbRKhddAYl
        jmRRfSxyiYy9MB8GA1UdIwQYMBaAFLzDNYhbRKhddAYljmRRfSxyiYy9MA8GA1Ud
        EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgLlwWH1tfUH1wWTlyvdINnR1/
        qlTjseHpuhYB0lyM8UMCIGbpkKAolXpMWyLzqCx2a6ea5sIXiHFEOJbMf1sY43DB
        -----END CERTIFICATE-----

        """
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgk5iMtQ5Jc40Ns4mN
        RyhfazE1ifK9jiM0djAIoNemSqOhRANCAAQdLf1ZaBZ0vzCoR6XGhhkW4RsKUZ8x
        VAciKDsJbwlxtsWFGYQNn9D9Naku9I2OFqAUydEjgzKLkvI69KI0ObK/
        -----END PRIVATE KEY-----

        """
    private static let otherKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8dv6rQQCxTFC786r
        TnkDBVtKdRywBoVS3lADjzY0EqWhRANCAAQq4xkjsrRsd5ReUEFuq17ORrIpWTjy
        gLWbWn+TB5NHOLmITXx7WO7qbAjLENw8sNx5ubgCsFHGkKZegN1arkFA
        -----END PRIVATE KEY-----

        """

    private func told(_ certificate: String?, _ key: String?) throws -> String? {
        let folder = NSTemporaryDirectory() + "lattice-tls-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = (certificate: "\(folder)/c.pem", key: "\(folder)/k.pem")
        try certificate.map { try Data($0.utf8).write(to: URL(filePath: paths.certificate)) }
        try key.map { try Data($0.utf8).write(to: URL(filePath: paths.key)) }
        do {
            _ = try IRCSecurity(certificatePath: paths.certificate, keyPath: paths.key)
            return nil
        } catch {
            return error.description.replacing("\(folder)/", with: "")
        }
    }

    @Test func aCertificateWithItsKeyIsTaken() throws {
        #expect(try told(Self.certificate, Self.key) == nil)
    }

    @Test func whatIsNotThereIsTold() throws {
        #expect(try told(nil, Self.key) == "cannot read the TLS certificate c.pem: No such file or directory")
        #expect(try told(Self.certificate, nil) == "cannot read the TLS key k.pem: No such file or directory")
    }

    @Test(arguments: ["", "hello\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func whatIsNoneIsTold(text: String) throws {
        #expect(
            try told(text, Self.key)
                == "c.pem contains no TLS certificate; use a PEM file, which begins with -----BEGIN CERTIFICATE-----")
        #expect(
            try told(Self.certificate, text)
                == "k.pem contains no TLS key; use a PEM file without a passphrase, "
                + "which begins with -----BEGIN PRIVATE KEY-----")
    }

    @Test func aKeyOfAnotherCertificateIsTold() throws {
        #expect(
            try told(Self.certificate, Self.otherKey)
                == "the TLS key k.pem does not belong to the certificate c.pem; use a matching pair")
    }
}
