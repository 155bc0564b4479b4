import CBaseline
import Foundation

/// What bare TCP and libsodium take for the same, each process in C.
// Safety: arrays are lent for the length of a call, with their true counts.
struct MeshLimits {
    let bytes: Int

    /// Keeps this thread, and every process that it makes, to the first so many processors.
    static func pin(to processors: Int) throws {
        let code = baseline_pin(Int32(processors))
        guard code == 0 else { throw BenchError("cannot be pinned: \(String(cString: strerror(code)))") }
    }

    private func way(isSigned: Bool, relays: Int, perRecord: Int = 1) -> baseline_way {
        baseline_way(
            bytes: Int32(bytes), is_signed: isSigned ? 1 : 0, relays: Int32(relays), per_record: Int32(perRecord))
    }

    func roundTrips(_ count: Int, isSigned: Bool, relays: Int) throws -> Sample {
        var way = way(isSigned: isSigned, relays: relays)
        var taken = [Double](repeating: 0, count: count)
        guard baseline_round_trips(&way, Int32(count), &taken) == 0 else { throw BenchError("the limit failed") }
        return Sample(taken)
    }

    /// A second.
    func stream(_ count: Int, isSigned: Bool, relays: Int, perRecord: Int = 1) throws -> Double {
        var way = way(isSigned: isSigned, relays: relays, perRecord: perRecord)
        return try checked(baseline_stream(&way, Int32(count)))
    }

    /// A second, to all readers together.
    func fanOut(_ count: Int, readers: Int, isSigned: Bool, perRecord: Int = 1) throws -> Double {
        var way = way(isSigned: isSigned, relays: 0, perRecord: perRecord)
        return try checked(baseline_fan_out(&way, Int32(readers), Int32(count)))
    }

    /// Microseconds.
    func handshakes(_ count: Int) throws -> Sample {
        var taken = [Double](repeating: 0, count: count)
        guard baseline_handshakes(Int32(count), &taken) == 0 else { throw BenchError("the limit failed") }
        return Sample(taken)
    }

    /// So many different ones that no processor learns their branches.
    private static let signaturesTimed: Int32 = 500

    /// Microseconds of a signature, and of its verification.
    func signatures() throws -> (sign: Double, verify: Double) {
        (
            try checked(baseline_sign_microseconds(Int32(bytes), Self.signaturesTimed)),
            try checked(baseline_verify_microseconds(Int32(bytes), Self.signaturesTimed))
        )
    }

    private func checked(_ figure: Double) throws -> Double {
        guard figure > 0 else { throw BenchError("the limit failed") }
        return figure
    }
}
