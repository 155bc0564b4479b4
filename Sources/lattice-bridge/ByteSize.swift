import ArgumentParser

/// A number of bytes on the command line, such as `10G`.
enum ByteSize {
    /// - Parameters:
    ///   - option: whose value it is.
    ///   - orZero: whether `0` is allowed, too.
    static func parsed(_ text: String, _ option: String, orZero: Bool = false) throws -> Int64 {
        if orZero, text == "0" { return 0 }
        guard let match = text.wholeMatch(of: #/([1-9][0-9]{0,8})([KMGT])/#), let number = Int64(match.1) else {
            throw ValidationError(
                "write \(option) as a number with K, M, G or T, such as 10G\(orZero ? ", or 0" : "").")
        }
        let power = ["K": 10, "M": 20, "G": 30, "T": 40][match.2] ?? 0
        let (size, isTooLarge) = number.multipliedReportingOverflow(by: 1 << Int64(power))
        guard !isTooLarge else { throw ValidationError("\(option) is too large.") }
        return size
    }
}
