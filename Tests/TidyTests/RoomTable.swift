/// One target: how high it stands, which rooms it may look into and which packages it may use.
struct Room {
    let name: String
    let level: Int
    let imports: Set<String>
    let packages: Set<String>
    /// A pure room decides from what it is given: no clock, no files, no sockets, no threads.
    let isPure: Bool

    init(
        _ name: String,
        level: Int,
        imports: Set<String> = [],
        packages: Set<String> = [],
        isPure: Bool = false
    ) {
        self.name = name
        self.level = level
        self.imports = imports
        self.packages = packages
        self.isPure = isPure
    }
}

/// The rooms of the house. This table is the law; the manifest alone is not, because its check does not see what a target
/// reaches through another.
struct RoomTable {
    static let house = RoomTable(rooms: [
        Room("CSodium", level: 0),
        Room("CDNSSD", level: 0),
        Room("CAvahi", level: 0),
        Room("CQREncode", level: 0),
        // What Swift's module of glibc leaves out: its allocator, and where the program lies in memory.
        Room("CProcess", level: 0),
        // The page in the browser, as bytes.
        Room("CPage", level: 0),
        // The guide, as bytes.
        Room("CGuide", level: 0),
        // The commit that was built, as text.
        Room("CVersion", level: 0),
        // The one C that is ours: what bare SQLite, libsodium and TCP take, for the bench to measure against. No product links it.
        Room("CBaseline", level: 0),
        Room("LatticeCore", level: 1, packages: collections, isPure: true),
        // Not pure by one import: sines and their kin are in the C library and not in Swift's. Otherwise it is as the pure ones.
        Room("LatticeGeo", level: 1),
        Room("LatticeConcurrency", level: 1),
        // What all that listen have in common, whatever is said there.
        Room("LatticeSocket", level: 1, packages: nio),
        // What is counted, and how it is told; who counts what it does not know.
        Room("LatticeMetrics", level: 1, packages: metrics),
        Room("LatticeWire", level: 2, imports: ["LatticeCore", "LatticeGeo"], isPure: true),
        Room("LatticeCrypto", level: 3, imports: ["CSodium", "LatticeCore", "LatticeWire"]),
        Room("LatticeMesh", level: 3, imports: ["LatticeCore", "LatticeWire"], packages: collections, isPure: true),
        Room("LatticeAPI", level: 3, imports: ["LatticeCore", "LatticeGeo", "LatticeMetrics"], packages: collections),
        Room("LatticeSession", level: 4, imports: ["LatticeCore", "LatticeWire", "LatticeCrypto"]),
        Room(
            "LatticeStore", level: 4, imports: ["LatticeCore", "LatticeWire", "LatticeGeo", "LatticeConcurrency"],
            packages: ["GRDB", "GRDBSQLite"]),
        Room(
            "LatticeSalvage", level: 5, imports: ["LatticeCore", "LatticeWire", "LatticeStore"], packages: ["GRDB"]),
        Room(
            "LatticeDiscovery", level: 4, imports: ["CDNSSD", "CAvahi", "LatticeCore", "LatticeConcurrency"],
            packages: collections + log),
        // Looks at everything that may keep others away, and judges it.
        Room(
            "LatticeDoctor", level: 5, imports: ["LatticeCore", "LatticeConcurrency", "LatticeAPI", "LatticeDiscovery"]),
        Room(
            "LatticeSimulator",
            level: 4,
            imports: ["LatticeCore", "LatticeWire", "LatticeMesh"],
            packages: collections,
            isPure: true
        ),
        Room(
            "LatticeLink",
            level: 5,
            imports: ["LatticeCore", "LatticeWire", "LatticeCrypto", "LatticeSession", "LatticeSocket"],
            packages: collections + nio + log
        ),
        Room(
            "LatticeNode",
            level: 6,
            imports: [
                "CProcess", "LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeWire", "LatticeCrypto",
                "LatticeMesh", "LatticeAPI", "LatticeMetrics", "LatticeSession", "LatticeStore", "LatticeSalvage",
                "LatticeDiscovery", "LatticeLink",
            ],
            packages: collections + nio + log + metrics
        ),
        Room(
            "LatticeChat", level: 7, imports: front.union(["LatticeConcurrency", "LatticeMetrics"]),
            packages: collections),
        Room(
            "LatticeControl", level: 7, imports: front.union(["LatticeConcurrency", "LatticeSocket"]),
            packages: collections + nio + log),
        Room("LatticeIRC", level: 7, imports: front.union(["LatticeSocket"]), packages: nio + log + ["NIOSSL"]),
        Room(
            "LatticeHTTP", level: 7, imports: front.union(["LatticeMetrics", "LatticeSocket", "CPage"]),
            packages: nio + log + ["HummingbirdCore", "HTTPTypes", "NIOHTTPTypes", "NIOHTTP1"]),
        // What is settled once, and the words that options and settings have in common.
        Room(
            "LatticeSettings", level: 8,
            imports: front.union(["LatticeDiscovery", "LatticeNode", "LatticeChat", "LatticeIRC"]), packages: log),
        // The guide and the manual pages, for a terminal and for man.
        Room(
            "LatticeGuide", level: 9, imports: ["CGuide", "LatticeChat", "LatticeSettings"]),
        // Who owns a folder, attaching to what runs for it, and what serves as long as it runs.
        Room(
            "LatticeHost", level: 9,
            imports: [
                "CQREncode", "CVersion", "LatticeCore", "LatticeWire", "LatticeCrypto", "LatticeAPI", "LatticeMetrics",
                "LatticeStore", "LatticeDiscovery", "LatticeDoctor", "LatticeNode", "LatticeChat", "LatticeControl",
                "LatticeIRC", "LatticeHTTP", "LatticeSettings",
            ], packages: log + ["UnixSignals"]),
        // The commands about posts, people and the store, which are the same in the shell and in a chat.
        Room(
            "LatticeCommands", level: 10,
            imports: [
                "LatticeCore", "LatticeGeo", "LatticeCrypto", "LatticeAPI", "LatticeDiscovery", "LatticeNode",
                "LatticeChat", "LatticeSettings", "LatticeHost",
            ], packages: log + ["ArgumentParser"]),
        Room(
            "lattice",
            level: 11,
            imports: [
                "LatticeCore", "LatticeWire", "LatticeCrypto", "LatticeAPI", "LatticeDiscovery",
                "LatticeDoctor", "LatticeNode", "LatticeChat", "LatticeIRC", "LatticeSettings", "LatticeGuide",
                "LatticeHost", "LatticeCommands",
            ],
            packages: log + ["ArgumentParser", "UnixSignals"]
        ),
        Room(
            "lattice-sim",
            level: 8,
            imports: ["LatticeCore", "LatticeWire", "LatticeMesh", "LatticeSimulator"],
            packages: ["ArgumentParser"]
        ),
        Room(
            "lattice-bench",
            level: 8,
            imports: [
                "CBaseline", "LatticeCore", "LatticeGeo", "LatticeWire", "LatticeCrypto", "LatticeMesh",
                "LatticeAPI", "LatticeStore", "LatticeDiscovery", "LatticeNode",
            ],
            packages: log + ["ArgumentParser"]
        ),
        // Looks into every room whose readers it tries; nothing but its program and the tests looks into it.
        Room(
            "LatticeFuzz",
            level: 8,
            imports: [
                "LatticeCore", "LatticeGeo", "LatticeWire", "LatticeCrypto", "LatticeMesh", "LatticeAPI",
                "LatticeSession", "LatticeStore", "LatticeDiscovery", "LatticeDoctor", "LatticeNode", "LatticeChat",
                "LatticeControl", "LatticeIRC",
            ]
        ),
        Room("lattice-fuzz", level: 9, imports: ["LatticeFuzz", "LatticeChat"]),
    ])

    /// What a front sees: plain values, what may be asked of a node, and nothing behind it.
    private static let front: Set<String> = ["LatticeCore", "LatticeGeo", "LatticeAPI"]

    private static let collections: Set<String> = ["Collections", "DequeModule", "HeapModule", "OrderedCollections"]
    private static let nio: Set<String> = ["NIOCore", "NIOPosix"]
    private static let log: Set<String> = ["Logging"]
    private static let metrics: Set<String> = ["CoreMetrics"]

    /// Modules of the toolchain that reach the world outside: banned in pure rooms.
    static let worldly: Set<String> = ["Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl"]
    /// Modules of the toolchain that any room may use.
    static let harmless: Set<String> = ["Swift", "Synchronization"]

    let rooms: [Room]

    func room(_ name: String) -> Room? {
        rooms.first { $0.name == name }
    }
}

private func + (left: Set<String>, right: Set<String>) -> Set<String> {
    left.union(right)
}
