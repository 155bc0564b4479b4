import ArgumentParser
import LatticeCommands
import LatticeGuide

extension CommandTree {
    static func ofProgram() throws -> CommandTree { try decoded(Lattice._dumpHelp()) }

    static func ofCommonOptions() throws -> CommandTree { try decoded(CommonOptions._dumpHelp()) }
}
