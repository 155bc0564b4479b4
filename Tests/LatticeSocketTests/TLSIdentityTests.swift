import Foundation
import Testing

@testable import LatticeSocket

#if TLS
    private let hasTLS = true
#else
    private let hasTLS = false
#endif

@Suite(.disabled(if: hasTLS)) struct WithoutTLSTests {
    @Test func whoWantsTLSLearnsHowToGetIt() {
        #expect(throws: TLSFault.notBuilt) { try TLSIdentity(certificatePath: "c.pem", keyPath: "k.pem") }
        #expect(
            TLSFault.notBuilt.description
                == "this lattice was built without TLS; 'LATTICE_TLS=1 tools/lattice' builds one with TLS")
    }
}

/// Certificates and keys that will not do, in words that say what to do.
@Suite(.enabled(if: hasTLS)) struct TLSIdentityTests {
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
            _ = try TLSIdentity(certificatePath: paths.certificate, keyPath: paths.key)
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

/// Certificates that a program makes for itself.
@Suite(.enabled(if: hasTLS)) struct SelfSignedCertificateTests {
    private func identity(_ pem: String) throws -> TLSIdentity {
        let path = NSTemporaryDirectory() + "lattice-tls-\(UUID().uuidString).pem"
        try Data(pem.utf8).write(to: URL(filePath: path))
        defer { unlink(path) }
        return try TLSIdentity(certificatePath: path, keyPath: path)
    }

    @Test func itIsIssuedToEveryNameForMoreThanAYear() throws {
        let pem = try SelfSignedCertificate(names: ["Mill.local", "localhost"], addresses: ["192.168.1.7", "::1"]).pem
        let made = try identity(pem)
        #expect(made.names == ["mill.local", "localhost"])
        let (now, day) = (Int(Date().timeIntervalSince1970), 86_400)
        #expect(made.validity.contains(now - day + 60) && made.validity.contains(now + 395 * day))
        #expect(!made.validity.contains(now + 397 * day))
    }

    @Test func eachHasAKeyOfItsOwn() throws {
        let one = try SelfSignedCertificate(names: ["a"], addresses: []).pem
        let other = try SelfSignedCertificate(names: ["a"], addresses: []).pem
        #expect(try identity(one).certificate != identity(other).certificate)
        func key(_ pem: String) throws -> String {
            try #require(pem.split(separator: "CERTIFICATE-----\n").last).description
        }
        let mixed = try one.replacing(key(one), with: key(other))
        #expect(mixed != one)
        #expect(throws: TLSFault.self) { try identity(mixed) }
    }

    /// A name that would be two is none.
    @Test(arguments: ["a,DNS:b", "a,IP:rubbish", "a,b", "", "a b", "@a"])
    func aNameThatIsNoneIsRefused(name: String) {
        #expect(throws: TLSFault.notMade) { try SelfSignedCertificate(names: [name], addresses: []) }
    }
}
