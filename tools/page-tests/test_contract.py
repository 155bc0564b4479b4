"""The OpenAPI document and the program are one: schemathesis asks what the document allows and forbids, and reads the answers by it."""

import os
import subprocess
import sys
import tempfile
import unittest

from camp import Person
from nodes import Node

# A minute for all operations together.
EXAMPLES = "4"
SECONDS = 240
# An answer without an end, one that makes all neighbours talk, and one that depends on the machine.
LEFT_OUT = "^(stream|syncNow|askReceiver)$"
# 422 is how this API refuses what no schema can say: a text of blanks, an id that nobody has.
CHECKS = "positive_data_acceptance"


# A visitor does not sign out, nor use up the codes and keys that come five times in ten minutes. What is the owner's alone is refused to
# them: ContractTests sees to that.
OF_VISITORS = f"{LEFT_OUT[:-2]}|signOut|come|comeBack|comeWithKey|takeKey|setPassword|visitors|removeVisitor|setMesh|bridgeStatus)$"
# A visitor may change two things in a second; the checks send a change once more.
CHANGES_A_SECOND = "1.4"


class Contract(unittest.TestCase):
    def test_what_the_document_says_is_so(self):
        node = Node("contract")
        self.addCleanup(node.remove)
        self.check(node, f"Authorization: Bearer {node.token}", LEFT_OUT)

    def test_what_the_document_says_is_so_for_a_visitor(self):
        node = Node("contract", options=("--visitors",))
        self.addCleanup(node.remove)
        cookies = Person(node, "Jonna").cookies
        header = "Cookie: " + "; ".join(f"{one.name}={one.value}" for one in cookies)
        with self.subTest("what they read"):
            self.check(node, header, OF_VISITORS, "--include-method", "GET")
        with self.subTest("what they change"):
            self.check(
                node, header, OF_VISITORS, "--exclude-method", "GET", "--max-examples", "1", "--phases", "fuzzing",
                PACE_WRITES_A_SECOND=CHANGES_A_SECOND,
            )  # fmt: skip

    def check(self, node, header, left_out, *more, **environment):
        folder = tempfile.mkdtemp(prefix="page-")
        command = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", os.path.abspath("schemathesis.toml"), "run", f"{node.url}v1/openapi.json",
            "--header", header, "--exclude-operation-id-regex", left_out,
            "--exclude-checks", CHECKS, "--max-examples", EXAMPLES, "--seed", "1", "--no-shrink",
            "--rate-limit", "60/s", "--phases", "examples,coverage,fuzzing", "--warnings", "off", "--no-color", *more,
        ]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, cwd=folder,
            env={**os.environ, "HOME": folder, "SCHEMATHESIS_HOOKS": os.path.abspath("pace.py"), **environment}
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
