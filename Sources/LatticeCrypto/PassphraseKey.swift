/// A key derived from a passphrase with Argon2id (RFC 9106), so slow and memory-hungry that guessing is expensive.
package enum PassphraseKey {
    package static let saltBytes = Sodium.saltBytes

    package struct Cost: Equatable, Sendable {
        /// 1 to 64.
        package let passes: Int
        /// 8 KiB to 1 GiB.
        package let memoryKiB: Int

        private static let passesRange = 1...64
        private static let memoryRange = 8...(1 << 20)
        /// Passes times KiB. A guess: some ten seconds on a slow machine, so that a file from a stranger blocks nobody
        /// for long.
        private static let workMax = 4 << 20

        /// - Returns: `nil` if out of range; no valid file has such values.
        package init?(passes: Int, memoryKiB: Int) {
            guard Self.passesRange.contains(passes), Self.memoryRange.contains(memoryKiB),
                passes * memoryKiB <= Self.workMax
            else { return nil }
            self.passes = passes
            self.memoryKiB = memoryKiB
        }

        private init(known passes: Int, _ memoryKiB: Int) {
            self.passes = passes
            self.memoryKiB = memoryKiB
        }

        /// The second recommendation of RFC 9106 section 4, for small machines: three passes over 64 MiB.
        package static let usual = Cost(known: 3, 65_536)
        /// The minimum, for tests.
        package static let least = Cost(known: 1, 8)
    }

    package static func derive(
        _ passphrase: borrowing SecretBytes, salt: [UInt8], cost: Cost
    ) throws(PassphraseKeyError) -> SecretBytes {
        let key = Sodium.argon2id(
            passphrase, salt: salt, passes: cost.passes, memoryBytes: cost.memoryKiB << 10, count: 32)
        guard let key else { throw .noMemory(kibibytes: cost.memoryKiB) }
        return key
    }
}

/// Why a passphrase cannot open something.
package enum PassphraseKeyError: Error, Equatable, CustomStringConvertible {
    case wrong
    case noMemory(kibibytes: Int)

    package var description: String {
        switch self {
        case .wrong: "the passphrase is wrong"
        case .noMemory(let kibibytes):
            "the passphrase cannot be tried: that takes \((kibibytes + 1_023) / 1_024) MiB of memory; end other programs"
        }
    }
}
