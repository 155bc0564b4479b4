/// xoshiro256** (Blackman and Vigna 2018), seeded through SplitMix64: the only source of randomness, so that a seed
/// reproduces a run.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    package init(seed: UInt64) {
        var mixer = seed
        func next() -> UInt64 {
            mixer &+= 0x9E37_79B9_7F4A_7C15
            var word = mixer
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
        let (first, second, third, fourth) = (next(), next(), next(), next())
        state = (first, second, third, fourth)
    }

    package mutating func next() -> UInt64 {
        let scrambled = state.1 &* 5
        let result = (scrambled << 7 | scrambled >> 57) &* 9
        let carried = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= carried
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }
}
