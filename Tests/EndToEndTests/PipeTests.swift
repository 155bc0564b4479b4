import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Bytes from a program of one person to a program of another.
    @Suite(.timeLimit(.minutes(10))) struct PipeTests {
        /// `lattice run`, as a node that others dial.
        private struct House {
            let stage: Stage
            let name: String
            let home: String
            let node: Peer

            func pipe(
                _ arguments: [String], from input: String? = nil, to output: String? = nil
            ) throws -> Peer {
                let words = arguments.map { "'\($0)'" }.joined(separator: " ")
                let call = "exec '\(Program.path)' pipe --name \(name) \(words) <'\(input ?? "/dev/null")'"
                let command = ["sh", "-c", output.map { "\(call) >'\($0)'" } ?? call]
                return try stage.run(command, as: "\(name)'s pipe", home: home, isProgram: false)
            }

            func address() async throws -> String {
                let text = try await eventually("\(name) listens") { node.error.text.firstMatch(of: /port=([0-9]+)/) }
                return "127.0.0.1:\(text.1)"
            }
        }

        private func house(_ name: String, on stage: Stage, dialling others: [House] = [], alone: Bool = false)
            async throws -> House
        {
            var arguments = ["run", "--name", name, "--discovery", "off"]
            if alone { arguments += ["--invitations", "none"] }
            for other in others { arguments += ["--peer", try await other.address()] }
            let home = "\(stage.folder)/\(name)"
            let house = House(
                stage: stage, name: name, home: home, node: try stage.run(arguments, as: name, home: home))
            _ = try await house.address()
            return house
        }

        /// A file of bytes that no text has.
        private func file(_ name: String, of count: Int, on stage: Stage) throws -> String {
            let path = "\(stage.folder)/\(name)"
            var state: UInt64 = 7
            var bytes = Data(capacity: count)
            while bytes.count < count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(truncatingIfNeeded: state >> 56))
            }
            try bytes.write(to: URL(filePath: path))
            return path
        }

        private func listens(_ pipe: Peer) async throws {
            try await eventually("\(pipe.name) listens") { pipe.error.text.contains("listening as") }
        }

        private func areSame(_ left: String, _ right: String) -> Bool {
            FileManager.default.contentsEqual(atPath: left, andPath: right)
        }

        private func goesBothWays(from left: House, to right: House, on stage: Stage) async throws {
            let (there, back) = (
                try file("there", of: 3_000_001, on: stage), try file("back", of: 2_000_003, on: stage)
            )
            let (heardThere, heardBack) = ("\(stage.folder)/heardThere", "\(stage.folder)/heardBack")
            let listening = try right.pipe(["--listen"], from: back, to: heardThere)
            try await listens(listening)
            let opening = try left.pipe([right.name, "--wait", "500"], from: there, to: heardBack)
            #expect(try await opening.exitCode() == 0)
            #expect(try await listening.exitCode() == 0)
            #expect(areSame(there, heardThere) && areSame(back, heardBack))
        }

        @Test func filesGoBothWaysAtOnceBetweenWhatRuns() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let bob = try await house("bob", on: stage, dialling: [anna])
                try await goesBothWays(from: bob, to: anna, on: stage)
            }
        }

        @Test func theyGoOverSomebodyBetween() async throws {
            try await onStage { stage in
                let middle = try await house("middle", on: stage)
                let anna = try await house("anna", on: stage, dialling: [middle], alone: true)
                let bob = try await house("bob", on: stage, dialling: [middle], alone: true)
                try await goesBothWays(from: bob, to: anna, on: stage)
            }
        }

        @Test func aPipeNeedsNothingThatRuns() async throws {
            try await onStage { stage in
                let there = try file("there", of: 300_001, on: stage)
                let heard = "\(stage.folder)/heard"
                let anna = try await house("anna", on: stage)
                let listening = try anna.pipe(["--listen", "--label", "backup"], to: heard)
                try await listens(listening)
                let arguments = [
                    "pipe", "anna", "--label", "backup", "--name", "bob", "--discovery", "off", "--peer",
                    try await anna.address(), "--wait", "500",
                ]
                let input = open(there, O_RDONLY | O_CLOEXEC)
                let opening = try stage.run(arguments, as: "bob", input: input)
                close(input)
                #expect(try await opening.exitCode() == 0)
                #expect(try await listening.exitCode() == 0)
                #expect(areSame(there, heard))
            }
        }

        /// A known person is found before there is a route to them.
        @Test func somebodyWhoIsKnownIsWaitedForAsAnybodyIs() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let home = "\(stage.folder)/bob"
                let arguments = [
                    "pipe", "anna", "--name", "bob", "--discovery", "off", "--peer", try await anna.address(),
                    "--wait", "500",
                ]
                for _ in 0..<2 {
                    let listening = try anna.pipe(["--listen"])
                    try await listens(listening)
                    let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
                    let opening = try stage.run(arguments, as: "bob", home: home, input: input)
                    close(input)
                    #expect(try await opening.exitCode() == 0)
                    #expect(try await listening.exitCode() == 0)
                }
            }
        }

        @Test func whereNobodyListensOrIsThereItSaysSoByItsCode() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let bob = try await house("bob", on: stage, dialling: [anna])
                try await eventually("nobody listens there") {
                    let pipe = try bob.pipe(["anna", "--wait", "1"])
                    guard try await pipe.exitCode() == 75 else { return false }
                    return pipe.error.text.contains("nobody listens there")
                }
                let nobody = try bob.pipe(["zoe", "--wait", "0"])
                #expect(try await nobody.exitCode() == 69)
                let alone = try bob.pipe(["--listen", "--wait", "0"])
                #expect(try await alone.exitCode() == 69)
            }
        }

        @Test func whoeverIsBlockedCannotOpenAStreamNorBeOpenedOneTo() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let bob = try await house("bob", on: stage, dialling: [anna])
                try await eventually("anna knows bob") {
                    let block = try stage.run(["block", "--name", "anna", "bob"], home: anna.home)
                    return try await block.exitCode() == 0
                }
                let listening = try anna.pipe(["--listen", "--wait", "6"])
                try await listens(listening)
                let opening = try bob.pipe(["anna", "--wait", "1"])
                #expect(try await opening.exitCode() != 0)
                let other = try anna.pipe(["bob", "--wait", "0"])
                #expect(try await other.exitCode() == 1)
                #expect(other.error.text.contains("you have blocked this person"))
                #expect(try await listening.exitCode() == 69)
            }
        }

        /// The process that listens is killed, and then the whole node.
        @Test func whoeverIsLeftIsToldThatTheOtherSideIsGone() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let bob = try await house("bob", on: stage, dialling: [anna])
                let held = try Pipe()
                defer { close(held.writer) }
                for kill in ["the pipe", "the node"] {
                    let listening = try anna.pipe(["--listen"], to: "/dev/null")
                    try await listens(listening)
                    // Its input does not end, so neither does the stream.
                    let opening = try stage.run(
                        ["pipe", "--name", "bob", "anna", "--wait", "500"], as: "bob's pipe", home: bob.home,
                        input: dup(held.reader))
                    try await eventually("it is open") { listening.error.text.contains("has connected") }
                    if kill == "the pipe" { listening.child.send(SIGKILL) } else { anna.node.child.send(SIGKILL) }
                    #expect(try await opening.exitCode() == 1, "\(kill)")
                    #expect(opening.error.text.contains("lattice: "))
                }
            }
        }

        @Test func aPipeThatIsKilledHasNotFinished() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let bob = try await house("bob", on: stage, dialling: [anna])
                let heard = "\(stage.folder)/heard"
                for _ in 0..<5 {
                    let held = try Pipe()
                    defer { close(held.writer) }
                    // It has no input, so its direction ends first.
                    let listening = try anna.pipe(["--listen"], to: heard)
                    try await listens(listening)
                    let opening = try stage.run(
                        ["pipe", "--name", "bob", "anna", "--wait", "500"], as: "bob's pipe", home: bob.home,
                        input: held.reader)
                    #expect(write(held.writer, "x", 1) == 1)
                    try await eventually("a byte came") { FileManager.default.contents(atPath: heard)?.count == 1 }
                    opening.child.send(SIGKILL)
                    #expect(try await listening.exitCode() == 1)
                    #expect(listening.error.text.contains("the program on the other side ended early"))
                }
            }
        }

        @Test func aFullDiskAtTheOtherSideIsToldInWords() async throws {
            try await onStage { stage in
                let anna = try await house("anna", on: stage)
                let bob = try await house("bob", on: stage, dialling: [anna])
                let listening = try anna.pipe(["--listen"], to: "/dev/full")
                try await listens(listening)
                let opening = try bob.pipe(
                    ["anna", "--wait", "500"], from: try file("there", of: 1_000_000, on: stage))
                #expect(try await opening.exitCode() == 1)
                #expect(opening.error.text.contains("the disk on the other side is full"))
                #expect(try await listening.exitCode() == 1)
            }
        }
    }
}
