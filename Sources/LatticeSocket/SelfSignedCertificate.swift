/// A certificate that certifies itself, for machines without a name that anybody else could certify: an ECDSA key on
/// P-256, signed with SHA-256, because browsers accept no Ed25519.
package struct SelfSignedCertificate: Sendable {
    /// Some clients refuse certificates that are valid for longer (825 days since 2019, 398 days since 2020).
    package static let daysValid = 397

    /// The certificate and its key (PKCS #8), one after the other in PEM.
    package let pem: String
}

#if TLS
    import CNIOBoringSSL

    extension SelfSignedCertificate {
        /// Clocks of phones may be behind.
        private static let secondsBack = 86_400

        /// Makes a key and a certificate for it.
        ///
        /// - Parameters:
        ///   - names: names of this machine in the DNS or mDNS, the first one also as common name (at most 64 bytes).
        ///   - addresses: its numeric addresses.
        /// - Throws: `TLSFault.notMade` if one of them is none.
        package init(names: [String], addresses: [String]) throws(TLSFault) {
            let parts = Parts()
            guard names.allSatisfy(Self.isName), parts.makeKey(), parts.fill(names: names, addresses: addresses),
                let pem = parts.pem()
            else {
                throw .notMade
            }
            self.pem = pem
        }

        /// Letters, digits, `-` and `.`: the library reads several alternatives from one text.
        private static func isName(_ name: String) -> Bool {
            !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }

        // Safety: the objects of the library live as long as this one, and no pointer outlives it.
        private final class Parts {
            private let certificate = X509_new()
            private let key = EVP_PKEY_new()

            deinit {
                X509_free(certificate)
                EVP_PKEY_free(key)
            }

            func makeKey() -> Bool {
                let pair = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)
                guard EC_KEY_generate_key(pair) == 1, EVP_PKEY_assign_EC_KEY(key, pair) == 1 else {
                    EC_KEY_free(pair)
                    return false
                }
                return true
            }

            func fill(names: [String], addresses: [String]) -> Bool {
                var dice = SystemRandomNumberGenerator()
                let subject = X509_get_subject_name(certificate)
                let common = Array((names.first ?? "lattice").utf8.prefix(64))
                let seconds = daysValid * 86_400
                let other = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
                // An integer of at most 63 bits, which is positive in DER (RFC 5280, section 4.1.2.2).
                let serial = UInt64.random(in: 1...(.max >> 1), using: &dice)
                return X509_set_version(certificate, Int(X509_VERSION_3)) == 1
                    && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1
                    && X509_gmtime_adj(X509_getm_notBefore(certificate), -secondsBack) != nil
                    && X509_gmtime_adj(X509_getm_notAfter(certificate), seconds - secondsBack) != nil
                    && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, common, common.count, -1, 0) == 1
                    && X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1
                    && add(NID_basic_constraints, "critical,CA:FALSE")
                    && add(NID_key_usage, "critical,digitalSignature") && add(NID_ext_key_usage, "serverAuth")
                    && add(NID_subject_alt_name, other.joined(separator: ","))
                    && X509_sign(certificate, key, EVP_sha256()) > 0
            }

            private func add(_ kind: Int32, _ value: String) -> Bool {
                guard let part = X509V3_EXT_nconf_nid(nil, nil, kind, value) else { return false }
                defer { X509_EXTENSION_free(part) }
                return X509_add_ext(certificate, part, -1) == 1
            }

            func pem() -> String? {
                guard let text = BIO_new(BIO_s_mem()) else { return nil }
                defer { BIO_free(text) }
                var (bytes, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
                guard PEM_write_bio_X509(text, certificate) == 1,
                    PEM_write_bio_PKCS8PrivateKey(text, key, nil, nil, 0, nil, nil) == 1,
                    BIO_mem_contents(text, &bytes, &count) == 1
                else { return nil }
                return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
            }
        }
    }
#else
    extension SelfSignedCertificate {
        package init(names: [String], addresses: [String]) throws(TLSFault) { throw .notBuilt }
    }
#endif
