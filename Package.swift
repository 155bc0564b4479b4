// swift-tools-version: 6.2
import PackageDescription

/// What every Swift target is held to: full strictness, imports that do not leak, no warning left standing.
let sharedSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// `libdns_sd` and `libavahi-core.so` both export `avahi_entry_group_free`; linked side by side they crash. The static
/// archive, with that symbol hidden by `CAvahiHidden`, keeps the two apart.
let avahiCore: [LinkerSetting] = [.linkedLibrary(":libavahi-core.a")]

/// Whether the page is that of `tools/page small`, as in what people run; the tests of the API need no more than the sources.
let isPageSmall = Context.environment["LATTICE_PAGE"] == "small"

func room(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], linker: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: sharedSettings, linkerSettings: linker)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: sharedSettings)
}

/// A program of `tools/examples`, which is a package of its own for people. Here its sources are built for the tests.
func example(_ name: String) -> Target {
    .executableTarget(
        name: "example-\(name)", dependencies: ["Lattice"], path: "tools/examples/\(name)/Sources/\(name)",
        swiftSettings: sharedSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: sharedSettings)
}

let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let ordered: Target.Dependency = .product(name: "OrderedCollections", package: "swift-collections")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let http: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"]))
let log: Target.Dependency = .product(name: "Logging", package: "swift-log")
let metrics: Target.Dependency = .product(name: "CoreMetrics", package: "swift-metrics")
let metricsTests: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
/// For programs alone: where neither trait is on, SwiftPM does not fetch it. One of several traits is two entries before Swift 6.3.
let arguments: [Target.Dependency] = ["Programs", "TLS"].map { trait in
    .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: [trait]))
}

/// It brings two more packages, and an app without it needs none of them.
let lifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"]))

