import Testing

@testable import LatticeGuide

/// Text for man(7).
@Suite struct RoffTests {
    @Test func textIsNeverTakenForARequest() {
        #expect(Roff.escaped(".SH x") == "\\&.SH x")
        #expect(Roff.escaped("'x") == "\\&'x")
        #expect(Roff.escaped("a\\fB-b") == "a\\efB\\-b")
        #expect(
            Roff.paragraphs("One.\n\n  a\n  b\n\nTwo.") == [
                "One.", ".PP", ".RS 4", ".nf", "a", "b", ".fi", ".RE", ".PP", "Two.",
            ])
    }
}
