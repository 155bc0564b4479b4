package import LatticeAPI
package import LatticeCore

/// Finds the other end of a pipe, by name or by listening.
package struct PipeMeeting: Sendable {
    package enum Wish: Sendable {
        case to(String)
        /// `nil` means anybody.
        case from(String?)
    }

    private static let waitUsual = 10
    private static let lookInterval: Duration = .milliseconds(250)

    let node: any MeshNode
    let me: Me
    let label: StreamLabel
    /// In seconds.
    let wait: Int?

    package init(node: any MeshNode, me: Me, label: StreamLabel, wait: Int?) {
        self.node = node
        self.me = me
        self.label = label
        self.wait = wait
    }

    package func stream(_ wish: Wish) async throws(PipeEnd) -> StreamInfo {
        do throws(RequestError) {
            switch wish {
            case .to(let name): return try await open(name, within: .seconds(wait ?? Self.waitUsual))
            case .from(let name):
                if let stream = try await listen(name) { return stream }
            }
        } catch {
            throw PipeEnd(error)
        }
        throw .nobodyCame
    }

    private func open(_ name: String, within patience: Duration) async throws(RequestError) -> StreamInfo {
        let deadline = ContinuousClock.now + patience
        let peer = PeerReference(try await person(name, until: deadline))
        while true {
            do {
                return try await node.perform(OpenStream(peer, label: label, wait: .zero))
            } catch {
                guard error.code.mayPass, .now < deadline else { throw error }
                if error.code == .nobodyListens { break }
            }
            try await pause()
        }
        let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
        let name = label == .usual ? "" : " for --label \(DisplayText.isolated(label.text))"
        Report.remark("nobody listens there\(name) yet; trying for \(rest.components.seconds + 1) s")
        return try await node.perform(OpenStream(peer, label: label, wait: rest))
    }

    /// Retries, because a node that has just started learns of others only after a moment.
    private func person(
        _ name: String, until deadline: ContinuousClock.Instant
    ) async throws(RequestError) -> PeerID {
        while true {
            do {
                return try await Addressee.find(name, on: node)
            } catch {
                guard error.code == .unknownPeer, .now < deadline else { throw error }
            }
            try await pause()
        }
    }

    private func pause() async throws(RequestError) {
        do {
            try await Task.sleep(for: Self.lookInterval)
        } catch {
            throw .stopped(why: .cancelled)
        }
    }

    private enum Met: Sendable {
        case stream(Result<StreamInfo, RequestError>)
        case nobody
    }

    /// - Returns: `nil` if nobody came in time.
    private func listen(_ name: String?) async throws(RequestError) -> StreamInfo? {
        var peer: PeerReference?
        if let name { peer = PeerReference(try await Addressee.find(name, on: node)) }
        let own = "\(DisplayText.isolated(me.name.text))#\(me.id.short)"
        let option = label == .usual ? "" : " --label \(label)"
        Report.remark("listening as \(own); on the other side, run: lattice pipe \(own)\(option)")
        let met = await withTaskGroup(of: Met.self) { group in
            group.addTask { [peer] in
                do throws(RequestError) {
                    return .stream(.success(try await node.perform(ListenForStream(label: label, from: peer))))
                } catch {
                    return .stream(.failure(error))
                }
            }
            if let wait {
                group.addTask {
                    do {
                        try await Task.sleep(for: .seconds(wait))
                    } catch {
                        // Somebody came.
                    }
                    return .nobody
                }
            }
            defer { group.cancelAll() }
            return await group.next() ?? .nobody
        }
        guard case .stream(let result) = met else { return nil }
        let stream = try result.get()
        Report.remark("\(await shown(stream.peer)) has connected")
        return stream
    }

    private func shown(_ peer: PeerID) async -> String {
        do {
            let person = try await node.perform(FindPerson(PeerReference(peer)))
            let name = (person.petname ?? person.name).map { DisplayText.isolated($0.text) } ?? ""
            return "\(name)#\(peer.short)"
        } catch {
            return "#\(peer.short)"
        }
    }
}