let package = Package(
    name: "lattice",
    products: [
        .executable(name: "lattice", targets: ["lattice"]),
        // MultipeerConnectivity's ideas in async Swift, for programs of others.
        .library(name: "Lattice", targets: ["Lattice"]),
        // A network in memory, for their tests.
        .library(name: "LatticeTesting", targets: ["LatticeTesting"]),
    ],
    traits: [
        // Exactly one of these two is on for the programs, and none for an app. SwiftPM hands traits to the compiler in an order of
        // chance, so with two of them all would be compiled anew every other time.
        .trait(name: "Programs", description: "The programs without TLS."),
        .trait(
            name: "TLS",
            description:
                "The programs with the page and IRC over TLS, whose library takes a quarter of the time of a build."
        ),
        .trait(
            name: "ServiceLifecycle",
            description: "A session is a `Service` of swift-service-lifecycle and closes at a graceful shutdown."),
        .default(enabledTraits: ["TLS"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "CDNSSD"),
        .systemLibrary(name: "CAvahi"),
        // Keeps a symbol of Avahi's archive inside the program.
        .target(name: "CAvahiHidden"),
        .systemLibrary(name: "CProcess"),
        // Draws pictures in terminals.
        .systemLibrary(name: "CChafa", pkgConfig: "chafa"),
        // The files of the page in the browser, as bytes of the program.
        .target(name: "CPage", cSettings: isPageSmall ? [.define("LATTICE_PAGE_SMALL")] : []),
        // The articles of the guide, as bytes of the program.
        .target(name: "CGuide"),
        // Pictures of strangers become small rows of RGB, in a child process with limits.
        .target(
            name: "CPicture",
            // In a debug build, too: a decoder that takes ten times as long is refused by its limits.
            cSettings: [.unsafeFlags(["-O2", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: ["jpeg", "png16", "z", "webp", "m"].map { .linkedLibrary($0) }),
        // Which commit was built: a place in the program for it.
        .target(name: "CVersion"),
        // What the bench measures against; no product links it.
        .target(
            name: "CBaseline",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("sodium"), .linkedLibrary("m")]),
        room("LatticeCore", [deque]),
        room("LatticeGeo"),
        room("LatticeConcurrency"),
        room("LatticeQR"),
        room("LatticePicture"),
        room("LatticePictureDecoder", ["CPicture", "LatticeConcurrency", "LatticePicture"]),
        room("LatticeTerminalPicture", ["CChafa", "LatticePicture"]),
        room("LatticeSocket", ["LatticeCore", tls] + nio),
        room("LatticeMetrics", [metrics]),
        room("LatticeWire", ["LatticeCore", "LatticeGeo"]),
        room("LatticeCrypto", ["CSodium", "LatticeCore", "LatticeWire"]),
        room("LatticeMesh", ["LatticeCore", "LatticeWire", deque, ordered]),
        room("LatticeAPI", ["LatticeCore", "LatticeGeo", "LatticeMetrics", deque]),
        room("LatticeSession", ["LatticeCore", "LatticeWire", "LatticeCrypto"]),
        room(
            "LatticeStore",
            ["LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeWire", "LatticeCrypto", grdb, sqlite]),
        room("LatticeSalvage", ["LatticeCore", "LatticeWire", "LatticeStore", grdb]),
        room(
            "LatticeDiscovery",
            ["CDNSSD", "CAvahi", "CAvahiHidden", "LatticeCore", "LatticeConcurrency", deque, ordered, log],
            linker: avahiCore),
        room("LatticeDoctor", ["LatticeCore", "LatticeConcurrency", "LatticeAPI", "LatticeDiscovery"]),
        room("LatticeSimulator", ["LatticeCore", "LatticeWire", "LatticeMesh", heap, deque]),
        room(
            "LatticeLink",
            ["LatticeCore", "LatticeWire", "LatticeCrypto", "LatticeSession", "LatticeSocket", deque, ordered, log]
                + nio
        ),
        room(
            "LatticeNode",
            [
                "CProcess", "LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeWire", "LatticeCrypto",
                "LatticeMesh", "LatticeAPI", "LatticeMetrics", "LatticeSession", "LatticeStore", "LatticeSalvage",
                "LatticeDiscovery", "LatticeLink", "LatticePicture", deque, heap, ordered, log, metrics,
            ] + nio
        ),
        room(
            "Lattice",
            [
                "LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeCrypto", "LatticeAPI", "LatticeDiscovery",
                "LatticeLink", "LatticeMesh", "LatticeNode", "LatticeStore", "LatticeWire", deque, ordered, log,
                lifecycle,
            ]),
        room(
            "LatticeTesting",
            [
                "Lattice", "LatticeCore", "LatticeCrypto", "LatticeDiscovery", "LatticeLink", "LatticeNode",
                "LatticeSocket", deque,
            ] + nio),
        room(
            "LatticeChat",
            ["LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeMetrics", "LatticeAPI", deque, ordered]),
        room(
            "LatticeControl",
            ["LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeAPI", "LatticeSocket", deque, log] + nio),
        room(
            "LatticeBridge",
            ["LatticeCore", "LatticeConcurrency", "LatticeWire", "LatticeCrypto", "LatticeMesh", "LatticeAPI", grdb]),
        // The bridge's library for NATS. Only `lattice-bridge` links it.
        .systemLibrary(name: "CNats"),
        room("LatticeNats", ["CNats", "LatticeCore", "LatticeCrypto", "LatticeBridge", "LatticeConcurrency"]),
        // The bridge's library for MQTT. Only `lattice-bridge` links it.
        .systemLibrary(name: "CMosquitto"),
        room("LatticeMqtt", ["CMosquitto", "LatticeBridge", "LatticeConcurrency"]),
        room("LatticeIRC", ["LatticeCore", "LatticeGeo", "LatticeAPI", "LatticeSocket", log] + nio),
        room(
            "LatticeHTTP",
            [
                "CPage", "LatticeCore", "LatticeGeo", "LatticeConcurrency", "LatticeMetrics", "LatticeQR", "LatticeAPI",
                "LatticeSocket", log, http,
            ]
                + nio,
            exclude: ["Page"]),
        room(
            "LatticeShare",
            ["LatticeCore", "LatticeCrypto", "LatticeSocket", .product(name: "NIOHTTP1", package: "swift-nio")] + nio),
        room(
            "LatticeSettings",
            [
                "LatticeCore", "LatticeGeo", "LatticeAPI", "LatticeDiscovery", "LatticeNode", "LatticeChat",
                "LatticeIRC", log,
            ]),
        room("LatticeGuide", ["CGuide", "LatticeChat", "LatticeSettings"]),
        room(
            "LatticeHost",
            [
                "CVersion", "LatticeCore", "LatticeQR", "LatticePicture", "LatticePictureDecoder", "LatticeWire",
                "LatticeCrypto", "LatticeAPI", "LatticeMetrics", "LatticeStore", "LatticeDiscovery", "LatticeDoctor",
                "LatticeNode", "LatticeChat", "LatticeControl", "LatticeIRC", "LatticeHTTP", "LatticeSettings",
                "LatticeSocket", log,
            ]),
        room(
            "LatticeCommands",
            [
                "LatticeCore", "LatticeGeo", "LatticePicture", "LatticePictureDecoder", "LatticeTerminalPicture",
                "LatticeCrypto", "LatticeAPI", "LatticeDiscovery", "LatticeNode", "LatticeChat", "LatticeSettings",
                "LatticeHost", log,
            ] + arguments),
        program(
            "lattice",
            [
                "LatticeCore", "LatticePictureDecoder", "LatticeWire", "LatticeCrypto", "LatticeAPI",
                "LatticeDiscovery", "LatticeDoctor", "LatticeNode", "LatticeChat", "LatticeIRC", "LatticeShare",
                "LatticeSocket",
                "LatticeSettings", "LatticeGuide", "LatticeHost", "LatticeCommands", log,
            ] + arguments
        ),
        program(
            "lattice-bridge",
            [
                "LatticeCore", "LatticeWire", "LatticeAPI", "LatticeControl", "LatticeBridge", "LatticeMqtt",
                "LatticeNats", "LatticeNode", "LatticeHost", "LatticeCommands", "LatticeSettings", log,
            ] + arguments),
        program("lattice-sim", ["LatticeCore", "LatticeWire", "LatticeMesh", "LatticeSimulator"] + arguments),
        program(
            "lattice-bench",
            [
                "CBaseline", "LatticeCore", "LatticeGeo", "LatticeWire", "LatticeCrypto", "LatticeMesh",
                "LatticeAPI", "LatticeStore", "LatticePictureDecoder", "LatticeDiscovery", "LatticeNode", "Lattice",
                "LatticeBridge", "LatticeNats",
                log, grdb,
            ] + arguments),
        // What has to hold of every reader of strangers' bytes. `tools/fuzz` builds the program with libFuzzer.
        room(
            "LatticeFuzz",
            [
                "LatticeCore", "LatticeGeo", "LatticePicture", "LatticePictureDecoder", "LatticeWire", "LatticeCrypto",
                "LatticeMesh", "LatticeAPI", "LatticeSession", "LatticeDiscovery", "LatticeDoctor", "LatticeNode",
                "LatticeChat",
                "LatticeControl", "LatticeIRC",
            ]),
        program("lattice-fuzz", ["LatticeFuzz", "LatticeChat"]),
        tests("LatticeCoreTests", ["LatticeCore"]),
        tests("LatticeConcurrencyTests", ["LatticeConcurrency"]),
        tests("LatticeQRTests", ["LatticeQR"]),
        // Its children are the program that is built beside the tests.
        tests(
            "LatticePictureTests",
            ["CPicture", "LatticePicture", "LatticePictureDecoder", "LatticeConcurrency", "LatticeCore", "lattice"]),
        tests("LatticeTerminalPictureTests", ["LatticeTerminalPicture", "LatticePicture"]),
        tests("LatticeMetricsTests", ["LatticeMetrics", metrics]),
        tests("LatticeGeoTests", ["LatticeGeo", "LatticeCore"]),
        tests("LatticeWireTests", ["LatticeWire", "LatticeGeo", "LatticeCore"]),
        tests(
            "LatticeCryptoTests", ["LatticeCrypto", "LatticeWire", "LatticeCore", "CSodium"],
            exclude: ["Fixtures"]),
        tests(
            "LatticeSessionTests", ["LatticeSession", "LatticeCrypto", "LatticeWire", "LatticeCore"],
            exclude: ["Fixtures"]),
        tests("LatticeMeshTests", ["LatticeMesh", "LatticeCrypto", "LatticeWire", "LatticeCore", deque, ordered]),
        tests(
            "LatticeSimulatorTests",
            ["LatticeSimulator", "LatticeMesh", "LatticeWire", "LatticeCore", "lattice-sim"]),
        tests(
            "LatticeStoreTests",
            [
                "LatticeStore", "LatticeSalvage", "LatticeConcurrency", "LatticeCrypto", "LatticeWire", "LatticeGeo",
                "LatticeCore", grdb, sqlite,
            ]),
        tests("LatticeDiscoveryTests", ["LatticeDiscovery", "LatticeConcurrency", "LatticeCore", log]),
        tests("LatticeDoctorTests", ["LatticeDoctor", "LatticeAPI", "LatticeDiscovery", "LatticeCore"]),
        tests(
            "LatticeLinkTests",
            ["LatticeLink", "LatticeSession", "LatticeCrypto", "LatticeWire", "LatticeCore", log] + nio),
        tests(
            "LatticeNodeTests",
            [
                "LatticeNode", "LatticeAPI", "LatticeDiscovery", "LatticeDoctor", "LatticeLink", "LatticeMesh",
                "LatticeSession", "LatticeStore", "LatticeSalvage", "LatticeCrypto", "LatticeWire", "LatticeGeo",
                "LatticePicture", "LatticePictureDecoder", "LatticeCore", log, "LatticeMetrics", metrics, metricsTests,
                "TestPictures",
            ] + nio, exclude: ["Fixtures"]),
        tests(
            "LatticeTests",
            [
                "Lattice", "LatticeNode", "LatticeMesh", "LatticeDiscovery", "LatticeAPI", "LatticeCrypto",
                "LatticeWire",
                "LatticeCore",
            ]),
        tests(
            "LatticeTestingTests",
            [
                "LatticeTesting", "Lattice", "LatticeLink", "LatticeDiscovery", "LatticeCrypto", "LatticeCore",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ]),
        tests(
            "LatticeChatTests",
            [
                "LatticeChat", "LatticeControl", "LatticeAPI", "LatticeMetrics", "LatticeGeo", "LatticeConcurrency",
                "LatticeCore", log,
            ]),
        tests(
            "LatticeControlTests",
            ["LatticeControl", "LatticeAPI", "LatticeMetrics", "LatticeSocket", "LatticeGeo", "LatticeCore", log] + nio,
            exclude: ["Fixtures"]),
        tests(
            "LatticeBridgeTests",
            [
                "LatticeBridge", "LatticeNats", "LatticeAPI", "LatticeCrypto", "LatticeMesh", "LatticeWire",
                "LatticeConcurrency", "LatticeCore",
            ]),
        tests("LatticeSocketTests", ["LatticeSocket"]),
        tests(
            "LatticeIRCTests",
            ["LatticeIRC", "LatticeChat", "LatticeAPI", "LatticeSocket", "LatticeGeo", "LatticeCore", log] + nio),
        tests(
            "LatticeHTTPTests",
            [
                "LatticeHTTP", "LatticeAPI", "LatticeMetrics", "LatticeSocket", "LatticeGeo", "LatticeCore", log,
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ] + nio),
        tests("LatticeShareTests", ["LatticeShare", "LatticeSocket", "LatticeCrypto", "LatticeCore"] + nio),
        tests("LatticeSettingsTests", ["LatticeSettings", "LatticeNode", "LatticeChat", "LatticeCore"]),
        tests("LatticeGuideTests", ["LatticeGuide", "LatticeChat"]),
        tests(
            "LatticeHostTests", ["LatticeHost", "LatticeSettings", "LatticeAPI", "LatticeCore", log]),
        tests(
            "LatticeCommandsTests",
            [
                "LatticeCommands", "LatticePicture", "LatticeTerminalPicture", "LatticeHost", "LatticeSettings",
                "LatticeChat", "LatticeNode", "LatticeCrypto", "LatticeAPI", "LatticeGeo", "LatticeCore",
            ] + arguments),
        tests(
            "LatticeProgramTests",
            [
                "lattice", "LatticeCommands", "LatticeSettings", "LatticeGuide", "LatticeHost", "LatticeChat",
                "LatticeNode",
                "LatticeCrypto",
                "LatticeAPI", "LatticeGeo",
                "LatticeCore", log,
            ] + arguments),
        tests("LatticeBenchTests", ["lattice-bench", "LatticeMesh", "LatticeCore"]),
        tests(
            "LatticeFuzzTests", ["LatticeFuzz", "LatticeMesh", "LatticeWire", "LatticeCore"],
            exclude: ["Corpora", "Dictionaries"]),
        // Counts what is asked of the heap; no product links it.
        .target(name: "CAllocations", path: "Tests/CAllocations"),
        tests(
            "AllocationTests",
            ["CAllocations", "LatticeMesh", "LatticeSession", "LatticeCrypto", "LatticeWire", "LatticeCore"]),
        tests("TidyTests", []),
        // Pictures as people choose them.
        .target(name: "TestPictures", path: "Tests/TestPictures", swiftSettings: sharedSettings),
        example("hello"), example("chat"), example("whiteboard"), example("sensors"), example("game"),
        example("drop"),
        tests(
            "EndToEndTests",
            [
                "lattice", "TestPictures", "example-hello", "example-chat", "example-whiteboard", "example-sensors",
                "example-game", "example-drop", "lattice-bridge",
            ]),
    ]
)
