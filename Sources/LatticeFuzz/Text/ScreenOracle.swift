/// Text from strangers that must never reach a screen. Written out independently of the code under test.
enum ScreenOracle {
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2067,
            0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// - Throws: if a line could act on a screen, or leaves an isolate (U+2068) unclosed (U+2069).
    static func check(_ line: String, of what: String) throws(BrokenProperty) {
        var depth = 0
        for scalar in line.unicodeScalars {
            try hold(!isForbidden(scalar), "U+\(String(scalar.value, radix: 16)) comes out of \(what)")
            if scalar == "\u{2068}" { depth += 1 }
            if scalar == "\u{2069}" { depth -= 1 }
            try hold((0...1).contains(depth), "an isolate of \(what) is not ours")
        }
        try hold(depth == 0, "an isolate of \(what) stays open")
    }
}
