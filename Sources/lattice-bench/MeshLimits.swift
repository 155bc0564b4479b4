import CBaseline
import Foundation

/// What plain TCP and libsodium take for the same work, in C processes.
// Safety: arrays are lent for the length of a call, with their true counts.
struct MeshLimits {
    let bytes: Int
    /// `nil` if there is no compiler.
    let empty: EmptyProgram?

    /// Pins this thread, and all processes that it creates, to the first processors.
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
        guard baseline_round_trips(&way, Int32(count), &taken) == 0 else { throw BenchError.limitFailed }
        return Sample(taken)
    }

    /// Messages a second, and the microseconds that all processes together work for each.
    func stream(
        _ count: Int, isSigned: Bool, relays: Int, perRecord: Int = 1
    ) throws -> (rate: Double, processor: Double) {
        var way = way(isSigned: isSigned, relays: relays, perRecord: perRecord)
        let before = Self.workedWithChildren
        let rate = try checked(baseline_stream(&way, Int32(count)))
        return (rate, (Self.workedWithChildren - before) * 1e6 / Double(count))
    }

    /// Delays at a given rate a second, from when each message was due to its arrival, in microseconds.
    func paced(_ count: Int, rate: Int, isSigned: Bool) throws -> Sample {
        var way = way(isSigned: isSigned, relays: 0)
        var taken = [Double](repeating: 0, count: count)
        guard baseline_paced(&way, Int32(count), Int32(rate), &taken) == 0 else { throw BenchError.limitFailed }
        return Sample(taken)
    }

    /// Processor time in seconds, including ended processes.
    private static var workedWithChildren: Double {
        [RUSAGE_SELF, RUSAGE_CHILDREN].map { whose in
            var usage = rusage()
            getrusage(__rusage_who_t(whose.rawValue), &usage)
            return usage.processorSeconds
        }.reduce(0, +)
    }

    /// Messages a second, to all readers together.
    func fanOut(_ count: Int, readers: Int, isSigned: Bool, perRecord: Int = 1) throws -> Double {
        var way = way(isSigned: isSigned, relays: 0, perRecord: perRecord)
        return try checked(baseline_fan_out(&way, Int32(readers), Int32(count)))
    }

    /// Microseconds of each handshake.
    static func handshakes(_ count: Int) throws -> [Double] {
        var taken = [Double](repeating: 0, count: count)
        guard baseline_handshakes(Int32(count), &taken) == 0 else { throw BenchError.limitFailed }
        return taken
    }

    /// Different messages, enough that branch prediction cannot learn them.
    private static let signaturesTimed: Int32 = 500

    /// Microseconds of signing and of verifying.
    func signatures() throws -> (sign: Double, verify: Double) {
        (
            try checked(baseline_sign_microseconds(Int32(bytes), Self.signaturesTimed)),
            try checked(baseline_verify_microseconds(Int32(bytes), Self.signaturesTimed))
        )
    }

    private func checked(_ figure: Double) throws -> Double {
        guard figure > 0 else { throw BenchError.limitFailed }
        return figure
    }
}
