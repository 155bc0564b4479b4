import Glibc

/// The functions of the C library that the globe needs, angles in radians: the standard library of Swift has none. They
/// are the only thing this room takes from outside, and this file is the only one that does.
///
/// They may differ in the last bit between two C libraries, so nothing that peers must agree on, and nothing that an
/// index holds, comes out of them: a coordinate, a geohash and a cell are whole numbers throughout.
enum Trigonometry {
    static func sine(_ angle: Double) -> Double { sin(angle) }

    static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// - Parameter ratio: what rounding pushed beyond −1…1 is pulled back.
    static func arcsine(_ ratio: Double) -> Double { asin(min(1, max(-1, ratio))) }

    /// - Returns: −π…π; 0 where both are 0.
    static func angle(y: Double, x: Double) -> Double { atan2(y, x) }

    /// sin² of half an angle: what the haversine formula adds up. It keeps its digits where 1 − cos loses them.
    static func haversine(_ angle: Double) -> Double {
        let half = sin(angle / 2)
        return half * half
    }
}
