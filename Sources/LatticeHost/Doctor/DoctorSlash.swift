import LatticeAPI
import LatticeChat

/// The commands of the wall in a chat, and `/doctor`, which examines the machine where it is typed: the node is of the same one.
struct DoctorSlash: ChatExtension {
    private static let word = "doctor"

    let others: any ChatExtension
    let doctor: Doctor

    var words: [String] { others.words + [Self.word] }

    var usage: [(call: String, summary: String)] {
        others.usage + [("/\(Self.word)", "find out why nobody appears, and what to do")]
    }

    func help(_ topic: String) -> [String] {
        guard topic.prefix(while: { $0 != " " }) == Self.word else { return others.help(topic) }
        return [
            "/\(Self.word)", "  Find out why nobody appears, and what to do.",
            "  It takes a few seconds: it checks the networks, listens for peers and tries to reach them.",
        ]
    }

    func foreword(_ word: String) -> String? {
        word == Self.word ? "checking this machine and listening to the network; this takes a few seconds" : nil
    }

    func run(_ word: String, _ rest: String, on node: any MeshNode) async -> WallOutput {
        guard word == Self.word else { return await others.run(word, rest, on: node) }
        guard rest.allSatisfy(\.isWhitespace) else {
            return WallOutput(
                failure: .usage(
                    "/\(Self.word) takes no arguments; 'lattice \(Self.word) --help' shows what it can do in the shell")
            )
        }
        let diagnosis = await doctor.diagnosis(of: node)
        return doctor.output(diagnosis, context: Surroundings.ofChat())
    }
}
