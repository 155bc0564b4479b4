import LatticeCore

// Disk, ports and other limits of this machine.
extension Diagnosis {
    /// With less, a few days of a busy mesh fill the disk.
    private static let freeBytesMin: UInt64 = 100_000_000
    /// One record of maximum size, with what SQLite writes around it.
    private static let fullBytes: UInt64 = 1_000_000
    /// The minimum for links, discovery and the program's own files.
    private static let descriptorsMin = 64

    mutating func judgeMachine() {
        judgeFolder()
        if let count = facts.machine.descriptors, count < Self.descriptorsMin {
            add(
                .blocks, .fewDescriptors, "the limit of open files is \(count), which is too low",
                remedy: "raise it in the shell that starts lattice: ulimit -n 1024")
        }
        if let objection = facts.nodeObjection {
            add(.blocks, .nodeSilent, DisplayText.safe(objection))
        }
        judgePort()
        if let clock = facts.machine.clock, clock < WallClock.earliest {
            add(
                .hinders, .clockWrong, "this machine's clock is years behind, so your messages look old to others",
                remedy: "set the clock: timedatectl set-ntp true, or date -s 'YYYY-MM-DD HH:MM'")
        }
    }

    private mutating func judgeFolder() {
        if let objection = facts.machine.dataObjection { add(.blocks, .dataFolder, DisplayText.safe(objection)) }
        guard let folder = facts.machine.folder else { return }
        let path = DisplayText.isolated(folder.path)
        if let objection = folder.objection {
            add(
                .blocks, .dataFolder, "cannot write to the folder \(path): \(DisplayText.safe(objection))",
                remedy: "make it yours (chown, chmod u+rwx), or use another one with --data-dir")
            return
        }
        guard let free = folder.freeBytes, let total = folder.totalBytes, total > 0 else { return }
        let remedy = "free some space there, or use a folder on another disk with --data-dir"
        if free < Self.fullBytes {
            add(
                .hinders, .diskFull, "the disk of \(path) is full, so new messages cannot be stored", remedy: remedy)
        } else if free < Self.freeBytesMin || free < total / 100 {
            let amount = "\(free / 1_000_000) MB of \(total / 1_000_000) MB"
            add(.notes, .diskNearlyFull, "the disk of \(path) is nearly full: \(amount) free", remedy: remedy)
        }
    }

    private mutating func judgePort() {
        let port = facts.wish.port
        switch facts.machine.port {
        case .taken(let holder):
            let whom = holder.map { DisplayText.isolated($0) } ?? "another program"
            add(
                .hinders, .portTaken, "port \(port) is in use by \(whom)",
                remedy: "stop that program, or choose another port (--port 0 picks a free one)")
        case .forbidden:
            add(
                .hinders, .portForbidden, "you are not allowed to use port \(port)",
                remedy: "choose a port from 1024 to 65535, or --port 0 for a free one")
        case .free, nil: break
        }
    }
}
