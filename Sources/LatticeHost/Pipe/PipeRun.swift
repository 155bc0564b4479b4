package import LatticeAPI

/// Copies bytes between a stream and standard input and output, in both directions at once.
package struct PipeRun: Sendable {
    let node: any MeshNode
    let stream: Int

    package init(node: any MeshNode, stream: Int) {
        self.node = node
        self.stream = stream
    }

    /// - Parameter hasInput: whether standard input is sent.
    package func run(hasInput: Bool) async -> PipeEnd {
        let end = await withTaskGroup(of: PipeEnd.self) { group in
            group.addTask { await self.send(hasInput: hasInput) }
            group.addTask { await self.receive() }
            for await end in group where end != .done {
                group.cancelAll()
                return end
            }
            return .done
        }
        if end != .done { await giveUp(end.reason ?? .ended) }
        return end
    }

    private func send(hasInput: Bool) async -> PipeEnd {
        do {
            while hasInput {
                guard let bytes = try await PipeLane.input.read(atMost: SendBytes.bytesMax) else {
                    return .interrupted
                }
                if bytes.isEmpty { break }
                _ = try await node.perform(SendBytes(stream, bytes))
            }
            _ = try await node.perform(FinishStream(stream))
            return .done
        } catch let error as RequestError {
            return PipeEnd(error)
        } catch let fault as PipeLane.Fault {
            return .readFailed(fault.number)
        } catch {
            return .interrupted
        }
    }

    private func receive() async -> PipeEnd {
        do {
            // The end is received a second time when both directions have ended; until then the other side may still be
            // lost.
            var endsHeard = 0
            while endsHeard < 2 {
                let received = try await node.perform(ReceiveBytes(stream))
                if received.isEnd { endsHeard += 1 }
                guard try await PipeLane.output.write(received.bytes) else { return .interrupted }
            }
            return .done
        } catch let error as RequestError {
            return PipeEnd(error)
        } catch let fault as PipeLane.Fault {
            return .writeFailed(fault.number)
        } catch {
            return .interrupted
        }
    }

    private func giveUp(_ reason: StreamReason) async {
        do {
            _ = try await node.perform(ResetStream(stream, reason))
        } catch {
            // It has ended already.
        }
    }
}
