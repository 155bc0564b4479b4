import LatticeAPI
import LatticeChat

/// The commands of the wall in a chat, and `/doctor`, which examines the machine where it is typed: the node is of the same one.
struct DoctorSlash: ChatExtension {
    private static let word = "doctor"

    let others: any ChatExtension
    let doctor: Doctor

    var words: [String] { others.words + [Self.word] }

    var usage: [(call: String, summary: String)] {
        others.usage + [("/\(Self.word)", "find out why nobody appears, and what to do about it")]
    }

    func help(_ topic: String) -> [String] {
        guard topic.prefix(while: { $0 != " " }) == Self.word else { return others.help(topic) }
        return [
            "/\(Self.word)", "  Find out why nobody appears, and what to do about it.",
            "  It takes some seconds: the networks are looked at and listened to, and whoever was seen is tried to be reached.",
        ]
    }

    func foreword(_ word: String) -> String? {
        word == Self.word ? "looking at this machine and listening to the network; that takes some seconds" : nil
    }

    func run(_ word: String, _ rest: String, on node: any MeshNode) async -> WallOutput {
        guard word == Self.word else { return await others.run(word, rest, on: node) }
        guard rest.allSatisfy(\.isWhitespace) else {
            return WallOutput(
                failure: .usage(
                    "/\(Self.word) takes nothing; 'lattice \(Self.word) --help' tells what it can do in the shell"))
        }
        let diagnosis = await doctor.diagnosis(of: node)
        return doctor.output(diagnosis, context: Surroundings.ofChat())
    }
}
