import Glibc
import NIOSSL

/// TLS for clients: a certificate and its key.
package struct IRCSecurity: Sendable {
    private let context: NIOSSLContext

    /// - Parameters:
    ///   - certificatePath: PEM, this certificate first, then the ones that certify it.
    ///   - keyPath: PEM without a passphrase.
    package init(certificatePath: String, keyPath: String) throws(IRCSecurityError) {
        if let reason = Self.fault(certificatePath) { throw .certificate(.unreadable(certificatePath, reason)) }
        if let reason = Self.fault(keyPath) { throw .key(.unreadable(keyPath, reason)) }
        let (certificates, key) = (try Self.certificates(certificatePath), try Self.key(keyPath))
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .mismatch(certificatePath, keyPath)
        }
    }

    func handler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context) }

    private static func fault(_ path: String) -> String? {
        access(path, R_OK) == 0 ? nil : String(cString: strerror(errno))
    }

    private static func certificates(_ path: String) throws(IRCSecurityError) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(path)
            guard !certificates.isEmpty else { throw IRCSecurityError.certificate(.empty(path)) }
            return certificates
        } catch {
            throw .certificate(.empty(path))
        }
    }

    private static func key(_ path: String) throws(IRCSecurityError) -> NIOSSLPrivateKey {
        do {
            return try NIOSSLPrivateKey(file: path, format: .pem)
        } catch {
            throw .key(.empty(path))
        }
    }
}

/// What is wrong with a certificate or key, in plain words: the messages of the TLS library would not help.
package enum IRCSecurityError: Error, Equatable, CustomStringConvertible {
    package enum File: Equatable, Sendable {
        /// With the system's message.
        case unreadable(String, String)
        /// The file contains no certificate or key.
        case empty(String)
    }

    case certificate(File)
    case key(File)
    /// With both paths.
    case mismatch(String, String)

    package var description: String {
        switch self {
        case .certificate(.unreadable(let path, let reason)): "cannot read the TLS certificate \(path): \(reason)"
        case .certificate(.empty(let path)):
            "\(path) contains no TLS certificate; use a PEM file, which begins with -----BEGIN CERTIFICATE-----"
        case .key(.unreadable(let path, let reason)): "cannot read the TLS key \(path): \(reason)"
        case .key(.empty(let path)):
            "\(path) contains no TLS key; use a PEM file without a passphrase, which begins with -----BEGIN PRIVATE KEY-----"
        case .mismatch(let certificate, let key):
            "the TLS key \(key) does not belong to the certificate \(certificate); use a matching pair"
        }
    }
}
