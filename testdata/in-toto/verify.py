"""Verifies DSSE envelopes with securesystemslib, and nothing of ours.

Reads a JSON list of {envelope, key: {keyid, public}} (public: Ed25519, hexadecimal) and prints a JSON list:
"verified", or why not."""
import json
import sys

from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey


def verify(envelope, key):
    known = SSlibKey(key["keyid"], "ed25519", "ed25519", {"public": key["public"]})
    try:
        accepted = Envelope.from_dict(envelope).verify([known], 1)
    except Exception as problem:  # pylint: disable=broad-except
        return f"{type(problem).__name__}: {problem}"
    return "verified" if list(accepted) == [key["keyid"]] else "verified by nobody"


print(json.dumps([verify(one["envelope"], one["key"]) for one in json.load(sys.stdin)]))
