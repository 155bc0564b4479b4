// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "whiteboard",
    dependencies: [
        .package(name: "lattice", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(name: "whiteboard", dependencies: [.product(name: "Lattice", package: "lattice")])
    ]
)
