package import LatticeAPI
package import LatticeChat

/// Adds `/doctor` to the shell commands in a chat. It examines this machine, on which the node runs as well.
package struct DoctorSlash: ChatExtension {
    private static let word = "doctor"

    let others: any ChatExtension
    let doctor: Doctor

    package init(others: any ChatExtension, doctor: Doctor) {
        self.others = others
        self.doctor = doctor
    }

    package var words: [String] { others.words + [Self.word] }

    package var usage: [(call: String, summary: String)] {
        others.usage + [("/\(Self.word)", "find out why nobody appears, and what to do")]
    }

    package func help(_ topic: String) -> [String] {
        guard topic.prefix(while: { $0 != " " }) == Self.word else { return others.help(topic) }
        return [
            "/\(Self.word)", "  Find out why nobody appears, and what to do.",
            "  It takes a few seconds: it checks the networks, listens for peers and tries to reach them.",
        ]
    }

    package func foreword(_ word: String) -> String? {
        word == Self.word ? "checking this machine and listening to the network; this takes a few seconds" : nil
    }

    package func run(
        _ word: String, _ rest: String, on node: any MeshNode, progress: @escaping CommandProgress
    ) async -> CommandOutput {
        guard word == Self.word else { return await others.run(word, rest, on: node, progress: progress) }
        guard rest.allSatisfy(\.isWhitespace) else {
            return CommandOutput(
                failure: .usage(
                    "/\(Self.word) takes no arguments; 'lattice \(Self.word) --help' shows what it can do in the shell")
            )
        }
        let diagnosis = await doctor.diagnosis(of: node)
        return doctor.output(diagnosis, context: Surroundings.ofChat())
    }
}
