#if TLS
    import Glibc
    package import NIOCore
    import NIOSSL

    /// A certificate and its key, with which a server identifies itself to its clients (TLS 1.2 and 1.3).
    package struct TLSIdentity: Sendable {
        private let context: NIOSSLContext
        /// The certificate of this server in DER (RFC 5280): what fingerprints are computed from.
        package let certificate: [UInt8]
        /// What the certificate was issued to, names in the DNS or mDNS in lower case, perhaps with `*` as their
        /// first label.
        package let names: Set<String>
        /// From its beginning to its end, in seconds since 1970.
        package let validity: ClosedRange<Int>

        /// - Parameters:
        ///   - certificatePath: PEM, this certificate first, then the ones that certify it.
        ///   - keyPath: PEM without a passphrase. It may be the same file.
        package init(certificatePath: String, keyPath: String) throws(TLSFault) {
            if let reason = Self.fault(certificatePath) { throw .certificate(.unreadable(certificatePath, reason)) }
            if let reason = Self.fault(keyPath) { throw .key(.unreadable(keyPath, reason)) }
            let (certificates, key) = (try Self.certificates(certificatePath), try Self.key(keyPath))
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            guard let first = certificates.first else { throw .certificate(.empty(certificatePath)) }
            names = Set(
                first._subjectAlternativeNames().filter { $0.nameType == .dnsName }.map {
                    String(decoding: $0.contents, as: UTF8.self).lowercased()
                })
            validity = Int(first.notValidBefore)...max(Int(first.notValidBefore), Int(first.notValidAfter))
            do {
                certificate = try first.toDERBytes()
                context = try NIOSSLContext(configuration: configuration)
            } catch {
                throw .mismatch(certificatePath, keyPath)
            }
        }

        /// Decrypts what a client sends, and encrypts what it gets.
        package func handler() -> any ChannelHandler { NIOSSLServerHandler(context: context) }

        private static func fault(_ path: String) -> String? {
            access(path, R_OK) == 0 ? nil : String(cString: strerror(errno))
        }

        private static func certificates(_ path: String) throws(TLSFault) -> [NIOSSLCertificate] {
            do {
                let certificates = try NIOSSLCertificate.fromPEMFile(path)
                guard !certificates.isEmpty else { throw TLSFault.certificate(.empty(path)) }
                return certificates
            } catch {
                throw .certificate(.empty(path))
            }
        }

        private static func key(_ path: String) throws(TLSFault) -> NIOSSLPrivateKey {
            do {
                return try NIOSSLPrivateKey(file: path, format: .pem)
            } catch {
                throw .key(.empty(path))
            }
        }
    }
#else
    package import NIOCore

    /// Stands for TLS in a program without it.
    package struct TLSIdentity: Sendable {
        private let none: Never
        package var certificate: [UInt8] { switch none {} }
        package var names: Set<String> { switch none {} }
        package var validity: ClosedRange<Int> { switch none {} }

        package init(certificatePath: String, keyPath: String) throws(TLSFault) { throw .notBuilt }

        package func handler() -> any ChannelHandler { switch none {} }
    }
#endif
