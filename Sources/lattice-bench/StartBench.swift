import ArgumentParser
import Foundation

/// How long a person waits for the program: from its start to the prompt, to the first line, and to the end, compared
/// with empty programs.
struct StartBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Time from the start of the process to the prompt, or to its end, beside empty programs.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Rounds, in turn.")
    var runs = 40

    @Option(help: "Lines in the store, and posts in the store.")
    var lines = 200

    @Option(help: "Network interface to use; no other is used.")
    var interface = "lo"

    @Option(help: "Launcher that builds the program if needed, such as tools/lattice; the program must be up to date.")
    var launcher: String?

    private enum End {
        case said(String)
        case over
    }

    private struct Course {
        let name: String
        let words: [String]
        var face = SpawnedProcess.Face.pipe
        let end: End
    }

    func run() throws {
        try withScratch { folder in
            let home = folder.appending(path: "home").path
            try fill(home)
            let courses = try limits(in: folder) + ours(home)
            var times = [[Taken]](repeating: [], count: courses.count)
            // The first round only loads the files into memory.
            for round in 0...runs {
                for (number, course) in courses.enumerated() {
                    let taken = try measure(course)
                    if round > 0 { times[number].append(taken) }
                }
            }
            let bare = Sample(times[0].map(\.wallTime)).median
            for (course, times) in zip(courses, times) {
                let sample = Sample(times.map(\.wallTime))
                try report([
                    "bench": "start", "what": course.name, "runs": runs, "p50_ms": rounded(sample.median * 1_000),
                    "p99_ms": rounded(sample.percentile(99) * 1_000),
                    "cpu_p50_ms": rounded(Sample(times.map(\.processor)).median * 1_000), "limit": courses[0].name,
                    "over_limit_ms": rounded((sample.median - bare) * 1_000),
                    "times_limit": rounded(sample.median / bare),
                ])
            }
        }
    }

    private func limits(in folder: URL) throws -> [Course] {
        let empty = try EmptyProgram.both(in: folder).map { program in
            Course(name: "empty Swift program, \(program.name)", words: [program.path], end: .said("\n"))
        }
        return empty + [Course(name: "/bin/true", words: ["/bin/true"], end: .over)]
    }

    private func ours(_ home: String) -> [Course] {
        let chat = [target.path, "chat", "--data-dir", home, "--interface", interface]
        var courses = ["off", "embedded", "auto"].map { discovery in
            Course(
                name: "chat --json, discovery \(discovery)", words: chat + ["--json", "--discovery", discovery],
                end: .said("\n"))
        }
        courses.append(Course(name: "chat on a terminal", words: chat, face: .terminal, end: .said("#lobby>")))
        courses.append(
            Course(name: "near", words: [target.path, "near", "40.7140,-74.0030", "--data-dir", home], end: .over))
        courses.append(Course(name: "--version", words: [target.path, "--version"], end: .over))
        if let launcher {
            courses.append(Course(name: "\(launcher) --version", words: [launcher, "--version"], end: .over))
        }
        courses.append(Course(name: "--help", words: [target.path, "--help"], end: .over))
        return courses
    }

    /// In seconds.
    private struct Taken {
        var wallTime: Double
        /// Processor time until then, which other load on the machine does not change.
        var processor: Double
    }

    private func measure(_ course: Course) throws -> Taken {
        let process = SpawnedProcess(words: course.words, face: course.face, environment: ["XDG_RUNTIME_DIR": ""])
        try process.start()
        switch course.end {
        case .over:
            let end = try process.waitForEnd()
            return Taken(wallTime: end.wallTime, processor: end.processor)
        case .said(let text):
            defer { process.end() }
            let wallTime = try process.wait(for: text)
            let cost = ProcessCost(identifier: process.identifier)
            return Taken(wallTime: wallTime, processor: try cost.processorSecondsExactly())
        }
    }

    /// Prepares the data of a returning user.
    private func fill(_ home: String) throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: target.path)
        process.arguments = ["chat", "--data-dir", home, "--discovery", "off"]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "XDG_RUNTIME_DIR" }
        try process.run()
        let words = (0..<lines).map { "line \($0)\n/post Water at gate \($0) --at 40.71\($0 % 10),-74.00\($0 % 7)\n" }
        try input.fileHandleForWriting.write(contentsOf: Data(words.joined().utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        // 69: nobody was there to hear it.
        guard [0, 69].contains(process.terminationStatus) else { throw BenchError("the store was not filled") }
    }
}
