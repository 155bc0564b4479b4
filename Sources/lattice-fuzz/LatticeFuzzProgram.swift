internal import Glibc
import LatticeChat
import LatticeFuzz

/// Entry point: without libFuzzer it runs files through a target; built with it (`tools/fuzz`) it searches for new
/// inputs.
@main
struct LatticeFuzzProgram {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        #if LATTICE_FUZZING
            if let target = Driver.inheritedTarget { return Driver.run(target, Array(arguments)) }
        #endif
        switch arguments.first {
        case nil, "-h", "--help", "help": print(usage)
        case "list": for target in FuzzTarget.all { print(target.row) }
        case let name?:
            guard let target = FuzzTarget.named(name) else { end(64, unknown(name)) }
            run(target, Array(arguments.dropFirst()))
        }
    }

    private static let usage = """
        usage: lattice-fuzz list                what there is
               lattice-fuzz TARGET FILE ...     run files through a target
        tools/fuzz TARGET SECONDS looks for new ones.
        """

    private static func unknown(_ name: String) -> String {
        let names = FuzzTarget.all.map(\.name)
        guard let nearest = Spelling.nearest(to: name, among: names) else {
            return "there is no target '\(name)'; these are: \(names.joined(separator: ", "))"
        }
        return "there is no target '\(name)'; did you mean '\(nearest)'?"
    }

    #if LATTICE_FUZZING
        /// All arguments after the name go to libFuzzer.
        private static func run(_ target: FuzzTarget, _ arguments: [String]) {
            Driver.run(target, arguments)
        }
    #else
        private static func run(_ target: FuzzTarget, _ files: [String]) {
            guard !files.isEmpty else {
                end(64, "name the files to run; tools/fuzz \(target.name) 60 looks for new ones")
            }
            var broken = 0
            for file in files {
                guard let bytes = InputFile.bytes(file) else { end(66, "\(file) cannot be read") }
                do {
                    try target.check(bytes)
                    print("\(file): holds")
                } catch {
                    broken += 1
                    print("\(file): \(error)")
                }
            }
            if broken > 0 { end(1, "\(broken) of \(files.count) files break '\(target.name)'") }
        }
    #endif

    static func end(_ code: Int32, _ sentence: String) -> Never {
        let line = Array("lattice-fuzz: \(sentence)\n".utf8)
        // If standard error cannot be written, there is no other place to report it.
        _ = write(2, line, line.count)
        exit(code)
    }
}

extension FuzzTarget {
    fileprivate var row: String {
        name + String(repeating: " ", count: max(1, 12 - name.count)) + "\(inputBytesMax)\t\(summary)"
    }
}
