// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sensors",
    dependencies: [
        .package(name: "lattice", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "sensors", dependencies: [.product(name: "Lattice", package: "lattice")])
    ]
)
