import Foundation
import LatticeAPI
import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeHTTP

/// Photos of posts, events and people, for programs and browsers.
@Suite(.timeLimit(.minutes(5))) struct PhotoRouteTests {
    private static let upload = "0000000000000007"

    @Test func aPictureBecomesAPhotoThatAPostCanName() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("POST", "/v1/uploads", body: "a picture").status == 401)
            let made = try await rig.own("POST", "/v1/uploads", body: "a picture")
            #expect(made.status == 201 && made.headers["location"] == "/v1/uploads/\(Self.upload)")
            let object = try made.object()
            #expect(object["upload"] as? String == Self.upload)
            #expect(object["photo"] as? [String: Int] == ["width": 560, "height": 420, "size": 48_123])
            let photo = #""photo":{"upload":"\#(Self.upload)","alt":"a bridge"}"#
            let posted = try await rig.own("POST", "/v1/posts", body: #"{"text":"out",\#(photo)}"#)
            #expect(posted.status == 201)
            let post = NewPost(text: "out", photo: .upload(Sample.upload), alt: "a bridge")
            #expect(await rig.node.requests.last == AnyHashable(post))
            let event = #"{"lat":40,"lon":-74,"name":"Fire","started_at":"2026-12-01T10:00:00Z",\#(photo)}"#
            #expect(try await rig.own("POST", "/v1/events", body: event).status == 201)
            let created = await rig.node.requests.compactMap { $0.base as? CreateEvent }
            #expect(created.map(\.photoSource) == [.upload(Sample.upload)] && created[0].event.alt == "a bridge")
        }
    }

    @Test func aPhotoIsInEveryList() async throws {
        try await HTTPRig.serving { rig in
            let item = try #require(
                try await rig.own("GET", "/v1/items/\(Sample.post.id.hex)").object()["item"] as? [String: Any])
            let photo = try #require(item["photo"] as? [String: Any])
            #expect(photo["width"] as? Int == 560 && photo["alt"] as? String == "a <b>bridge</b>")
            let author = try #require(item["author"] as? [String: Any])
            #expect(author["photo"] as? [String: Int] == ["size": 48_123])
            let person = try await rig.own("GET", "/v1/people/\(Sample.peer(2).hex)").object()
            #expect(person["photo"] as? [String: Int] == ["width": 560, "height": 420, "size": 48_123])
        }
    }

    @Test func aPhotoIsAPictureAndNothingElse() async throws {
        try await HTTPRig.serving { rig in
            let (item, person) = ("/v1/items/\(Sample.post.id.hex)", "/v1/people/\(Sample.peer(2).hex)")
            for (path, which) in [
                ("\(item)/photo", PhotoSize.photo), ("\(item)/thumbnail", .thumbnail), ("\(person)/photo", .photo),
                ("\(person)/thumbnail", .thumbnail),
            ] {
                let reply = try await rig.own("GET", path)
                #expect(reply.status == 200 && Array(reply.body) == Sample.jpeg(which), "\(path)")
                #expect(reply.headers["content-type"] == "image/jpeg")
                #expect(reply.headers["content-security-policy"] == "sandbox; default-src 'none'")
                #expect(reply.headers["x-content-type-options"] == "nosniff")
                #expect(reply.headers["cache-control"] == "private, no-cache")
                let tag = try #require(reply.headers["etag"])
                #expect(try await rig.own("GET", path, headers: ["If-None-Match": tag]).status == 304)
            }
            // A reader without the token says where they are: what is too far away to be read has no photo for them.
            #expect(try await rig.ask("GET", "\(item)/photo").status == 401)
            #expect(try await rig.ask("GET", "\(item)/photo?lat=1&lon=2").status == 200)
            let place = try #require(Coordinate(latitude: 1, longitude: 2))
            let asked = ReadPhoto(ItemReference(Sample.post.id.hex), from: place)
            #expect(await rig.node.requests.last == AnyHashable(asked))
            let absent = try await rig.own("GET", "/v1/items/\(Sample.event.id.hex)/photo")
            #expect(absent.status == 503 && absent.headers["retry-after"] == "10")
            #expect(try absent.object()["code"] as? String == "notHere")
        }
    }

    @Test func whatIsNoPictureIsRefusedAndNotKept() async throws {
        try await HTTPRig.serving { rig in
            for (problem, words) in [
                (RequestError.PictureProblem.notAPicture, "not a picture"), (.damaged, "damaged"),
                (.tooManyPixels, "too many pixels"), (.tooSlow, "too long"),
                (.failed(reason: "x"), "could not be read"),
                (.tooLarge(bytesMax: 64 << 20), "67.1 MB"),
            ] {
                await rig.node.refuse(.badPicture(problem: problem), at: PreparePhoto.name)
                let refused = try await rig.own("POST", "/v1/uploads", body: "hello")
                #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
                #expect(try refused.object()["code"] as? String == "badPicture")
                #expect(await rig.node.requests.last == AnyHashable(CancelUpload(Sample.upload)))
            }
        }
    }

    @Test func aPictureHasAtMost64MiB() async throws {
        try await HTTPRig.serving { rig in
            let length = ["Content-Length": "\(64 << 20 + 1)"]
            let refused = try await rig.own("POST", "/v1/uploads", headers: length)
            #expect(refused.status == 413 && refused.text.contains("64 MiB"))
            #expect(await rig.node.requests.isEmpty)
        }
    }

    @Test func aChunkedPictureEndsWhereItIsTooLarge() async throws {
        try await HTTPRig.serving { settings in
            settings.limits.writes = .init(perSecond: 1_000, burst: 1_000)
        } body: { rig in
            let socket = try rig.socket()
            socket.send(
                "POST /v1/uploads HTTP/1.1\r\nHost: 127.0.0.1:\(rig.port)\r\n"
                    + "Authorization: Bearer \(Sample.token.text)\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n"
            for _ in 0..<65 { socket.send(chunk) }
            let answer = try await socket.answer()
            #expect(answer.status == 413)
            let passed = await rig.node.requests.compactMap { ($0.base as? AppendUpload)?.bytes.count }
            #expect(passed.reduce(0, +) <= 64 << 20)
            #expect(await rig.node.requests.contains(AnyHashable(CancelUpload(Sample.upload))))
        }
    }

    @Test func anUploadIsCancelled() async throws {
        try await HTTPRig.serving { rig in
            let path = "/v1/uploads/\(Self.upload)"
            #expect(try await rig.ask("DELETE", path).status == 401)
            let gone = try await rig.own("DELETE", path)
            #expect(gone.status == 204 && gone.body.isEmpty)
            #expect(await rig.node.requests == [AnyHashable(CancelUpload(Sample.upload))])
            #expect(try await rig.own("DELETE", "/v1/uploads/7").status == 404)
        }
    }

    @Test func anItemGetsAPhotoAndLosesIt() async throws {
        try await HTTPRig.serving { (rig: HTTPRig) async throws -> Void in
            let path = "/v1/items/\(Sample.post.id.hex)"
            let added = #"{"photo":{"upload":"\#(Self.upload)","alt":"a bridge"}}"#
            #expect(try await rig.own("PATCH", path, body: added).status == 200)
            #expect(try await rig.own("PATCH", path, body: #"{"photo":null}"#).status == 200)
            let both = #"{"text":"out","photo":{"upload":"\#(Self.upload)"}}"#
            #expect(try await rig.own("PATCH", path, body: both).status == 200)
            #expect(try await rig.own("PATCH", path, body: #"{"text":"out"}"#).status == 200)
            #expect(try await rig.own("PATCH", path, body: #"{"photo":{"alt":"a ruin"}}"#).status == 200)
            #expect(try await rig.own("PATCH", path, body: #"{"photo":{"alt":""}}"#).status == 200)
            let asked = await rig.node.requests.compactMap { $0.base as? EditItem }
            let (item, upload) = (ItemReference(Sample.post.id.hex), PhotoChange.new(.upload(Sample.upload)))
            let expected = [
                EditItem(item, photo: upload, alt: "a bridge"), EditItem(item, photo: .remove),
                EditItem(item, text: "out", photo: upload), EditItem(item, text: "out"),
                EditItem(item, alt: "a ruin"), EditItem(item, alt: ""),
            ]
            #expect(asked == expected)
            #expect(try await rig.own("PATCH", path, body: #"{"text":null}"#).status == 422)
            #expect(try await rig.own("PATCH", path, body: #"{"photo":{"upload":"7"}}"#).status == 422)
            let nothing = try await rig.own("PATCH", path, body: #"{"photo":{}}"#)
            #expect(nothing.status == 422 && nothing.text.contains("photo needs an upload, an alt or both"))
        }
    }

    @Test func aPersonsPhotosAreAList() async throws {
        try await HTTPRig.serving { rig in
            #expect(try await rig.ask("GET", "/v1/timeline?person=bob").status == 401)
            #expect(try await rig.own("GET", "/v1/timeline?person=bob&photos=true&limit=3").status == 200)
            #expect(try await rig.own("GET", "/v1/timeline?person=bob&photos=false").status == 200)
            #expect(try await rig.own("GET", "/v1/timeline").status == 200)
            // A reader without the token says where they are, as for one item.
            let theirs = try await rig.ask("GET", "/v1/timeline?person=bob&photos=true&lat=1&lon=2")
            #expect(theirs.status == 200)
            #expect(try await rig.ask("GET", "/v1/timeline?lat=1&lon=2").status == 401)
            let bob = PeerReference("bob")
            let asked = await rig.node.requests.compactMap { $0.base as? ListTimeline }
            #expect(
                asked == [
                    ListTimeline(PageRequest(limit: 3), by: bob, onlyPhotos: true), ListTimeline(by: bob),
                    ListTimeline(),
                    ListTimeline(by: bob, onlyPhotos: true, from: Coordinate(latitude: 1, longitude: 2)),
                ])
            let alone = try await rig.own("GET", "/v1/timeline?photos=true")
            #expect(alone.status == 422 && alone.text.contains("photos needs a person"))
            let wrong = try await rig.own("GET", "/v1/timeline?person=bob&photos=1")
            #expect(wrong.status == 422 && wrong.text.contains("photos must be true or false"))
        }
    }

    @Test func aProfileGetsAPhotoAndLosesIt() async throws {
        try await HTTPRig.serving { rig in
            func change(_ body: String) async throws -> HTTPAnswer {
                try await rig.own("PATCH", "/v1/people/me", body: body)
            }
            #expect(try await change(#"{"photo":{"upload":"\#(Self.upload)"}}"#).status == 200)
            #expect(try await change(#"{"photo":null}"#).status == 200)
            #expect(try await change(#"{"about":"x"}"#).status == 200)
            let asked = await rig.node.requests.compactMap { $0.base as? ProfileChange }
            #expect(asked.map(\.photo) == [.new(.upload(Sample.upload)), .remove, nil])
            #expect(try await change(#"{"about":null}"#).status == 422)
            let wrong = try await change(#"{"photo":{"upload":"7"}}"#)
            #expect(wrong.status == 422 && wrong.text.contains("photo.upload must have 16 digits"))
            #expect(try await change(#"{"photo":{"alt":"x"}}"#).text.contains("photo.upload is missing"))
        }
    }
}
