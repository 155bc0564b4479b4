import NIOSSL

/// What clients' connections are encrypted with: a certificate and its key.
package struct IRCSecurity: Sendable {
    private let context: NIOSSLContext

    /// - Parameters:
    ///   - certificatePath: PEM, this certificate first and those that vouch for it behind it.
    ///   - keyPath: PEM.
    /// - Throws: what is wrong with them.
    package init(certificatePath: String, keyPath: String) throws {
        let certificates = try NIOSSLCertificate.fromPEMFile(certificatePath)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: keyPath, format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        context = try NIOSSLContext(configuration: configuration)
    }

    func handler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
}
