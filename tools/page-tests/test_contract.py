"""The OpenAPI document and the program are one: schemathesis asks what the document allows and forbids, and reads the answers by it."""

import os
import subprocess
import sys
import tempfile
import unittest

from nodes import Node

# A minute for all operations together.
EXAMPLES = "4"
SECONDS = 240
# An answer without an end, one that makes all neighbours talk, and one that depends on the machine.
LEFT_OUT = "^(stream|syncNow|askReceiver)$"
# 422 is how this API refuses what no schema can say: a text of blanks, an id that nobody has.
CHECKS = "positive_data_acceptance"


class Contract(unittest.TestCase):
    def test_what_the_document_says_is_so(self):
        node = Node("contract")
        self.addCleanup(node.remove)
        folder = tempfile.mkdtemp(prefix="page-")
        command = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", os.path.abspath("schemathesis.toml"), "run", f"{node.url}v1/openapi.json",
            "--header", f"Authorization: Bearer {node.token}", "--exclude-operation-id-regex", LEFT_OUT,
            "--exclude-checks", CHECKS, "--max-examples", EXAMPLES, "--seed", "1", "--no-shrink",
            "--rate-limit", "60/s", "--phases", "examples,coverage,fuzzing", "--warnings", "off", "--no-color",
        ]  # fmt: skip
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, cwd=folder,
            env={**os.environ, "HOME": folder, "SCHEMATHESIS_HOOKS": os.path.abspath("pace.py")}
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
