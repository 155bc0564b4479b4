import Foundation
import Lattice

// drop send FILE NAME: offers a file to the first peer called NAME
// drop receive FOLDER NAME: saves what is offered to NAME into a folder, until it is interrupted
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3, ["send", "receive"].contains(arguments[0]) else {
    fail("say 'drop send FILE NAME' or 'drop receive FOLDER NAME'", code: 2)
}
let url = URL(filePath: arguments[1])

func fail(_ words: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("drop: \(words)\n".utf8))
    exit(code)
}

/// Prints a line for each tenth of a file.
func follow(_ transfer: ResourceTransfer, _ name: String) async throws {
    var tenths = -1
    for try await step in transfer where Int(step.fraction * 10) > tenths {
        tenths = Int(step.fraction * 10)
        print("\(name): \(tenths * 10) %, \(step.completedBytes) bytes")
    }
}

func send(in session: Session) async throws {
    for await update in session.peerUpdates where update.state == .connected && update.peer.name == arguments[2] {
        return try await follow(session.sendResource(at: url, to: update.peer), url.lastPathComponent)
    }
}

func receive(in session: Session) async throws {
    for await resource in session.resources {
        do {
            try await follow(resource.save(to: url.appending(path: resource.name)), resource.name)
        } catch let error as LatticeError where error.code != .cancelled {
            print("\(resource.name) from \(resource.peer.name): \(error)")
        }
    }
}

let name = arguments[0] == "send" ? "\(ProcessInfo.processInfo.hostName)-drop" : arguments[2]
do {
    try await withSession(Configuration(name: name, mesh: "drop")) { session in
        if arguments[0] == "send" { try await send(in: session) } else { try await receive(in: session) }
    }
} catch {
    fail("\(error)")
}
