import CPicture
import Foundation
import Glibc
import LatticeConcurrency
import Testing

@testable import LatticePicture
@testable import LatticePictureDecoder

/// Children are the `lattice` that was built beside these tests, or scripts that behave badly.
@Suite(.serialized) struct PictureDecoderTests {
    private static let lattice: String = {
        let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "lattice").path(percentEncoded: false)
        if FileManager.default.isExecutableFile(atPath: built) { return built }
        return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: ".build/debug/lattice").path(percentEncoded: false)
    }()

    private func picture() throws -> [UInt8] {
        try MadePictures.photographed(try MadePictures.quarters(900, 600), orientation: 6)
    }

    private func decoder(
        _ program: String, waitersMax: Int = 4, timeMax: Duration = .seconds(60)
    ) -> PictureDecoder {
        PictureDecoder(program: program, slots: PictureSlots(count: 2, waitersMax: waitersMax), timeMax: timeMax)
    }

    /// Runs `body` with the path of a script that is used as a child.
    private func withScript(_ lines: String, _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
            .path(percentEncoded: false)
        try "#!/bin/sh\n\(lines)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        defer { unlink(path) }
        try await body(path)
    }

    /// Children of this process, dead ones too.
    private func children() throws -> [Substring] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").flatMap { thread in
            // A thread may have ended in between.
            let path = "/proc/self/task/\(thread)/children"
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
            return (text ?? "").split(separator: " ")
        }
    }

    private func sockets() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            var facts = stat()
            return stat("/proc/self/fd/\(name)", &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
        }
    }

    // MARK: - Photos

    @Test func aChildMakesTheSamePhoto() async throws {
        let (bytes, decoder) = (try picture(), PictureDecoder(program: Self.lattice))
        #expect(try await decoder.render(bytes) == PictureRenderer.render(bytes))
        let box = PictureSize(side: 120)
        #expect(try await decoder.pixels(bytes, within: box) == PictureRenderer.pixels(bytes, within: box))
    }

    @Test func aChildSaysWhatIsWrongWithAPicture() async throws {
        let decoder = PictureDecoder(program: Self.lattice)
        let bytes = try picture()
        await #expect(throws: PictureFault.damaged) { try await decoder.render(Array(bytes.prefix(bytes.count / 2))) }
        await #expect(throws: PictureFault.notAPicture) { try await decoder.render(ForeignPictures.film) }
        await #expect(throws: PictureFault.tooManyPixels) {
            try await decoder.render(try MadePictures.claiming(16_384, 16_384, bytes))
        }
    }

    /// In a child with its limit of memory: 64 megapixels of a JPEG, and the most that WebP may take.
    @Test func theLargestPicturesFitIntoAChild() async throws {
        let decoder = decoder(Self.lattice)
        let webp = try await decoder.render(MadePictures.webp(7_000, 7_000, MadePictures.green))
        #expect(webp.photo.size == PictureSize(side: 560))
        let jpeg = try await decoder.render(MadePictures.grayJPEG(width: 9_248, height: 6_936))
        #expect(jpeg.photo.size == PictureSize(width: 560, height: 420))
    }

    @Test func twoChildrenRunAtOnceAndOthersWait() async throws {
        let (bytes, decoder) = (try picture(), decoder(Self.lattice, waitersMax: 6))
        let expected = try PictureRenderer.render(bytes)
        try await withThrowingTaskGroup(of: RenderedPhoto.self) { group in
            for _ in 0..<8 { group.addTask { try await decoder.render(bytes) } }
            for try await rendered in group { #expect(rendered == expected) }
        }
    }

    // MARK: - Limits

    @Test func aChildHasItsLimitsBeforeItReads() async throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let child = try BareChild(program: Self.lattice, ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        defer { child.end() }
        // Nothing was sent, so it waits once its limits are set.
        let proc = "/proc/\(child.identifier)"
        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: "\(proc)/\(name)") ?? Data(), as: UTF8.self)
        }
        var status = text("status")
        while !status.contains("Seccomp:\t2"), child.isRunning { status = text("status") }
        #expect(status.contains("Seccomp:\t2\n"), "it has ended, or this system filters no calls")
        #expect(status.contains("NoNewPrivs:\t1\n"))
        #expect(status.contains("Threads:\t1\n"))
        let limits = text("limits").split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for limit in [
            "Max cpu time 5 6 seconds", "Max file size 0 0 bytes", "Max core file size 0 0 bytes",
            "Max processes 0 0 processes", "Max open files 0 0 files",
        ] {
            #expect(limits.contains(limit), "\(limits)")
        }
        let space = try #require(limits.first { $0.hasPrefix("Max address space") }).split(separator: " ")[3]
        let mapped = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmSize:") })
        let kibibytes = try #require(mapped.split(separator: " ").compactMap { Int($0) }.first)
        #expect(abs(try #require(Int(space)) - kibibytes * 1_024 - 256 << 20) < 16 << 20)
        let open = try FileManager.default.contentsOfDirectory(atPath: "\(proc)/fd")
        #expect(Set(open) == ["0", "1", "2"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(proc)/fd/2") == "/dev/null")
        #expect(text("environ") == "SWIFT_BACKTRACE=enable=no\0")
    }

    @Test func aChildThatComputesForEverIsTooSlow() async throws {
        try await withScript("ulimit -S -t 1; while :; do :; done") { script in
            await #expect(throws: PictureFault.tooSlow) { try await decoder(script).render(try picture()) }
        }
        #expect(try children().isEmpty)
        // The parent goes on.
        #expect(throws: Never.self) { try PictureRenderer.render(try picture()) }
    }

    @Test func aChildThatDoesNothingIsTooSlow() async throws {
        // The last one hangs up and stays.
        for lines in ["exec sleep 1000", "trap '' TERM; exec sleep 1000", "exec >&- <&-; exec sleep 1000"] {
            try await withScript(lines) { script in
                let decoder = decoder(script, timeMax: .milliseconds(300))
                await #expect(throws: PictureFault.self) { try await decoder.render(try picture()) }
            }
            #expect(try children().isEmpty)
        }
    }

    @Test(arguments: [
        ("kill -SEGV $$", "a child ended with signal 11"), ("kill -KILL $$", "a child ended with signal 9"),
        ("exit 0", "a child said what means nothing"), ("exit 3", "a child said what means nothing"),
        ("echo hello", "a child said what means nothing"), ("exec cat", "a child said what means nothing"),
        ("exec cat /dev/zero", "a child said more than it was asked for"),
    ])
    func aChildThatFailsIsAFault(lines: String, reason: String) async throws {
        // It says the picture again, and waits for more of it.
        let isEndless = lines == "exec cat"
        try await withScript(lines) { script in
            let decoder = decoder(script, timeMax: isEndless ? .milliseconds(300) : .seconds(60))
            let fault = isEndless ? PictureFault.tooSlow : .failed(reason)
            await #expect(throws: fault) { try await decoder.render(try picture()) }
        }
        #expect(try children().isEmpty)
    }

    @Test func aProgramThatIsNotThereIsAFault() async throws {
        let missing = "/nowhere/lattice"
        await #expect(throws: PictureFault.failed("\(missing) does not start: errno \(ENOENT)")) {
            try await decoder(missing).render(try picture())
        }
    }

    @Test func noChildIsNeededForWhatIsNoPicture() async throws {
        let decoder = decoder("/nowhere/lattice")
        await #expect(throws: PictureFault.notAPicture) { try await decoder.render(Array("a text".utf8)) }
        let large = [UInt8](repeating: 0xFF, count: PictureFormat.bytesMax + 1)
        await #expect(throws: PictureFault.tooLarge(bytesMax: 64 << 20)) { try await decoder.render(large) }
    }

    // MARK: - Ends

    @Test func cancellingEndsTheChildAndThoseThatWait() async throws {
        let bytes = try picture()
        try await withScript("exec sleep 1000") { script in
            let slots = PictureSlots(count: 2, waitersMax: 2)
            let decoder = PictureDecoder(program: script, slots: slots, timeMax: .seconds(60))
            await withTaskGroup(of: PictureFault?.self) { group in
                // Two run, two wait.
                for _ in 0..<4 {
                    group.addTask {
                        do throws(PictureFault) {
                            _ = try await decoder.render(bytes)
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                while slots.waiterCount < 2 { await Task.yield() }
                group.cancelAll()
                for await fault in group { #expect(fault == .failed("cancelled")) }
            }
        }
        #expect(try children().isEmpty)
    }

    @Test func aSlotThatIsGivenBackIsTakenAgain() async throws {
        let slots = PictureSlots(count: 1, waitersMax: 1)
        try await slots.take()
        let signal = Signal()
        async let second: Void = {
            signal.raise()
            try await slots.take()
        }()
        await signal.wait()
        while slots.waiterCount == 0 { await Task.yield() }
        await #expect(throws: PictureFault.failed("too many pictures wait for their turn")) { try await slots.take() }
        slots.giveBack()
        try await second
        slots.giveBack()
        try await slots.take()
    }

    @Test func nothingIsLeftOfAChild() async throws {
        let before = try sockets()
        let decoder = decoder(Self.lattice)
        for _ in 0..<3 { _ = try await decoder.render(try picture()) }
        try await withScript("exit 0") { script in
            await #expect(throws: PictureFault.self) { try await self.decoder(script).render(try picture()) }
        }
        #expect(try children().isEmpty)
        #expect(try sockets() == before)
    }

    /// A child without the parent's half.
    private struct BareChild {
        let identifier: pid_t

        init(program: String, _ descriptor: Int32) throws {
            var child = pid_t()
            try #require(cpicture_spawn(program, PictureChild.argument, descriptor, &child) == 0)
            identifier = child
        }

        var isRunning: Bool {
            var facts = siginfo_t()
            return waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_signo == 0
        }

        func end() {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
    }

    /// A person who types the hidden word gets what is said of any word that is no command.
    @Test func theArgumentAloneIsNoCommand() throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.lattice)
        process.arguments = [PictureChild.argument]
        let (output, error) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), output, error)
        try process.run()
        let words = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(words.contains(PictureChild.argument))
    }
}
