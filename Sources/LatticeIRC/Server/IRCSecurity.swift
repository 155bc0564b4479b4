#if TLS
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
#else
    import NIOCore

    /// Stands for TLS in a program without it.
    package struct IRCSecurity: Sendable {
        private let none: Never

        package init(certificatePath: String, keyPath: String) throws(IRCSecurityError) { throw .notBuilt }

        func handler() -> any ChannelHandler & Sendable { switch none {} }
    }
#endif
