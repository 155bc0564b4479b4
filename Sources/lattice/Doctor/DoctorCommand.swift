import ArgumentParser
import LatticeAPI
import LatticeChat
import LatticeCommands
import LatticeCore
import LatticeCrypto
import LatticeDoctor
import LatticeHost
import LatticeNode
import LatticeSettings

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why nobody appears, and what to do.",
        discussion: """
            It checks this machine and its networks, listens for peers, asks your running node, and tries to reach the peers \
            it saw. It changes and announces nothing and needs no special rights. Give it the same options as 'lattice chat'. \
            With --peer HOST:PORT it checks whether that address can be reached, and if not, where the connection fails.

            Exit codes: 0 all is well, 1 a problem was found, 69 nothing is wrong here but nobody is there.

            For example:

              lattice doctor
              lattice doctor --peer 192.168.1.7:40899
              lattice doctor --json --seconds 10
            """)

    @OptionGroup(title: CommonOptions.title) var person: PersonOptions
    @OptionGroup(title: CommonOptions.title) var network: NetworkOptions

    @Option(
        help: ArgumentHelp("How long to listen to the network, 1 to 60.", valueName: "seconds"),
        transform: Arguments.number(Examination.secondsRange, "--seconds"))
    var seconds = Examination.secondsUsual

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let key = try network.choice.meshKey()
        var asked = try Doctor.wish(network.choice, key: key)
        asked.isAskingOfGiven = !network.peer.isEmpty
        var doctor = Doctor(wish: asked, folder: nil, seconds: seconds)
        let diagnosis: Diagnosis
        do {
            let directory = try person.choice.directory(isReadOnly: true, unnamed: .anyRunning)
            doctor.folder = directory.path
            doctor.dataObjection = directory.fault(of: doctor.wish.mesh, key: key)?.words
            diagnosis = await diagnose(doctor, directory, try wish(key))
        } catch let failure as Failure where failure.kind != .usage {
            // A problem with the folder is a finding like any other.
            doctor.dataObjection = failure.description
            diagnosis = await doctor.diagnosis(of: nil)
        }
        let output = doctor.output(diagnosis, context: Surroundings.ofShell())
        try CommandShell.show(output, json: json)
        if diagnosis.verdict.exitCode != 0 { throw ExitCode(diagnosis.verdict.exitCode) }
    }

    /// Without a mesh, this means the mesh of whatever runs.
    private func wish(_ key: MeshKey?) throws -> RunningNode.Wish {
        network.mesh == nil && key == nil ? .any : try RunningNode.Wish(network.mesh, key: key)
    }

    private func diagnose(_ doctor: Doctor, _ directory: DataDirectory, _ wish: RunningNode.Wish) async -> Diagnosis {
        do {
            let diagnosis = try await RunningNode.with(directory, wish) { running in
                await doctor.diagnosis(of: running.client)
            }
            if let diagnosis { return diagnosis }
            return await doctor.diagnosis(of: nil, elsewhere: MeshElsewhere.shown(wish, in: directory))
        } catch {
            return await doctor.diagnosis(of: nil, objection: "\(error)")
        }
    }
}
