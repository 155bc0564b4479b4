// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "drop",
    dependencies: [
        .package(name: "lattice", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "drop", dependencies: [.product(name: "Lattice", package: "lattice")])
    ]
)
