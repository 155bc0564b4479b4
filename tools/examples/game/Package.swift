// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "game",
    dependencies: [
        .package(name: "lattice", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "game", dependencies: [.product(name: "Lattice", package: "lattice")])
    ]
)
