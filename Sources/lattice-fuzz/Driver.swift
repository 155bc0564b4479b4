#if LATTICE_FUZZING
    internal import Glibc
    import LatticeFuzz

    // Safety: libFuzzer lends the bytes of an input for the length of one call, and they are copied before anything is done;
    // the arguments are copied once and live as long as the process.

    /// The function that libFuzzer calls for every input.
    typealias OneInput = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

    @_silgen_name("LLVMFuzzerRunDriver")
    func runDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ input: OneInput
    ) -> Int32

    /// Required by libFuzzer's own `main`, which this program does not use: its first argument is the target's name.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 { 0 }

    enum Driver {
        // Safety: written once, before libFuzzer starts.
        nonisolated(unsafe) private static var target: FuzzTarget?

        /// Passes the target's name to processes that libFuzzer starts for merging and minimising.
        private static let variable = "LATTICE_FUZZ_TARGET"

        static var inheritedTarget: FuzzTarget? {
            getenv(variable).flatMap { FuzzTarget.named(String(cString: $0)) }
        }

        static func run(_ target: FuzzTarget, _ arguments: [String]) {
            self.target = target
            setenv(variable, target.name, 1)
            let hasLimit = arguments.contains { $0.hasPrefix("-max_len=") }
            let limit = hasLimit ? [] : ["-max_len=\(target.inputBytesMax)"]
            var copies = (CommandLine.arguments.prefix(1) + limit + arguments).map { strdup($0) } + [nil]
            var count = Int32(copies.count - 1)
            let status = copies.withUnsafeMutableBufferPointer { buffer in
                guard var first = buffer.baseAddress else { return Int32(1) }
                return runDriver(&count, &first) { data, count in
                    Driver.check(Array(UnsafeBufferPointer(start: data, count: count)))
                    return 0
                }
            }
            exit(status)
        }

        /// A broken property ends the process, which reports a find to libFuzzer.
        private static func check(_ bytes: [UInt8]) {
            guard let target else { return }
            do {
                try target.check(bytes)
            } catch {
                let line = Array("lattice-fuzz: \(target.name): \(error)\n".utf8)
                _ = write(2, line, line.count)
                abort()
            }
        }
    }
#endif
