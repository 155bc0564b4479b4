// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "chat",
    dependencies: [
        .package(name: "lattice", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "chat", dependencies: [.product(name: "Lattice", package: "lattice")])
    ]
)
