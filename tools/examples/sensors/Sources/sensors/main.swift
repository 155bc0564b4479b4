import Foundation
import Lattice

// sensors NAME FOLDER LATITUDE LONGITUDE [SECONDS]: leaves a reading at its place every few seconds, and prints the newest one of
// each sensor within a kilometre. Ends with its input.
let words = Array(CommandLine.arguments.dropFirst())
guard (4...5).contains(words.count), let latitude = Double(words[2]), let longitude = Double(words[3]),
    let place = Place(latitude: latitude, longitude: longitude), let seconds = Int(words.count > 4 ? words[4] : "5")
else { fail("say 'sensors NAME FOLDER LATITUDE LONGITUDE [SECONDS]'", code: 2) }

func fail(_ words: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("sensors: \(words)\n".utf8))
    exit(code)
}

var configuration = Configuration(name: words[0], mesh: "sensors")
// Readings are kept here, for sensors that come later as well.
configuration.storage = .folder(URL(filePath: words[1]))

/// How busy this machine is, which stands for a thermometer.
func reading() throws -> String {
    let load = try String(contentsOfFile: "/proc/loadavg", encoding: .utf8)
    return "load \(load.prefix { $0 != " " })"
}

/// The newest reading of each other sensor, the nearest first.
func neighbours(in session: Session) async throws -> [Post] {
    let posts = try await session.records.posts(near: place, metres: 1_000, limit: 1_000)
    let me = try await session.me
    var newest: [Peer: Post] = [:]
    for post in posts where post.peer != me {
        if let known = newest[post.peer], known.date > post.date { continue }
        newest[post.peer] = post
    }
    return newest.values.sorted { ($0.metres ?? 0, $0.peer.name) < ($1.metres ?? 0, $1.peer.name) }
}

func measure(in session: Session) async throws {
    while true {
        do {
            _ = try await session.records.post(reading(), at: place, lifetime: .seconds(60))
            for post in try await neighbours(in: session) {
                print("\(post.peer), \(Int(post.metres ?? 0)) m away: \(post.text ?? "")")
            }
        } catch let error as LatticeError where error.code == .busy {
            print("left out: \(error)")
        }
        try await Task.sleep(for: .seconds(seconds))
    }
}

do {
    try await withSession(configuration) { session in
        await withTaskGroup { group in
            group.addTask {
                do {
                    try await measure(in: session)
                } catch {
                    if !Task.isCancelled { print("no more readings: \(error)") }
                }
            }
            while readLine() != nil {}
            group.cancelAll()
        }
    }
} catch {
    fail("\(error)")
}
