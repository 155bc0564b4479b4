/// The operating system's random numbers: for keys, nonces, and seeds that nobody must guess.
package enum SecureRandom {
    package static func word() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package static func bytes(_ count: Int) -> [UInt8] {
        precondition(count >= 0, "a number of bytes is not negative")
        return Sodium.random(count)
    }
}
