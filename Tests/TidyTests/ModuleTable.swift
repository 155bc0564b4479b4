/// One target: how high it stands, which modules it may look into and which packages it may use.
struct Module {
    let name: String
    let level: Int
    let imports: Set<String>
    let packages: Set<String>
    /// A pure module decides from what it is given: no clock, no files, no sockets, no threads.
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

/// The modules of Lattice. This table is the law; the manifest alone is not, because its check does not see what a target
/// reaches through another.
struct ModuleTable {
    static let lattice = ModuleTable(modules: [
        Module("CSodium", level: 0),
        Module("CDNSSD", level: 0),
        Module("CAvahi", level: 0),
        // One reference that keeps a symbol of Avahi's archive inside the program.
        Module("CAvahiHidden", level: 0),
        // What Swift's module of glibc leaves out: its allocator, and where the program lies in memory.
        Module("CProcess", level: 0),
        // Draws pictures in terminals.
        Module("CChafa", level: 0),
        // The page in the browser, as bytes.
        Module("CPage", level: 0),
        // The guide, as bytes.
        Module("CGuide", level: 0),
        // The commit that was built, as text.
        Module("CVersion", level: 0),
        // The C that is ours and in the product, since libraries for pictures leave by longjmp: their rows become small.
        Module("CPicture", level: 0),
        // Also ours: what bare SQLite, libsodium and TCP take, for the bench to measure against. No product links it.
        Module("CBaseline", level: 0),
        Module("LatticeCore", level: 1, packages: collections, isPure: true),
        // Not pure by one import: sines and their kin are in the C library and not in Swift's. Otherwise it is as the pure ones.
        Module("LatticeGeo", level: 1),
        Module("LatticeConcurrency", level: 1),
        Module("LatticeQR", level: 1, isPure: true),
        // Pictures and photos as values, and their files without metadata.
        Module("LatticePicture", level: 1, isPure: true),
        // Photos of strangers' pictures, in a child process.
        Module(
            "LatticePictureDecoder", level: 2, imports: ["CPicture", "LatticeConcurrency", "LatticePicture"]),
        // How a picture is drawn in a terminal, from pixels and what the terminal says of itself.
        Module("LatticeTerminalPicture", level: 3, imports: ["CChafa", "LatticePicture"]),
        // What all that listen have in common, whatever is said there.
        Module(
            "LatticeSocket", level: 2, imports: ["LatticeCore"], packages: nio + ["NIOSSL", "CNIOBoringSSL"]),
        // What is counted, and how it is told; who counts what it does not know.
        Module("LatticeMetrics", level: 1, packages: metrics),
        Module("LatticeWire", level: 2, imports: ["LatticeCore", "LatticeGeo"], isPure: true),
        Module("LatticeCrypto", level: 3, imports: ["CSodium", "LatticeCore", "LatticeWire"]),
        Module("LatticeMesh", level: 3, imports: ["LatticeCore", "LatticeWire"], packages: collections, isPure: true),
        Module(
            "LatticeAPI", level: 3, imports: ["LatticeCore", "LatticeGeo", "LatticeMetrics"], packages: collections),
        Module("LatticeSession", level: 4, imports: ["LatticeCore", "LatticeWire", "LatticeCrypto"]),
        Module(
            "LatticeStore", level: 4,
            imports: ["LatticeCore", "LatticeWire", "LatticeGeo", "LatticeConcurrency", "LatticeCrypto"],
            packages: ["GRDB", "GRDBSQLite"]),
        Module(
            "LatticeSalvage", level: 5, imports: ["LatticeCore", "LatticeWire", "LatticeStore"], packages: ["GRDB"]),
        Module(
            "LatticeDiscovery", level: 4, imports: ["CDNSSD", "CAvahi", "LatticeCore", "LatticeConcurrency"],
            packages: collections + log),
        // Looks at everything that may keep others away, and judges it.
        Module(
            "LatticeDoctor", level: 5, imports: ["LatticeCore", "LatticeConcurrency", "LatticeAPI", "LatticeDiscovery"]),
        Module(
            "LatticeSimulator",
            level: 4,
            imports: ["LatticeCore", "LatticeWire", "LatticeMesh"],
            packages: collections,
            isPure: true
        ),
        Module(
            "LatticeLink",
            level: 5,
            imports: ["LatticeCore", "LatticeWire", "LatticeCrypto", "LatticeSession", "LatticeSocket"],
            packages: collections + nio + log
        ),
        Module(
            "LatticeNode",
            level: 6,
            imports: [
                "CProcess", "LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeWire", "LatticeCrypto",
                "LatticeMesh", "LatticeAPI", "LatticeMetrics", "LatticeSession", "LatticeStore", "LatticeSalvage",
                "LatticeDiscovery", "LatticeLink", "LatticePicture",
            ],
            packages: collections + nio + log + metrics
        ),
        // The library product, for programs of others: no front, and nothing that only a front needs.
        Module(
            "Lattice", level: 8,
            imports: [
                "LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeCrypto", "LatticeAPI", "LatticeDiscovery",
                "LatticeLink", "LatticeMesh", "LatticeNode", "LatticeStore", "LatticeWire",
            ], packages: collections + log + ["ServiceLifecycle"]),
        // A network in memory for the tests of such programs, which none of them ships.
        Module(
            "LatticeTesting", level: 9,
            imports: [
                "Lattice", "LatticeCore", "LatticeCrypto", "LatticeDiscovery", "LatticeLink", "LatticeNode",
                "LatticeSocket",
            ], packages: collections + nio),
        Module(
            "LatticeChat", level: 7, imports: front.union(["LatticeConcurrency", "LatticeMetrics"]),
            packages: collections),
        Module(
            "LatticeControl", level: 7, imports: front.union(["LatticeConcurrency", "LatticeSocket"]),
            packages: collections + nio + log),
        // Copies records between a node and a broker; engines are beside it.
        Module(
            "LatticeBridge", level: 7,
            imports: [
                "LatticeCore", "LatticeConcurrency", "LatticeWire", "LatticeCrypto", "LatticeMesh", "LatticeAPI",
            ],
            packages: ["GRDB"]),
        // The client of NATS; only the bridge and the bench link it.
        Module("CNats", level: 0),
        Module(
            "LatticeNats", level: 8,
            imports: ["CNats", "LatticeCore", "LatticeCrypto", "LatticeBridge", "LatticeConcurrency"]),
        // The client of MQTT; only the bridge links it.
        Module("CMosquitto", level: 0),
        Module("LatticeMqtt", level: 8, imports: ["CMosquitto", "LatticeBridge", "LatticeConcurrency"]),
        Module("LatticeIRC", level: 7, imports: front.union(["LatticeSocket"]), packages: nio + log),
        Module(
            "LatticeHTTP", level: 7,
            imports: front.union(["LatticeConcurrency", "LatticeMetrics", "LatticeQR", "LatticeSocket", "CPage"]),
            packages: nio + log + ["NIOHTTP1"]),
        // Serves the program itself, for people who do not have it yet.
        Module(
            "LatticeShare", level: 4, imports: ["LatticeCore", "LatticeCrypto", "LatticeSocket"],
            packages: nio + ["NIOHTTP1"]),
        // What is settled once, and the words that options and settings have in common.
        Module(
            "LatticeSettings", level: 8,
            imports: front.union(["LatticeDiscovery", "LatticeNode", "LatticeChat", "LatticeIRC"]), packages: log),
        // The guide and the manual pages, for a terminal and for man.
        Module(
            "LatticeGuide", level: 9, imports: ["CGuide", "LatticeChat", "LatticeSettings"]),
        // Who owns a folder, attaching to what runs for it, and what serves as long as it runs.
        Module(
            "LatticeHost", level: 9,
            imports: [
                "CVersion", "LatticeCore", "LatticeQR", "LatticePicture", "LatticePictureDecoder", "LatticeWire",
                "LatticeCrypto", "LatticeAPI", "LatticeMetrics", "LatticeStore", "LatticeDiscovery", "LatticeDoctor",
                "LatticeNode", "LatticeChat", "LatticeControl", "LatticeIRC", "LatticeHTTP", "LatticeSettings",
                "LatticeSocket",
            ], packages: log),
        // The commands about posts, people and the store, which are the same in the shell and in a chat.
        Module(
            "LatticeCommands", level: 10,
            imports: [
                "LatticeCore", "LatticeGeo", "LatticePicture", "LatticePictureDecoder", "LatticeTerminalPicture",
                "LatticeCrypto", "LatticeAPI", "LatticeDiscovery", "LatticeNode", "LatticeChat", "LatticeSettings",
                "LatticeHost",
            ], packages: log + ["ArgumentParser"]),
        Module(
            "lattice-bridge", level: 11,
            imports: [
                "LatticeCore", "LatticeAPI", "LatticeControl", "LatticeBridge", "LatticeMqtt", "LatticeNats",
                "LatticeNode", "LatticeHost",
                "LatticeSettings",
            ], packages: ["ArgumentParser"]),
        Module(
            "lattice",
            level: 11,
            imports: [
                "LatticeCore", "LatticePictureDecoder", "LatticeWire", "LatticeCrypto", "LatticeAPI",
                "LatticeDiscovery", "LatticeDoctor", "LatticeNode", "LatticeChat", "LatticeIRC", "LatticeShare",
                "LatticeSocket",
                "LatticeSettings", "LatticeGuide", "LatticeHost", "LatticeCommands",
            ],
            packages: log + ["ArgumentParser"]
        ),
        Module(
            "lattice-sim",
            level: 8,
            imports: ["LatticeCore", "LatticeWire", "LatticeMesh", "LatticeSimulator"],
            packages: ["ArgumentParser"]
        ),
        Module(
            "lattice-bench",
            level: 9,
            imports: [
                "CBaseline", "LatticeBridge", "LatticeNats", "LatticeCore", "LatticeGeo", "LatticeWire",
                "LatticeCrypto", "LatticeMesh",
                "LatticeAPI", "LatticeStore", "LatticePictureDecoder", "LatticeDiscovery", "LatticeNode", "Lattice",
            ],
            packages: log + ["ArgumentParser", "GRDB"]
        ),
        // Looks into every module whose readers it tries; nothing but its program and the tests looks into it.
        Module(
            "LatticeFuzz",
            level: 8,
            imports: [
                "LatticeCore", "LatticeGeo", "LatticePicture", "LatticePictureDecoder", "LatticeWire", "LatticeCrypto",
                "LatticeMesh", "LatticeAPI", "LatticeSession", "LatticeStore", "LatticeDiscovery", "LatticeDoctor",
                "LatticeNode",
                "LatticeChat", "LatticeControl", "LatticeIRC",
            ]
        ),
        Module("lattice-fuzz", level: 9, imports: ["LatticeFuzz", "LatticeChat"]),
    ])

    /// What a front sees: plain values, what may be asked of a node, and nothing behind it.
    private static let front: Set<String> = ["LatticeCore", "LatticeGeo", "LatticeAPI"]

    private static let collections: Set<String> = ["Collections", "DequeModule", "HeapModule", "OrderedCollections"]
    private static let nio: Set<String> = ["NIOCore", "NIOPosix"]
    private static let log: Set<String> = ["Logging"]
    private static let metrics: Set<String> = ["CoreMetrics"]

    /// Modules of the toolchain that reach the world outside: banned in pure modules.
    static let worldly: Set<String> = ["Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl"]
    /// Modules of the toolchain that any module may use.
    static let harmless: Set<String> = ["Swift", "Synchronization"]

    let modules: [Module]

    func module(_ name: String) -> Module? {
        modules.first { $0.name == name }
    }
}

private func + (left: Set<String>, right: Set<String>) -> Set<String> {
    left.union(right)
}
