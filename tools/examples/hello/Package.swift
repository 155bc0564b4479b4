// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "hello",
    dependencies: [
        .package(name: "lattice", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "hello", dependencies: [.product(name: "Lattice", package: "lattice")])
    ]
)
