import Glibc

/// The functions of the C library for this module, with angles in radians; Swift's standard library has none. This is
/// the only file of the module with an outside dependency.
///
/// Results may differ in the last bit between C libraries, so nothing that peers must agree on and nothing in an index
/// depends on them: coordinates, geohashes and cells use only integers.
enum Trigonometry {
    static func sine(_ angle: Double) -> Double { sin(angle) }

    static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// - Parameter ratio: clamped to −1…1 in case of rounding.
    static func arcsine(_ ratio: Double) -> Double { asin(min(1, max(-1, ratio))) }

    /// - Returns: −π…π; 0 if both are 0.
    static func angle(y: Double, x: Double) -> Double { atan2(y, x) }

    /// sin² of half an angle, for the haversine formula. It keeps precision where 1 − cos loses it.
    static func haversine(_ angle: Double) -> Double {
        let half = sin(angle / 2)
        return half * half
    }
}
