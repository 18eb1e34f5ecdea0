#!/usr/bin/env python3
"""Second verifier of Rubicon ledgers and bundles, written from docs/spec/ledger.md alone.

Standard library only, one file, no code shared with the TypeScript verifier: where the two
disagree about a file, one of them or the spec is wrong.

    verify.py FILE... [--list PATHS] [--trust KEY_OR_CHECKPOINT] [--signatures all|sample|none]
              [--depth structure|signatures|fold] [--json]
    verify.py --vectors DIR

Exit: 0 all good, 4 findings, 2 could not run, or not a ledger at all. Several files: one JSON report a line.
Whatever stands in a list gets a report.
"""
import argparse, base64, hashlib, itertools, json, os, re, sys
from array import array
from bisect import bisect_right
from datetime import date
from decimal import Decimal
from fractions import Fraction

quoted = json.encoder.encode_basestring  # escapes exactly what RFC 8785 escapes
MOST_FINDINGS = 10_000
LONGEST_CHAIN = 16
LINE = {"depth": 128, "bytes": 16_777_216, "keys": 262_144}
BUNDLE = {"depth": 128, "bytes": 268_435_456, "keys": 4_194_304}


# ---------------------------------------------------------------- strict JSON and RFC 8785

class Unreadable(Exception):
    pass


def number(text):
    """A number that a double holds exactly, taken at its shortest form; anything else is refused."""
    if len(text) <= 15 and text.lstrip("-").isdigit():
        if text[0] == "-" and int(text) == 0:
            raise Unreadable("negative zero")
        return int(text)
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Unreadable("number too large")
    if value == 0 and text[0] == "-":
        raise Unreadable("negative zero")
    try:
        exact = Decimal(text) == Decimal(repr(value))
    except ArithmeticError:
        exact = False
    if not exact:
        raise Unreadable("a double cannot hold the number")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def parse_json(data, limits=LINE):
    """The value and its canonical text."""
    if len(data) > limits["bytes"]:
        raise Unreadable("too large")
    keys = 0

    def members(pairs):
        nonlocal keys
        keys += len(pairs)
        result = dict(pairs)
        if keys > limits["keys"]:
            raise Unreadable("too many keys")
        if len(result) != len(pairs):
            raise Unreadable("a key is given twice")
        if result.keys() & {"__proto__", "constructor", "prototype"}:
            raise Unreadable("a key is not allowed")
        return result

    def constant(name):
        raise Unreadable(name)

    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=members, parse_float=number,
                           parse_int=number, parse_constant=constant)
        text = canonical(value, limits["depth"])
        text.encode("utf-8")  # half a surrogate pair ends here
    except (ValueError, RecursionError) as problem:
        raise Unreadable(str(problem)) from None
    return value, text


def canonical(value, depth=512):
    kind = type(value)
    if kind is str:
        return quoted(value)
    if kind is dict:
        if depth == 0:
            raise Unreadable("nested too deep")
        ascii_names = "".join(value).isascii()
        names = sorted(value) if ascii_names else sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join([f"{quoted(name)}:{canonical(value[name], depth - 1)}" for name in names]) + "}"
    if kind is list:
        if depth == 0:
            raise Unreadable("nested too deep")
        return "[" + ",".join([canonical(item, depth - 1) for item in value]) + "]"
    if kind is float:
        return double_text(value)
    return str(value) if kind is int else {None: "null", True: "true", False: "false"}[value]


def double_text(value):
    """ECMAScript's Number::toString, from the same shortest digits that repr gives."""
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0") or "0"
    point = len(digits) + exponent
    minus = "-" if sign else ""
    if len(text) <= point <= 21:
        return minus + text + "0" * (point - len(text))
    if 0 < point <= 21:
        return minus + text[:point] + "." + text[point:]
    if -6 < point <= 0:
        return minus + "0." + "0" * -point + text
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return f"{minus}{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"


# ---------------------------------------------------------------- bytes, hashes, addresses

def sha256(data):
    return hashlib.sha256(data).digest()


def address_of_text(kind, text):
    return "sha256:" + sha256(f"rubicon/{kind}/v1\0{text}".encode()).hex()


def address(kind, value):
    return address_of_text(kind, canonical(value))


def unbase64(text):
    """Bytes, or None for any spelling but the one that encoding gives back."""
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        return None
    return data if base64.b64encode(data).decode() == text else None


def pre_auth_encoding(name, body):
    kind = f"application/vnd.rubicon.{name}+json".encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(body), body)


# ---------------------------------------------------------------- Ed25519 (RFC 8032), strict

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
D2 = 2 * D % P
IDENTITY = (0, 1, 1, 0)


def point_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = p[3] * D2 * q[3] % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_double(p):
    a, b = p[0] * p[0] % P, p[1] * p[1] % P
    h = a + b
    e = h - (p[0] + p[1]) ** 2 % P
    g = a - b
    f = 2 * p[2] * p[2] % P + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def decode_point(data):
    """The point, or None: its y must be reduced, on the curve, and zero has no sign."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if x * x % P != x2:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != x2 or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def encode_point(p):
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def multiples(point):
    row = [IDENTITY, point]
    for _ in range(14):
        row.append(point_add(row[-1], point))
    return row


def base_table():
    """16^i * n * B for every nibble i and digit n: multiplying B takes 64 additions."""
    y = 4 * pow(5, -1, P) % P
    point, table = decode_point(y.to_bytes(32, "little")), []
    for _ in range(64):
        table.append(multiples(point))
        for _ in range(4):
            point = point_double(point)
    return table


BASE = base_table()
KEYS = {}
VERDICTS = {}


def small_order(point):
    eight = point_double(point_double(point_double(point)))
    return eight[0] % P == 0 and (eight[1] - eight[2]) % P == 0


def key_multiples(public_key):
    """The multiples of -A, or None for a key in another spelling or of small order."""
    if public_key not in KEYS:
        point = decode_point(public_key) if len(public_key) == 32 else None
        if point is not None:
            point = None if small_order(point) else (P - point[0], point[1], 1, P - point[3])
        KEYS[public_key] = None if point is None else multiples(point)
    return KEYS[public_key]


def verify_ed25519(public_key, message, signature):
    name = sha256(len(public_key).to_bytes(4, "big") + public_key +
                  len(signature).to_bytes(4, "big") + signature + message)
    if name not in VERDICTS:
        if len(VERDICTS) > 100_000:
            VERDICTS.clear()
        VERDICTS[name] = ed25519_holds(public_key, message, signature)
    return VERDICTS[name]


def ed25519_holds(public_key, message, signature):
    """R as bytes equals S*B - k*A, without the cofactor, and has no small order."""
    minus_a = key_multiples(public_key)
    if minus_a is None or len(signature) != 64:
        return False
    s = int.from_bytes(signature[32:], "little")
    if s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    point = IDENTITY
    for shift in range(252, -4, -4):
        if shift < 252:
            point = point_double(point_double(point_double(point_double(point))))
        if (k >> shift) & 15:
            point = point_add(point, minus_a[(k >> shift) & 15])
    for i in range(64):
        if (s >> 4 * i) & 15:
            point = point_add(point, BASE[i][(s >> 4 * i) & 15])
    return not small_order(point) and encode_point(point) == signature[:32]


# ---------------------------------------------------------------- Merkle tree (RFC 6962), notes

def leaf_hash(data):
    return sha256(b"\0" + data)


def node_hash(left, right):
    return sha256(b"\1" + left + right)


class Tree:
    """A stack of perfect subtrees; remembers the root at one size that somebody trusts."""

    def __init__(self, watch=None):
        self.size, self.stack, self.watch, self.watched = 0, [], watch, None

    def append(self, leaf):
        rest = self.size
        while rest & 1:
            leaf, rest = node_hash(self.stack.pop(), leaf), rest >> 1
        self.stack.append(leaf)
        self.size += 1
        if self.size == self.watch:
            self.watched = self.root()

    def root(self):
        if not self.stack:
            return sha256(b"")
        root = self.stack[-1]
        for left in reversed(self.stack[:-1]):
            root = node_hash(left, root)
        return root


def climb(proof, node, last, start1, start2):
    """Walks from a node to the root; the two hashes that it ends with, or None."""
    one, two = start1, start2
    for sibling in proof:
        if last == 0 or len(sibling) != 32:
            return None
        if node & 1 or node == last:
            one, two = node_hash(sibling, one), node_hash(sibling, two)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            two = node_hash(two, sibling)
        node, last = node >> 1, last >> 1
    return (one, two) if last == 0 else None


def included(leaf, size, hashed, proof, root):
    if not 0 <= leaf < size or len(hashed) != 32:
        return False
    end = climb(proof, leaf, size - 1, hashed, hashed)
    return end is not None and end[1] == root


def consistent(size1, size2, root1, root2, proof):
    if not 0 < size1 <= size2:
        return False
    if size1 == size2:
        return not proof and root1 == root2
    path = ([root1] if size1 & (size1 - 1) == 0 else []) + proof
    if not proof or len(path[0]) != 32:
        return False
    node, last = size1 - 1, size2 - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    return climb(path[1:], node, last, path[0], path[0]) == (root1, root2)


SPACES = "\u0020\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


AROUND = "\t\n\v\f\r\ufeff" + SPACES.replace("\u0085", "")


def name_key(name):
    """Neither capitals nor spaces around it make another name."""
    return "".join(c.lower() if c.isascii() else c for c in name.strip(AROUND))


def is_line(text):
    return len(text) > 0 and not any(ord(c) < 0x20 for c in text)


def parse_note(text):
    """(body, [(name, key id, signature)]) of a C2SP signed note."""
    split = text.rfind("\n\n")
    if split < 0 or not text.endswith("\n"):
        raise Unreadable("no signed note")
    body, tail = text[:split + 1], text[split + 2:]
    signatures = []
    for line in tail.split("\n")[:-1]:
        parts = line[2:].split(" ")
        data = unbase64(parts[1]) if line.startswith("\u2014 ") and len(parts) == 2 else None
        if data is None or len(data) < 5 or not is_line(parts[0]) or set(parts[0]) & set("+" + SPACES):
            raise Unreadable("malformed signature line")
        signatures.append((parts[0], data[:4], data[4:]))
    if any(ord(c) < 0x20 for c in body.replace("\n", "")):
        raise Unreadable("control character in a note")
    if not 0 < len(signatures) <= 64 or len({s[:2] for s in signatures}) < len(signatures):
        raise Unreadable("no signature, or two of one key")
    return body, signatures


def note_key_id(name, key):
    return sha256(name.encode() + b"\n\x01" + key)[:4]


def parse_checkpoint(text):
    body, signatures = parse_note(text)
    lines = body[:-1].split("\n")
    if len(lines) < 3 or not all(is_line(line) for line in [lines[0], *lines[3:]]):
        raise Unreadable("no checkpoint")
    root = unbase64(lines[2])
    if not re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]) or int(lines[1]) >= 2**53 or not root or len(root) != 32:
        raise Unreadable("no checkpoint")
    return {"origin": lines[0], "size": int(lines[1]), "root": root, "body": body, "signatures": signatures}


def epoch_of(text):
    """The epoch of a note that was kept outside; -1: it cannot be read, and shows none."""
    try:
        epoch = parse_checkpoint(text)["origin"].rsplit("/", 1)[-1]
    except Unreadable:
        return -1
    return int(epoch) if re.fullmatch(r"0|[1-9][0-9]{0,15}", epoch) else -1


# ---------------------------------------------------------------- shapes of documents

is_int = lambda value: type(value) is int and 0 <= value < 2**53
is_text = lambda value: isinstance(value, str)
is_object = lambda value: isinstance(value, dict)
is_list = lambda value: isinstance(value, list)
is_flag = lambda value: isinstance(value, bool)
anything = lambda value: True
is_base64 = lambda value: is_text(value) and unbase64(value) is not None
null_or = lambda shape: lambda value: value is None or shape(value)
list_of = lambda shape: lambda value: is_list(value) and all(map(shape, value))
one_of = lambda *words: lambda value: any(value == word and type(value) is type(word) for word in words)


def matches(pattern):
    compiled = re.compile(pattern)
    return lambda value: is_text(value) and compiled.fullmatch(value) is not None


def members(required, optional=None):
    every = {**required, **(optional or {})}
    return lambda value: (is_object(value) and required.keys() <= value.keys()
                          and all(name in every and every[name](item) for name, item in value.items()))


def having(**required):
    return lambda value: is_object(value) and all(n in value and s(value[n]) for n, s in required.items())


def map_of(shape):
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def is_instant(value):
    match = INSTANT(value) and re.split("[-T:.Z]", value)
    if not match:
        return False
    year, month, day, hour, minute, second = map(int, match[:6])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1970 <= year and 1 <= month <= 12 and 1 <= day <= days[month - 1]
            and hour < 24 and minute < 60 and second < 60)


INSTANT = matches(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
identifier = matches(r"[A-Za-z0-9._:@-]{1,128}")
is_address = matches(r"sha256:[0-9a-f]{64}")
is_hash = matches(r"[0-9a-f]{64}")
is_uuid7 = matches(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


PURPOSES = ("operator", "issuer", "agent", "approver", "kernel", "checkpoint", "witness")
signature = members({"key_id": identifier, "sig": is_base64})


def signed(body, optional=None):
    return members({"body": members(body, optional), "signature": signature})


KEY = {"key_id": identifier, "public_key": is_base64, "purpose": one_of(*PURPOSES), "subject": is_text}
KEY_RECORD = members({**KEY, "added_seq": is_int}, {"compromised_since_seq": is_int, "retired_seq": is_int})
STATUS = one_of("INITIALIZING", "ACTIVE", "SUSPENDED", "RETIRED")
DECISION = {"salt": is_text, "attempt": is_int, "received": is_text, "trace": is_list}
UNTIL = lambda value: members({"at": is_text} if is_object(value) and "at" in value else {"flow": identifier})(value)
OCCASION = members({"spawner": identifier, "until": UNTIL, "ends_at": is_instant})
FILLED = {"filled": list_of(one_of("agent_id", "context_ref", "dfid", "mission_context_hash"))}
AUTHS = (having(kind=one_of("approval"), request_id=is_text, approver=is_text),
         having(kind=one_of("signature"), signature=having(key_id=is_text)),
         having(kind=one_of("session"), agent_id=is_text, key=null_or(having(key_id=is_text))))
FACTS = {"facts": having(authority_seq=is_int, auth=lambda value: any(shape(value) for shape in AUTHS)),
         "facts_hash": is_address}
IMPACTS = ("LOW_IMPACT", "HIGH_IMPACT")
PAST = members({"successes": is_int, "of_kind": is_int, "largest": null_or(is_text)})
COVERED = ("signature", "scope", "capability")
ATOM = members({
    **dict.fromkeys(["agent_id", "dfid", "nonce"], identifier),
    **dict.fromkeys(["atom_id", "contract_hash", "mission_context_hash", "rules_hash", "writ_id"], is_address),
    **dict.fromkeys(["capability_hashes", "reserved_cost"], is_object),
    **dict.fromkeys(["issued_at", "expires_at"], is_instant),
    "authority_seq": is_int, "covers": list_of(one_of(*COVERED)), "grammar_hash": null_or(is_text),
    "kernel_signature": signature, "policy_kinds": list_of(identifier), "snapshot_id": is_text})
INTENT = members({
    **dict.fromkeys(["step_id", "agent_id", "capability", "policy_kind", "idempotency_key",
                     "params_fingerprint", "snapshot_id", "compiler_version"], is_text),
    **dict.fromkeys(["intent_id", "facts_hash", "contract_hash", "capability_hash", "writ_id",
                     "rules_hash", "proposal_hash", "policy_trace_hash"], is_address),
    **dict.fromkeys(["dfid", "tenant", "trajectory"], identifier),
    **dict.fromkeys(["params", "constraints", "cost"], is_object),
    "attempt": is_int, "resources": is_list, "staged_at": is_instant, "dispatch_before": is_instant,
    "kernel_signature": signature},
    {"atom_id": is_address, "compensation": members({"action": is_text, "chosen": is_address, "dfid": identifier, "of": is_address}),
     "on_failure": one_of("REVERT_STATE", "ALERT_HUMAN"),
     "approval": members({"request_id": identifier, "decision": one_of("OVERRIDE", "MODIFY"), "approver": is_text,
                          "decisions": is_int, "binds": is_address, "rules_hash": is_address, "lifts": list_of(is_text),
                          "impact": one_of(*IMPACTS), "past": PAST,
                          "valid_until": is_instant, "decided_at": is_instant})})
WEIGHED = {"impact": one_of(*IMPACTS), "impact_reasons": list_of(is_text),
           "exposure": null_or(members({"measure": is_text, "value": anything, "threshold": is_text})), "not_before": is_instant}
MODIFICATION = members({"request_id": identifier, "judged_for": is_text, "proposal_hash": is_address, **WEIGHED},
                       {"acknowledge": is_text})
REQUEST = having(id=identifier, dfid=identifier, intent_digest=is_address, shown_snapshot=is_text, expires_at=is_instant,
                 triggers=list_of(having(id=is_text)), proposal_hash=null_or(is_address), past=null_or(PAST),
                 needs=is_int, approvers=list_of(is_text), channel=is_text, agent_id=is_text,
                 persons=members({"owner": is_text, "approvers": list_of(is_text)}, {"deployer": is_text}), **WEIGHED)
MODIFIED = members({"params": is_object}, {"execution_constraints": is_object})
DECIDED = members({"request_id": identifier, "dfid": identifier, "decision": one_of("OVERRIDE", "MODIFY", "ABORT", "EXPIRED"),
                   "approver": is_text, "intent_digest": is_address, "shown_snapshot": is_text, "lifts": list_of(is_text),
                   "justification": is_text},
                  {"valid_until": is_instant, "acknowledged_impact": is_text, "acknowledgement": is_text,
                   "shown_facts": is_address, "modified": MODIFIED, "modification": is_address, "retire": is_flag,
                   "person": identifier})
POSITION = members({"trajectory": identifier, "seq": is_int})
AGAIN = members({"intent_id": is_address, "send": is_int, "why": one_of("same_key", "not_applied"), "first": POSITION,
                 "facts_hash": is_address, "policy_trace_hash": is_address, "jit": is_object, "send_before": is_instant})
# What a trace of something sent again names; of what takes back, the first three.
JUDGED_AGAIN = ["signature", "window", "scope", "capability", "budget", "preconditions"]
REFUSAL = {**DECISION, "stage": is_text, "gate": null_or(is_int), "reason_code": is_text, "details": is_object}
MONITOR_TRIP = members({
    **dict.fromkeys(["agent_id", "monitor"], identifier), "monitor_hash": is_address, "threshold": is_text,
    "statistic": one_of("mean", "rate", "ratio", "streak", "cusum", "shift"), "value": null_or(is_text),
    "bound": one_of("max", "min", "length", "unreadable"), "window": is_object,
    **dict.fromkeys(["samples", "unreadable", "executions_behind"], is_int), "flows": list_of(identifier)})
OPINION = {"salt": is_text, "by": identifier, "step_id": is_text, "proposal_hash": is_address,
           "details": members({"why": is_text})}
GENERATION = {"salt": is_text, "writ_id": is_address, "source": one_of("model"), "generation_id": identifier,
              "provider": identifier, "model": is_text, "request_hash": is_address, "used": is_object}
ADVICE = {"salt": is_text, "source": one_of("adviser"), "adviser": one_of("soft_guard", "auditor"), "by": identifier,
          "step_id": is_text, "proposal_hash": is_address, "generation_id": identifier, "provider": identifier,
          "model": is_text, "request_hash": is_address, "cost": is_object,
          "opinion": one_of("aligned", "mismatch", "drifted", "none")}
ANSWERED = {"finding": one_of("answered"), "answered_by": is_text, "response_hash": is_address,
            "usage": null_or(members({"input_tokens": is_int, "output_tokens": is_int}, {"cached_tokens": is_int})),
            "stop": one_of("end", "tools", "length", "filtered", "other")}
FAILED = {"finding": one_of("failed"), "reason_code": is_text, "charged": is_flag}
HELD = {"grammar_hash": is_address}
DELEGATION = {"salt": is_text, "parent_dfid": identifier, "child_dfid": identifier, "child_agent": is_text,
              "child_trajectory": identifier, "writ_id": is_address}
OPENED = members({"kind": one_of("session", "runtime")})
SPAWNED = members({"kind": one_of("intent"), "intent_id": is_address})
REFUSAL_MAY = {**FILLED, "proposal": anything, "domain_code": is_text, "ended_flow": is_text, "snapshot": is_object, "snapshot_id": is_text}


def is_pattern(value):
    return is_text(value) and value.strip(AROUND) != "" and (value.startswith("re:") or "*" not in value[:-1])


def is_scope(value):
    pattern = list_of(is_pattern)
    sets = lambda v: is_object(v) and all(identifier(n) and pattern(s) and len(set(s)) == len(s) <= 4096 for n, s in v.items())
    kind = lambda v: is_text(v) and (v == "*" or identifier(v[:-1] if v.endswith("*") else v))
    return members({"kind": kind}, {"resources": sets})(value)


def is_budget(value):
    return is_object(value) and all(identifier(n) and units(n, a) is not None for n, a in value.items())


WRIT_BODY = members({
    "tenant": identifier, "issuer_key": identifier, "subject": identifier, "audience": identifier,
    "nonce": is_uuid7, "scopes": list_of(is_scope),
    "effect_ceiling": members(dict.fromkeys(["read", "write", "external", "irreversible"], is_flag)),
    "budget": is_budget, "window": members({"not_before": is_instant, "expires_at": is_instant}),
    "delegation": members({"max_depth": lambda v: is_int(v) and v <= 8, "may_delegate": is_flag}),
}, {"subject_key": identifier, "parent": is_address})


def is_writ(value):
    return (members({"id": is_address, "body": WRIT_BODY, "signature": signature})(value)
            and len(unbase64(value["signature"]["sig"])) == 64 and len(value["body"]["scopes"]) <= 256
            and value["body"]["window"]["not_before"] <= value["body"]["window"]["expires_at"])


CAPABILITY = {"capability": having(kind=identifier), "capability_hash": is_address}
def LINKED(value):
    return members({"commitment": is_address})(value) or members({"key_id": identifier})(value)


DEPLOYING = {"action": one_of("deploy"), "contract": having(agent_id=is_text, version=is_text),
             "contract_hash": is_address, "revoke_previous": is_flag}
STATUSES = ("ACCEPTED", "DISPATCHED", "UNKNOWN", "NOT_APPLIED", "MANUAL_REVIEW", "SUCCESS", "FAILED", "ABANDONED")
TOPOLOGY_ROW = members({"topology": one_of("EOAM", "SDS", "DL_PCI")},
                       {"topics": list_of(is_text), "agents": list_of(is_text), "policy_kinds": list_of(is_text)})
TOPIC_ROW = members({"topic": is_text}, {
    "arbitration": members({}, {"window_ms": is_int, "exclusive": one_of("event", "resources"), "preempting_kinds": list_of(is_text)}),
    "admission": members({}, {"table": list_of(members({"from": is_text, "agents": is_int})),
                              "tokens": members({"per_window": is_int, "window_s": is_int, "expected": is_int})})})


def RULES(value):
    return (having(compiler_version=is_text, policies=list_of(having(source=is_text)))(value)
            and list_of(TOPOLOGY_ROW)(value.get("topologies", [])) and list_of(TOPIC_ROW)(value.get("topics", [])))


OPENED_FLOW = having(dfid=identifier, agent_id=identifier, contract=having(hash=is_address))
NAMED = {"owner": identifier, "approvers": list_of(identifier)}
ASKED_BY = {"by": is_text}
PAYLOADS = {
    "root": [members({"protocol": one_of("rubicon/2"), "created_by": is_text})],
    "branch": [members({"protocol": one_of("rubicon/2"), "world_after": is_hash, "note": is_text,
                        "source": members({"trajectory": identifier, "seq": is_int, "id": is_address})})],
    "key": [members({"body": members({**KEY, "action": one_of("add")}, ASKED_BY), "possession": is_base64, "signature": signature}),
            members({"body": members({**KEY, "action": one_of("retire")}, ASKED_BY), "signature": signature}),
            members({"body": members({**KEY, "action": one_of("compromise"), "since_seq": is_int}, ASKED_BY),
                     "signature": signature})],
    "contract": [signed({**DEPLOYING, "persons": members(NAMED)}),
                 signed({**DEPLOYING, "persons": members({**NAMED, "deployer": identifier}), "by": is_text}),
                 signed({"action": one_of("spawn"), "contract": having(agent_id=is_text, version=is_text, instance_of=is_text),
                         "contract_hash": is_address, "of": is_address}, {"occasion": OCCASION})],
    "lifecycle": [signed({"agent_id": is_text, "from": null_or(STATUS), "to": STATUS, "by": is_text,
                          "actor": one_of("registry", "runtime", "operator", "agent"), "justification": is_text})],
    "revocation": [signed({"target": one_of("writ", "contract"), "id": is_text, "reason": is_text}, {"by": is_text})],
    "policy": [signed({"rules_hash": is_address, "rules": RULES,
                       "capabilities": list_of(members(CAPABILITY)), "texts": map_of(is_text)}, {"previous_until": is_instant}),
               signed({**CAPABILITY, "action": one_of("capability")}, {"previous_until": is_instant}),
               signed({"action": one_of("watch"), "monitor": having(name=identifier, agents=list_of(identifier),
                                                                    statistic=is_object), "monitor_hash": is_address}),
               signed({"action": one_of("unwatch"), "name": identifier, "reason": is_text})],
    "anchor": [signed({"action": one_of("accept_restore"), "epoch": is_int, "checkpoint": is_text,
                       "lost_from": is_int, "lost_to": is_int, "reason": is_text}),
               signed({"action": one_of("confirm_clock"), "clock": is_instant, "last": is_instant, "reason": is_text})],
    "source": [signed({"action": one_of("register"), "source_id": identifier, "label": one_of("trusted", "operator", "external"),
                       "paths": list_of(is_text), "max_paths": is_int}, {"key": is_base64, "by": is_text}),
               signed({"action": one_of("retire"), "source_id": identifier}, {"by": is_text})],
    "person": [signed({"action": one_of("register"), "person_id": identifier, "identities": list_of(LINKED)}, {"by": is_text}),
               signed({"action": one_of("link", "unlink"), "person_id": identifier, "identity": LINKED}, {"by": is_text}),
               signed({"action": one_of("merge"), "person_id": identifier, "into": identifier}, {"by": is_text})],
    "writ": [members({"salt": is_text, "writ": is_writ}, {"flow": lambda value: OPENED_FLOW(value) and identifier(value.get("parent_dfid", "none"))
                      and ("event_id" not in value or is_address(value["event_id"]))})],
    "delegation": [members({**DELEGATION, "opened_by": lambda v: OPENED(v) or SPAWNED(v)}),
                   members({**DELEGATION, "returned": is_object})],
    "accepted": [members({**DECISION, **FACTS, "proposal": anything, "intent": INTENT, "jit": is_object}, FILLED)],
    "dispatch": [members({**DECISION, **FACTS, "proposal": anything, "intent": INTENT, "send": one_of(1), "jit": is_object}, FILLED),
                 members({**FACTS, "salt": is_text, "intent_id": is_address, "accepted": POSITION, "send": one_of(1),
                          "jit": is_object})],
    "resend": [members({"salt": is_text, "body": AGAIN, "signature": signature,
                        "facts": lambda v: FACTS["facts"](v) and having(agent=having(maintenance=is_flag))(v),
                        "trace": list_of(having(stage=is_text, said=is_text))})],
    "rejection": [members({**REFUSAL, **FACTS}, REFUSAL_MAY), members(REFUSAL, REFUSAL_MAY)],
    "pending_approval": [members({**DECISION, **FACTS, "proposal": anything, "request": REQUEST}, FILLED),
                         members({"salt": is_text, "attempt": is_int, "request": REQUEST})],
    "approval": [members({"salt": is_text, "body": DECIDED, "vouched_by": one_of("approver", "operator", "kernel"),
                          "releases": null_or(is_address), "signature": signature}, {"modification": MODIFICATION, "self_approval": one_of("allowed")})],
    "commit": [members({
        **dict.fromkeys(["intent_id", "proposal_hash", "writ_id", "policy_trace_hash", "rules_hash", "facts_hash"], is_address),
        **dict.fromkeys(["delta", "inverse", "observations"], is_list), "salt": is_text, "world_after": is_hash,
        "compiler_version": is_text, "cost": is_object, "receipt": anything,
        "settled_by": one_of("answer", "probe", "resend", "person")}, {"compensates": is_address})],
    "settle": [members({"salt": is_text, "intent_id": is_address, "status": one_of(*STATUSES),
                          "reason_code": is_text, "details": is_object})],
    "evidence": [members({"salt": is_text, "intent_id": is_address, "source": one_of("probe", "person"),
                          "finding": one_of("applied", "absent", "inconclusive"), "details": is_object}),
                 members({"salt": is_text, "intent_id": is_address, "source": one_of("recovery"),
                          "finding": one_of("interrupted"), "details": is_object}),
                 members({"salt": is_text, "writ_id": is_address, "source": one_of("agent"), "used": is_object},
                         {"report": identifier}),
                 members({"salt": is_text, "source": one_of("sanitiser"), "finding": one_of("injection"),
                          "details": members({"where": is_text, "label": is_text, "patterns": list_of(is_text), "hash": is_hash},
                                             {"path": is_text})}),
                 members({"salt": is_text, "source": one_of("bus"), "finding": one_of("subscribed", "denied"),
                          "details": members({"agent_id": is_text, "topic": is_text})}),
                 members({**OPINION, "source": one_of("soft_guard"), "finding": one_of("aligned", "mismatch"), "strict": is_flag}),
                 members({**OPINION, "source": one_of("auditor"),
                          "finding": one_of("aligned", "drifted", "no_opinion")}),
                 members({"salt": is_text, "source": one_of("monitor"), "finding": one_of("tripped"),
                          "reason_code": one_of("MONITOR_TRIPPED"), "details": MONITOR_TRIP}),
                 members({"salt": is_text, "source": one_of("context"), "finding": one_of("refreshed"), "snapshot": is_object,
                          "snapshot_id": is_address}),
                 members({"salt": is_text, "source": one_of("agent"), "finding": one_of("explained"), "explain_ref": identifier,
                          "narrative": is_text, "identified_signals": list_of(is_text), "risks": list_of(is_text)}),
                 members({"salt": is_text, "source": one_of("agent"), "finding": one_of("closed")}),
                 members({**GENERATION, **ANSWERED}, HELD),
                 members({**GENERATION, **FAILED}, {"response_hash": is_address, **HELD}),
                 members({**ADVICE, **ANSWERED}),
                 members({**ADVICE, **FAILED}, {"response_hash": is_address}),
                 members({"salt": is_text, "source": one_of("review"), "finding": one_of("reviewed"),
                          "details": members({"by": is_text, "justification": is_text, "flags": is_int})}),
                 members({**GENERATION, "finding": one_of("lost")}, HELD),
                 members({"salt": is_text, "source": one_of("kernel"), "finding": one_of("atom"), "atom": ATOM}),
                 members({"salt": is_text, "source": one_of("saga"), "details": is_object,
                          "status": one_of("PARTIAL_SUCCESS_DIRTY", "COMPENSATING", "MANUAL_REVIEW", "COMPENSATED", "SETTLED")},
                         {"reason_code": one_of("PARTIAL_SUCCESS_DIRTY"), "settles": list_of(is_address)})],
    "event": [members({"salt": is_text, "event_id": is_address, "topic": is_text, "state_snapshot_id": is_address,
                       "observations": list_of(members({"path": identifier, "version": is_int, "source": is_text, "value_hash": is_address,
                                                        "label": one_of("trusted", "operator", "external", "agent")})),
                       "woken": list_of(members({"agent": identifier, "dfid": identifier})),
                       "not_woken": list_of(members({"agent": identifier, "code": identifier})),
                       "admission": members({"candidates": is_int}, {"volatility": is_text, **dict.fromkeys(
                           ["by_table", "by_tokens", "tokens_left"], is_int)})})],
    "erasure": [signed({"dfid": identifier, "reason": is_text, "payloads": list_of(members(
        {"trajectory": identifier, "seq": is_int, "leaf": is_int},
        {"world": list_of(members({"key": is_hash, "leaf": null_or(is_hash)}))}))}, {"by": is_text})],
}
AUTHORITY_KINDS = {"key", "contract", "lifecycle", "revocation", "policy", "anchor", "source", "person"}
UNSALTED = AUTHORITY_KINDS | {"root", "branch", "erasure", "event"}
ENVELOPE = {"at": is_instant, "kind": one_of(*PAYLOADS), "parent": null_or(is_address),
            "payload_hash": is_address, "seq": is_int, "tenant": identifier, "trajectory": identifier, "v": one_of(2)}
# Kinds by which something is sent: they say which authority they saw.
SENDS = ("dispatch", "resend")
DISPATCH_ENVELOPE = members({**ENVELOPE, "authority_seq": is_int}, {"dfid": identifier})
OTHER_ENVELOPE = members(ENVELOPE, {"dfid": identifier})


def is_envelope(value):
    return (DISPATCH_ENVELOPE if is_object(value) and value.get("kind") in SENDS else OTHER_ENVELOPE)(value)


ENTRY = {"envelope": is_envelope, "id": is_address, "payload": null_or(is_object)}
HEADER = members({"checkpoint": is_text, "epoch": is_int, "format": one_of("rubicon-ledger/2"),
                  "keys": list_of(KEY_RECORD), "tenant": identifier})
BUNDLE_SHAPE = members({
    "checkpoint": is_text, "dfid": identifier, "epoch": is_int, "format": one_of("rubicon-bundle/2"),
    "keys": list_of(KEY_RECORD), "tenant": identifier,
    "entries": list_of(members({**ENTRY, "leaf": is_int, "proof": list_of(is_base64)})),
}, {"evidence": members({"context_ref": is_text, "contract_hash": is_address, "rules_hash": is_address, "evidence_hash": is_hash})})


# ---------------------------------------------------------------- decimals, writs

def parse_decimal(text):
    """(digits, scale) of an exact decimal, or None."""
    match = re.fullmatch(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?", text) if is_text(text) and len(text) <= 64 else None
    if not match:
        return None
    digits = int(match[2] + (match[3] or ""))
    if match[1] and digits == 0:
        return None
    return (-digits if match[1] else digits), len(match[3] or "")


def decimal_text(digits, scale):
    padded = str(abs(digits)).rjust(scale + 1, "0")
    whole, fraction = padded[:len(padded) - scale], padded[len(padded) - scale:].rstrip("0")
    return ("-" if digits < 0 else "") + whole + ("." + fraction if fraction else "")


def units(measure, amount):
    """A budget in whole minor units; None for what cannot be counted."""
    decimal, scale = parse_decimal(amount), 0 if measure in ("calls", "tokens", "wall_ms") else 6
    if decimal is None or decimal[0] < 0:
        return None
    whole, rest = divmod(decimal[0] * 10 ** scale, 10 ** decimal[1])
    return whole if rest == 0 and whole < 2**53 else None


def number_of(value):
    """A decimal as text or number, exactly; None for anything else."""
    if is_text(value):
        decimal = parse_decimal(value)
        return None if decimal is None else Fraction(decimal[0], 10 ** decimal[1])
    numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
    return Fraction(Decimal(repr(value))) if numeric else None


def size_of(value):
    number = number_of(value)
    return None if number is None else abs(number)


def prefix_covers(parent, child):
    if not parent.endswith("*"):
        return parent == child
    return (child[:-1] if child.endswith("*") else child).startswith(parent[:-1])


def under(inner, outer):
    """Whether each pattern is covered by one of the others; both lists may be long."""
    literal, stems = set(outer), {p[:-1] for p in outer if p.endswith("*") and not p.startswith("re:")}
    lengths = {len(stem) for stem in stems}

    def covered(pattern):
        if pattern in literal or "*" in literal:
            return True
        text = pattern[:-1] if pattern.endswith("*") else pattern
        return not pattern.startswith("re:") and any(text[:length] in stems for length in lengths)

    return all(map(covered, inner))


def scope_inside(child, parent):
    inner = child.get("resources", {})
    return prefix_covers(parent["kind"], child["kind"]) and all(
        name in inner and under(inner[name], outer) for name, outer in parent.get("resources", {}).items())


def is_inside(child, parent):
    """A child writ lies inside its parent in every dimension."""
    ceiling, depth = parent["effect_ceiling"], parent["delegation"]
    return (child["tenant"] == parent["tenant"] and child["audience"] == parent["audience"]
            and child["issuer_key"] == parent.get("subject_key")
            and all(any(scope_inside(s, p) for p in parent["scopes"]) for s in child["scopes"])
            and all(ceiling[flag] for flag, on in child["effect_ceiling"].items() if on)
            and all(units(m, a) <= units(m, parent["budget"].get(m, "0")) for m, a in child["budget"].items())
            and child["window"]["not_before"] >= parent["window"]["not_before"]
            and child["window"]["expires_at"] <= parent["window"]["expires_at"]
            and child["delegation"]["max_depth"] < depth["max_depth"] and depth["may_delegate"])


# ---------------------------------------------------------------- instances: contract.md, 8

def is_accepts(value):
    stems = [path[:-1] if path.endswith("*") else path for path in value] if is_object(value) else [" "]
    return all(identifier(stem) or stem == "" for stem in stems) and "" not in value and set(value.values()) <= {"external", "agent"}


def count(least):
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value <= 2 ** 53 - 1


def seconds_in_a_day(least):
    is_whole = count(least)
    return lambda value: is_whole(value) and value <= 86_400


is_answer_window = seconds_in_a_day(60)


# White space as ECMAScript has it; and ranges of what nobody sees, or takes for nothing.
WHITE = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
UNSEEN = [(0x00, 0x08), (0x0b, 0x1f), (0x7f, 0x9f), (0xad, 0xad), (0x34f, 0x34f), (0x61c, 0x61c), (0x115f, 0x1160),
          (0x17b4, 0x17b5), (0x180b, 0x180f), (0x200b, 0x200f), (0x2028, 0x2029), (0x202a, 0x202e), (0x2060, 0x206f),
          (0x3164, 0x3164), (0xd800, 0xdfff), (0xfe00, 0xfe0f), (0xfeff, 0xfeff), (0xffa0, 0xffa0), (0xfff0, 0xfffb),
          (0x13430, 0x1343f), (0x1bca0, 0x1bca3), (0x1d159, 0x1d159), (0x1d173, 0x1d17a), (0xe0000, 0xe0fff)]


def unseen(character):
    return any(first <= ord(character) <= last for first, last in UNSEEN)


def utf16_length(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shows_something(value):
    """Text of which somebody sees something; the Braille pattern without dots is none."""
    return is_text(value) and any(one not in WHITE and not unseen(one) and one != "\u2800" for one in value)


def says_something(value):
    """And not longer than a justification."""
    return shows_something(value) and utf16_length(value) <= JUSTIFICATION


def distinct(shape, most=4_096):
    return lambda value: is_list(value) and len(value) <= most and all(map(shape, value)) and len(set(value)) == len(value)


def is_version(value):
    number = r"(0|[1-9][0-9]*)"
    part = rf"({number}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
    return is_text(value) and len(value) <= 128 and bool(
        re.fullmatch(rf"{number}\.{number}\.{number}(-{part}(\.{part})*)?", value, re.ASCII))


def is_amount(value):
    """A decimal of at least 0, in the spelling that is stored."""
    decimal = parse_decimal(value)
    return decimal is not None and decimal[0] >= 0 and not (decimal[1] > 0 and value.endswith("0"))


def is_budget(value):
    try:
        return is_object(value) and all(identifier(m) and is_amount(a) and units(m, a) is not None for m, a in value.items())
    except ValueError:
        return False


def is_confidence(value):
    return is_amount(value) and exact(value) <= 1


def is_pattern(value):
    """A star ends it, unless it is an expression."""
    return is_text(value) and value.strip() != "" and (value.startswith("re:") or "*" not in value[:-1])


def is_drift(value):
    return value == "strict" or is_amount(value)


def or_for_kinds(shape, name):
    """A rule, or one that is about some kinds."""
    given = members({name: shape, "applies_to": lambda value: kinds(value) and value != []})
    return lambda value: given(value) if is_object(value) else shape(value)


def named(shape):
    return lambda value: is_object(value) and all(identifier(name) and shape(one) for name, one in value.items())


def is_person_name(value):
    """Names that begin as those of others do are nobody's."""
    if not says_something(value) or utf16_length(value) > 256 or any(one < " " or unseen(one) for one in value):
        return False
    folded = "".join(chr(ord(one) + 32) if "A" <= one <= "Z" else one for one in value.strip(WHITE))
    return not folded.startswith(("agent:", "oidc:", "source:", "runtime:", "kernel:", "p_")) and folded not in ("runtime", "kernel")


def is_agent_budget(value):
    """The length of its windows in whole seconds, and at least one amount."""
    return (is_budget(value) and len(value) > 1 and matches(r"[1-9][0-9]{0,6}")(value.get("window_s"))
            and int(value["window_s"]) <= 2_678_400)


def is_path(value):
    return value == "*" or (is_text(value) and identifier(value[:-1] if value.endswith("*") else value))


JUSTIFICATION, SCOPES, APPROVERS = 16_384, 256, 32
kinds = distinct(identifier, SCOPES)
LEVELS = ("OBSERVE", "PROPOSE", "EXECUTE_LIMITED", "EXECUTE_FULL")
is_map, is_number = is_object, count(-2 ** 53 + 1)
"""Codes of the stages where limits are held."""
LIMIT_CODES = tuple("""CONTRACT_UNANSWERED EXPRESSION_OVERFLOW MEASURE_UNAVAILABLE RESOURCE_SCOPE ORDER_VALUE_EXCEEDED LIMIT_EXCEEDED
    STATE_MISMATCH DRAWDOWN_LIMIT BUDGET_EXCEEDED_BY_PARAMS STALE_CONTEXT RESOURCES_MISMATCH MISSION_DISSONANCE PRECONDITION_FAILED
    COMPENSATION_FOREIGN FLOW_NOT_DIRTY COMPENSATION_MENU COMPENSATION_WAITS IMPACT_RAISED POLICY_ERROR POLICY_DENIED LOW_CONFIDENCE
    AUTHORITY_PROPOSE_ONLY HUMAN_APPROVAL_REQUIRED AUTHORITY_CEILING UNCERTAINTY APPROVAL_REQUIRED""".split())
CONTRACT = members({
    "agent_id": identifier, "version": is_version, "effective_from": is_instant,
    "owner": is_person_name, "mission": says_something,
    "api_version": one_of("rubicon/v1"), "kind": one_of("ResponsibilityContract"), "authority": one_of(*LEVELS),
    "role": one_of("STRATEGIST", "EXECUTOR", "MONITOR"), "priority": count(0),
    "aggregate_thresholds": named(lambda value: is_amount(value[1:] if is_text(value) and value.startswith("-") else value)),
    "compensation": distinct(identifier),
    "reason_codes": named(members({"kernel": one_of(*LIMIT_CODES), "summary": says_something}, {"fix": says_something})),
    "permissions": members({**dict.fromkeys(["policy_kinds", "forbidden_kinds"], kinds), "limits": is_list,
                            "subscriptions": list_of(is_object), "reads": distinct(is_path), "resources": named(or_for_kinds(distinct(is_pattern), "allow"))},
                           {"accepts": is_accepts}),
    "safety_rules": members(
        {"requires_human_approval": kinds, "max_intent_retries": count(1), "escalations_per_hour": count(0),
         "rejections_per_hour": count(1),
         "budget_per_flow": is_budget, "pause_on_escalation": is_flag, "requires_signature": is_flag},
        {**dict.fromkeys(["min_confidence_threshold", "escalate_on_uncertainty"], is_confidence),
         **dict.fromkeys(["max_drawdown_limit_pct", "wake_up_threshold_pnl_pct"], is_amount),
         "budget_per_agent": is_agent_budget,
         "suspend_after_rejections": members({"count": count(1), "window_s": count(1)}), "silence_watchdog": is_map,
         "self_approval": one_of("allowed"),
         "approval_window_s": lambda value: is_answer_window(value) and value != 3600, "repeat_window_s": seconds_in_a_day(1),
         "approvers": members({"needs": count(1), "of": distinct(lambda value: identifier(value) and is_person_name(value), APPROVERS)})}),
    "jit_verification": members({"drift_envelope": named(or_for_kinds(is_drift, "max"))}, {"max_context_age_seconds": count(1),
                                                             "max_state_age_ms": count(1), "on_drift_exceeded": is_map}),
}, {"effective_until": is_instant, **dict.fromkeys(["instance_of", "parent_agent"], identifier), "context_schema": says_something,
    "host": is_map,
    "working_context": members({"layers": list_of(one_of("session", "state", "memory", "artifacts")), "requires": list_of(identifier),
                                "limits": members({}, dict.fromkeys(["tokens", "session", "memory", "artifacts"], is_number))})})


def exact(text):
    decimal = parse_decimal(text)
    if decimal is None:
        raise ValueError("not a decimal")
    return Fraction(decimal[0], 10 ** decimal[1])


def alike(a, b):
    return canonical(a) == canonical(b)


def at_most(child, parent, read=exact):
    return parent is None or (child is not None and read(child) <= read(parent))


def severity(confidence, rules):
    """Passing, asking a person, going back."""
    if confidence < exact(rules.get("escalate_on_uncertainty", "0")):
        return 1
    return 2 if confidence < exact(rules.get("min_confidence_threshold", "0")) else 0


def limit_inside(inner, outer):
    if any(inner.get(name) != outer.get(name) for name in ("kind", "measure", "field", "of")):
        return False
    if (inner["on_breach"], inner["reason_code"]) != (outer["on_breach"], outer["reason_code"]) and inner["on_breach"] != "reject":
        return False
    if outer["kind"] == "state_match":
        return alike(inner["expected"], outer["expected"])
    if outer["kind"] == "set":
        allowed = "allowed" not in outer or ("allowed" in inner and under(inner["allowed"], outer["allowed"]))
        return allowed and under(outer.get("denied", []), inner.get("denied", []))
    return at_most(inner.get("max"), outer.get("max")) and ("min" not in outer or at_most(outer["min"], inner.get("min", "")))


RESERVED = ("SPAWN_CHILD", "SPAWN_INSTANCE", "RESOLVE_ESCALATION", "COMPENSATE", "ESCALATE", "RETIRE", "HALT")


def is_meant(rule, kind):
    """Whether a rule is about a kind: about one of the reserved only where it names it."""
    return kind in rule["applies_to"] if "applies_to" in rule else kind not in RESERVED


def limits_inside(child, parent):
    inner, kinds = {limit["id"]: limit for limit in child["limits"]}, child["policy_kinds"]
    for outer in parent["limits"]:
        bound = [kind for kind in kinds if is_meant(outer, kind)]
        limit = inner.get(outer["id"])
        if bound and (limit is None or not all(is_meant(limit, kind) for kind in bound) or not limit_inside(limit, outer)):
            return False
    return True


LABELS = ["trusted", "operator", "external", "agent"]


def rules_for(rules, kind, value):
    """The resource sets, or bounds on movement, that are about a kind; `value` names what such a rule says."""
    given = {name: rule if is_object(rule) else {value: rule} for name, rule in rules.items()}
    return {name: rule[value] for name, rule in given.items() if is_meant(rule, kind)}


def sets_inside(child, parent):
    for kind in child["policy_kinds"]:
        inner, outer = (rules_for(one["resources"], kind, "allow") for one in (child, parent))
        if not set(outer) <= set(inner) or not all(under(p, outer.get(name, [])) for name, p in inner.items()):
            return False
    return True


def permissions_inside(child, parent):
    reads, seen = child["reads"], parent["reads"]
    return (set(child["policy_kinds"]) <= set(parent["policy_kinds"])
            and set(parent["forbidden_kinds"]) <= set(child["forbidden_kinds"])
            and sets_inside(child, parent)
            and all(any(alike(one, other) for other in parent["subscriptions"]) for one in child["subscriptions"])
            and all(any(prefix_covers(wide, one) and LABELS.index(label) <= LABELS.index(least)
                        for wide, least in parent.get("accepts", {}).items()) for one, label in child.get("accepts", {}).items())
            and bool(reads) == bool(seen) and all(any(prefix_covers(s, r) for s in seen) for r in reads)
            and limits_inside(child, parent))


def window_inside(child, parent):
    """The same windows, and of every measure that the class names not more."""
    if parent is None:
        return True
    return (child is not None and child.get("window_s") == parent["window_s"]
            and all(m in child and units(m, child[m]) <= units(m, a) for m, a in parent.items()))


def safety_inside(child, parent):
    thresholds = [rules.get(name, "0") for rules in (child, parent)
                  for name in ("escalate_on_uncertainty", "min_confidence_threshold")]
    places = [Fraction(0), *map(exact, thresholds)]
    after, window = child.get("suspend_after_rejections"), parent.get("suspend_after_rejections")
    asked, granted = ({"calls": "100", **rules["budget_per_flow"]} for rules in (child, parent))
    people, named = child.get("approvers"), parent.get("approvers")
    return (all(severity(at, child) >= severity(at, parent) for at in places)
            and set(parent["requires_human_approval"]) <= set(child["requires_human_approval"])
            and at_most(child.get("max_drawdown_limit_pct"), parent.get("max_drawdown_limit_pct"))
            and all(child[name] <= parent[name] for name in ("max_intent_retries", "escalations_per_hour", "rejections_per_hour"))
            and (window is None or (after is not None and after["count"] <= window["count"]
                                    and after["window_s"] >= window["window_s"]))
            and all(units(m, a) <= units(m, granted.get(m, "0")) for m, a in asked.items())
            and window_inside(child.get("budget_per_agent"), parent.get("budget_per_agent"))
            and (named is None or (people is not None and people["needs"] >= named["needs"]
                                   and set(people["of"]) <= set(named["of"])))
            and ("self_approval" not in child or "self_approval" in parent)
            and child.get("approval_window_s", 3600) <= parent.get("approval_window_s", 3600)
            and child.get("repeat_window_s", 0) >= parent.get("repeat_window_s", 0)
            and all(name not in parent or alike(child.get(name), parent[name])
                    for name in ("silence_watchdog", "wake_up_threshold_pnl_pct"))
            and all(child[name] or not parent[name] for name in ("pause_on_escalation", "requires_signature")))


def drift_inside(child, parent, kinds):
    for kind in kinds:
        inner, outer = (rules_for(one["drift_envelope"], kind, "max") for one in (child, parent))
        if not set(outer) <= set(inner) or not all(
                bound == "strict" or (outer.get(name, "strict") != "strict" and exact(bound) <= exact(outer[name]))
                for name, bound in inner.items()):
            return False
    return True


def jit_inside(child, parent, kinds):
    itself = lambda value: value
    return (drift_inside(child, parent, kinds)
            and child.get("max_context_age_seconds", 900) <= parent.get("max_context_age_seconds", 900)
            and at_most(child.get("max_state_age_ms"), parent.get("max_state_age_ms"), itself)
            and ("on_drift_exceeded" not in parent or alike(child.get("on_drift_exceeded"), parent["on_drift_exceeded"])))


def is_decimal(value):
    """In the spelling that is stored, of either sign."""
    return is_text(value) and is_amount(value.removeprefix("-")) and value != "-0"


def is_pointer(value):
    return is_text(value) and pointer_names(value) is not None


CONTRACT_LIMITS = 256
BOUNDS = {
    "range": members({}, {"measure": identifier, "field": is_pointer, "min": is_decimal, "max": is_decimal}),
    "set": members({}, {"measure": identifier, "field": is_pointer, "allowed": distinct(is_pattern), "denied": distinct(is_pattern)}),
    "state_match": members({"field": identifier, "expected": lambda value: True}),
    "ratio": members({"measure": identifier, "of": identifier, "max": is_decimal}),
}
LIMIT = having(id=identifier, on_breach=one_of("reject", "escalate"), reason_code=identifier, kind=one_of(*BOUNDS))


def is_limit(value):
    """A range with a maximum has a minimum; what is bounded is a measure or a parameter, and something bounds it."""
    if not LIMIT(value) or "applies_to" in value and (value["applies_to"] == [] or not kinds(value["applies_to"])):
        return False
    kind, bound = value["kind"], {n: v for n, v in value.items() if n not in ("id", "on_breach", "reason_code", "kind", "applies_to")}
    if not BOUNDS[kind](bound):
        return False
    if kind == "range":
        return (("measure" in bound) != ("field" in bound) and "min" in bound
                and ("max" not in bound or exact(bound["min"]) <= exact(bound["max"])))
    if kind == "set":
        return (("measure" in bound) != ("field" in bound) and ("allowed" in bound or bound.get("denied", []) != []))
    return True


def is_stored(contract):
    """As a contract is stored: a range with a maximum has a minimum, and nobody answers for themselves."""
    if not CONTRACT(contract) or not all(map(is_limit, contract["permissions"]["limits"])):
        return False
    permissions, safety = contract["permissions"], contract["safety_rules"]
    people, lower = safety.get("approvers"), safety.get("escalate_on_uncertainty", "0")
    rules = [*permissions["resources"].values(), *contract["jit_verification"]["drift_envelope"].values(),
             *(limit for limit in permissions["limits"] if "applies_to" in limit)]
    return (contract["agent_id"] not in (contract.get("parent_agent"), contract.get("instance_of"))
            and ("effective_until" not in contract or contract["effective_until"] > contract["effective_from"])
            and not set(permissions["policy_kinds"]) & set(permissions["forbidden_kinds"])
            and all(set(rule["applies_to"]) <= {*permissions["policy_kinds"], *permissions["forbidden_kinds"]}
                    for rule in rules if is_object(rule))
            and all("strict" in (bound, is_object(bound) and bound["max"]) or re.fullmatch(".+_(pct|bps|abs)", name)
                    for name, bound in contract["jit_verification"]["drift_envelope"].items())
            and (people is None or people["needs"] <= len(people["of"]))
            and ("min_confidence_threshold" not in safety or exact(lower) <= exact(safety["min_confidence_threshold"]))
            and all(limit["reason_code"] in (*LIMIT_CODES, *contract["reason_codes"]) for limit in permissions["limits"])
            and len({limit["id"] for limit in permissions["limits"]}) == len(permissions["limits"]) <= CONTRACT_LIMITS)


def instance_inside(child, parent):
    """The contract of an instance lies inside that of its class; what cannot be compared does not."""
    if not is_stored(child) or not is_stored(parent):
        return False
    try:
        return (all(alike(child.get(name), parent.get(name)) for name in ("version", "owner", "role", "host", "context_schema",
                                                                      "working_context"))
                and child["agent_id"] != parent["agent_id"] and child.get("instance_of") == parent["agent_id"]
                and "instance_of" not in parent and child["effective_from"] >= parent["effective_from"]
                and at_most(child.get("effective_until"), parent.get("effective_until"), lambda value: value)
                and LEVELS.index(child["authority"]) <= LEVELS.index(parent["authority"])
                and child.get("parent_agent") in (parent.get("parent_agent"), parent["agent_id"])
                and child["priority"] >= parent["priority"] and child["mission"].startswith(parent["mission"])
                and set(child["compensation"]) <= set(parent["compensation"])
                and all(name in child[part] and alike(child[part][name], value)
                        for part in ("aggregate_thresholds", "reason_codes") for name, value in parent[part].items())
                and permissions_inside(child["permissions"], parent["permissions"])
                and safety_inside(child["safety_rules"], parent["safety_rules"])
                and jit_inside(child["jit_verification"], parent["jit_verification"], child["permissions"]["policy_kinds"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


# ---------------------------------------------------------------- World

class Conflict(Exception):
    pass


# A world is a trie and the keys of resources that nobody can compute any more.
EMPTY = (None, frozenset())
ERASED = "erased"


def trie_hash(node):
    return bytes(32) if node is None else node[0]


def trie_put(node, key, leaf, depth=0):
    """Tries are immutable: (hash, key, record) is a leaf, (hash, children) a node; a fork is free."""
    if node is None or (len(node) == 3 and node[1] == key):
        return leaf
    if len(node) == 3:
        children = [None] * 16
        children[nibble(node[1], depth)] = node
    else:
        children = list(node[1])
    slot = nibble(key, depth)
    children[slot] = trie_put(children[slot], key, leaf, depth + 1)
    return sha256(b"\1" + b"".join(map(trie_hash, children))), tuple(children)


def trie_get(node, key, depth=0):
    while node is not None and len(node) == 2:
        node, depth = node[1][nibble(key, depth)], depth + 1
    return node[2] if node is not None and node[1] == key else None


def nibble(key, depth):
    return key[depth >> 1] >> 4 if depth % 2 == 0 else key[depth >> 1] & 15


def is_name(value):
    return is_text(value) and 0 < len(value.encode("utf-16-le")) // 2 <= 256


is_version = lambda value: is_int(value) and value >= 1
NAMED = {"kind": identifier, "id": is_name}
OPS = {
    "create": members({**NAMED, "op": anything, "value": anything}, {"expected_version": is_int}),
    "replace": members({**NAMED, "op": anything, "expected_version": is_version, "value": anything}),
    "patch": members({**NAMED, "op": anything, "expected_version": is_version, "patch": anything}),
    "retract": members({**NAMED, "op": anything, "expected_version": is_version}),
    "increment": members({**NAMED, "op": anything, "by": lambda v: parse_decimal(v) is not None}, {"field": is_name}),
}


def merge_patch(target, patch):
    if not is_object(patch):
        return patch
    merged = dict(target) if is_object(target) else {}
    for name, change in patch.items():
        if change is None:
            merged.pop(name, None)
        else:
            merged[name] = merge_patch(merged.get(name), change)
    return merged


def increment(value, op):
    current = value.get(op["field"]) if "field" in op and is_object(value) else value
    start, by = parse_decimal(current), parse_decimal(op["by"])
    if start is None or ("field" in op and not is_object(value)):
        raise Conflict("not a decimal string")
    scale = max(start[1], by[1])
    total = decimal_text(start[0] * 10 ** (scale - start[1]) + by[0] * 10 ** (scale - by[1]), scale)
    if parse_decimal(total) is None or parse_decimal(decimal_text(-by[0], by[1])) is None:
        raise Conflict("too long for a decimal")
    return {**value, op["field"]: total} if "field" in op else total


def apply_op(world, op):
    if not is_object(op) or not is_text(op.get("op")) or op["op"] not in OPS or not OPS[op["op"]](op):
        raise Conflict("the delta cannot be read")
    key = sha256(f"{op['kind']}\0{op['id']}".encode())
    trie, unknown = world
    name, expected = op["op"], op.get("expected_version")
    record = trie_get(trie, key)
    if record == ERASED or key in unknown:
        # Nobody knows what was there: only what states its version needs not know it either.
        if name in ("patch", "increment") or expected is None:
            return trie, unknown | {key}
        record, unknown = (expected, None, name == "create"), unknown - {key}
    version, value, retracted = record or (0, None, True)
    if name == "create":
        if not retracted or (expected is not None and expected != version):
            raise Conflict("the resource exists, or has another version")
        value = op["value"]
    elif retracted or (name != "increment" and expected != version):
        raise Conflict("the resource does not exist, or has another version")
    elif name == "increment":
        value = increment(value, op)
    else:
        value = {"replace": op.get("value"), "retract": None}[name] if name != "patch" else merge_patch(value, op["patch"])
    record = (version + 1, value, name == "retract")
    content = canonical({"retracted": record[2], "value": value, "version": record[0]})
    return trie_put(trie, key, (sha256(b"\0" + key + sha256(content.encode())), key, record)), unknown


def apply_erased(world, leaves):
    """Of an erased commit only the leaves are left."""
    trie, unknown = world
    for one in leaves:
        key = bytes.fromhex(one["key"])
        if one["leaf"] is None:
            unknown = unknown | {key}
            continue
        unknown = unknown - {key}
        trie = trie_put(trie, key, (bytes.fromhex(one["leaf"]), key, ERASED))
    return trie, unknown


def apply_delta(world, delta):
    if len(delta) > 256:
        raise Conflict("too many ops")
    for op in delta:
        world = apply_op(world, op)
    return world


# ---------------------------------------------------------------- the checks on one entry

MOVES = {(None, "INITIALIZING"): {"operator"}, ("INITIALIZING", "ACTIVE"): {"registry"},
         ("INITIALIZING", "SUSPENDED"): {"runtime", "operator"}, ("INITIALIZING", "RETIRED"): {"operator"},
         ("ACTIVE", "SUSPENDED"): {"runtime", "operator"}, ("ACTIVE", "RETIRED"): {"agent", "operator", "runtime"},
         ("SUSPENDED", "ACTIVE"): {"operator"}, ("SUSPENDED", "RETIRED"): {"operator"}}
DIGESTED = ("dfid", "step_id", "policy_kind", "params", "resources", "constraints", "proposal_hash", "contract_hash",
            "capability_hash", "rules_hash", "snapshot_id")
HASHES = ("proposal_hash", "writ_id", "policy_trace_hash", "rules_hash", "facts_hash", "compiler_version")


def approvers_in(contract):
    rules = contract.get("safety_rules")
    approvers = rules.get("approvers") if is_object(rules) else None
    return approvers if is_object(approvers) else None


def is_asked_by(version, request):
    """Where the contract names approvers, no fewer and no others are asked."""
    named = approvers_in(version["contract"])
    asked = {"needs": request["needs"], "of": request["approvers"]}
    unnamed = request["needs"] >= 1 and request["approvers"] == []
    rules = version["contract"].get("safety_rules")
    allowed = rules.get("self_approval") if is_object(rules) else None
    if request.get("self_approval") != allowed:
        return False
    return version["persons"] == request["persons"] and (unnamed if named is None else canonical(asked) == canonical(named))


HOUR_MS, DAY_MS = 3_600_000, 86_400_000


def triggers_in(trace):
    """The trace is read as anybody's: only its hash was checked."""
    lines = [line for line in trace if is_object(line)] if is_list(trace) else []
    return [one for line in lines if is_list(line.get("triggers")) for one in line["triggers"]]


def channel_fits(request, before, for_agents):
    """Asked is the first channel of people, or the one agent that all triggers name, or one above it, or the operator."""
    is_agent = lambda channel: is_text(channel) and channel.startswith("agent:")
    channel, climbs = request["channel"], is_agent(request["channel"]) or request["channel"] == "operator"
    if before is not None:
        return climbs and (is_agent(before["channel"]) or channel == before["channel"])
    named = [trigger.get("channel") for trigger in request["triggers"]]
    if for_agents and named and is_agent(named[0]) and all(one == named[0] for one in named):
        return climbs
    wanted = next((one for one in named if not is_agent(one)), "operator")
    return channel == wanted


def answer_window(version):
    """How long a request waits, in milliseconds; without its contract, whatever a contract may say."""
    if version is None:
        return 60_000, DAY_MS
    rules = version["contract"].get("safety_rules")
    said = rules.get("approval_window_s") if is_object(rules) else None
    window = said * 1000 if is_answer_window(said) else HOUR_MS
    return window, window


def request_problems(request, trace, at, version):
    found, (least, most), since = [], answer_window(version), instant_ms(request.get("requested_at"))
    if trace is not None and canonical(triggers_in(trace)) != canonical(request["triggers"]):
        found.append("its triggers are not those of its trace")
    if instant_ms(request["expires_at"]) - instant_ms(at) > most:
        found.append("the request is open for longer than its contract says")
    if since is not None and instant_ms(request["expires_at"]) - since < least:
        found.append("it leaves less time to answer than its contract says")
    return found


def about_flow(request):
    return request.get("kind") in ("silence", "failure", "asked")


def approver_names(contract):
    names = (approvers_in(contract) or {}).get("of")
    return [name for name in names if is_text(name)] if is_list(names) else []


def is_in_force(contract, at):
    since, ends = contract.get("effective_from"), "effective_until" in contract
    until = contract.get("effective_until")
    return is_instant(since) and since <= at and (not ends or (is_instant(until) and at < until))


def is_revoked(version):
    while version is not None and not version["revoked"]:
        version = version["of"]
    return version is not None


def filled_problems(payload):
    """What was filled into a proposal is what the flow said, and nothing was filled into a signed one."""
    if "filled" not in payload:
        return []
    filled, proposal, facts = payload["filled"], payload.get("proposal"), payload["facts"]
    if not filled or filled != sorted(set(filled)):
        return ["`filled` is not a list of members in order"]
    if not is_object(proposal) or "signature" in proposal:
        return ["a proposal that is signed was filled in"]
    flow, contract = facts.get("flow"), facts.get("contract")
    said = {} if not is_object(flow) else {
        "agent_id": flow.get("agent_id"), "dfid": flow.get("dfid"), "context_ref": flow.get("snapshot_id"),
        "mission_context_hash": contract.get("mission_hash") if is_object(contract) else None}
    return [f"`{name}` was filled in, and is not what the flow says" for name in filled
            if said.get(name) is not None and said[name] != proposal.get(name)]


def rules_problems(body):
    """Hashes that a policy entry states of what it holds."""
    found = []
    if "rules_hash" in body and address("rules", body["rules"]) != body["rules_hash"]:
        found.append("rules_hash does not match")
    for record in body.get("capabilities", [body] if "capability" in body else []):
        if address("capability", record["capability"]) != record["capability_hash"]:
            found.append("capability_hash does not match")
    texts = body.get("texts", {})
    if any("sha256:" + sha256(text.encode()).hex() != name for name, text in texts.items()):
        found.append("the text of a policy does not match")
    sources = [policy["source"] for policy in body.get("rules", {}).get("policies", [])]
    if any(source.startswith("cedar:") and source[6:] not in texts for source in sources):
        found.append("the text of a policy is missing")
    return found


# ---------------------------------------------------------------- the fold: what could be decided, and what could become of it

NEXT = {"ACCEPTED": {"DISPATCHED", "ABANDONED"},
        "DISPATCHED": {"SUCCESS", "FAILED", "UNKNOWN", "NOT_APPLIED", "MANUAL_REVIEW"},
        "UNKNOWN": {"SUCCESS", "FAILED", "NOT_APPLIED", "DISPATCHED", "MANUAL_REVIEW"},
        "NOT_APPLIED": {"DISPATCHED", "FAILED"}, "MANUAL_REVIEW": {"SUCCESS", "FAILED", "ABANDONED"}}
NEEDED = {"SUCCESS": "applied", "FAILED": "absent", "NOT_APPLIED": "absent"}
UNLISTED = ("ESCALATE", "RETIRE")
LOOSE_INSTANT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,3}))?Z)?", re.ASCII)


def instant_ms(text):
    """Milliseconds of a time in any of its spellings, or None."""
    match = LOOSE_INSTANT.fullmatch(text) if is_text(text) else None
    if match is None:
        return None
    whole = f"{match[1]}T{match[2] or '00:00:00'}.{(match[3] or '').ljust(3, '0')}Z"
    if not is_instant(whole):
        return None
    year, month, day, hour, minute, second, fraction = map(int, re.split("[-T:.Z]", whole)[:7])
    days = date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + fraction


def object_in(value):
    return value if is_object(value) else {}


def same(a, b):
    return a is not None and b is not None and canonical(a) == canonical(b)


def ends_of(intent, proposal, expires_at, undoes):
    """What every send of an intent ends with, in milliseconds: its writ, and its approval or else its proposal."""
    ends = [] if expires_at is None else [instant_ms(expires_at) or 0]
    if undoes:
        return ends
    asked = object_in(proposal)
    if "approval" in intent:
        return ends + [instant_ms(intent["approval"]["valid_until"]) or 0]
    return ends + ([instant_ms(asked["valid_until"]) or 0] if "valid_until" in asked else [])


def words_end(facts):
    """The end of every word of an operator that was read."""
    words = facts.get("state") if is_list(facts.get("state")) else []
    return [instant_ms(w["until"]) or 0 for w in words if is_object(w) and "until" in w]


def deadline_problems(intent, proposal, facts, expires_at):
    """A deadline is as early as everything that it depends on."""
    undoes = "compensation" in intent
    ends = [instant_ms(intent["staged_at"]) + 30_000] + ends_of(intent, proposal, expires_at, undoes)
    ends += [] if undoes else words_end(facts)
    return [] if instant_ms(intent["dispatch_before"]) <= min(ends) else ["its deadline is later than allowed"]


def gathered_at(facts):
    """When facts were gathered; what cannot be read never was."""
    ms = instant_ms(facts.get("now"))
    return float("inf") if ms is None else ms


def key_lasts(description):
    """For how long a provider surely knows a key; None: there is none, or nobody says."""
    given = object_in(description)
    if given.get("effect") != "keyed" or "idempotency" not in given:
        return None
    seconds = object_in(given["idempotency"]).get("window_s")
    whole = type(seconds) is int and abs(seconds) < 2**53
    return seconds * 1000 - 60_000 if whole else float("-inf")


def signed_text(proposal):
    """What the agent signed, and as what: a proof in the form in which it was sent."""
    said = {name: value for name, value in proposal.items() if name != "signature"}
    if "evidence_hash" not in said:
        return "proposal", canonical(said)
    beside = {name: said.get(name) for name in ("context_ref", "dfid", "evidence_hash")}
    payload = {name: value for name, value in said.items() if name != "agent_id" and name not in beside}
    return "pci", canonical({**beside, "intent_payload": payload, "key_id": object_in(proposal["signature"]).get("key_id")})


def arbitration_law(rows, topic):
    """What holds for an event about it, with what the rules leave out; None: nobody is waited for."""
    row = next((one for one in rows if one["topic"] == topic), {})
    if "arbitration" not in row:
        return None
    return {"window_ms": 2000, "exclusive": "event", "preempting_kinds": ["HALT", "ALERT"], **row["arbitration"]}


def topic_of_path(rows, path):
    """The first row that fits names it; without one a path is its own topic."""
    fits = lambda topic: path.startswith(topic[:-1]) if topic.endswith("*") else path == topic
    return next((one["topic"] for one in rows if fits(one["topic"])), path)


def way_asked(rows, agents, kind, topic):
    """A row counts where its agents fit, and it names nothing else, or the topic or the kind; the strictest decides."""
    def fits(row):
        if "agents" in row and not agents & set(row["agents"]):
            return False
        if "topics" not in row and "policy_kinds" not in row:
            return True
        about = topic is not None and any(
            topic.startswith(one[:-1]) if one.endswith("*") else topic == one for one in row.get("topics", []))
        return about or kind in row.get("policy_kinds", [])
    asked = {row["topology"] for row in rows if fits(row)}
    return next((one for one in ("DL_PCI", "SDS", "EOAM") if one in asked), None)


def evidence_problems(intent, proposal, contract):
    """A proof binds flow, snapshot, contract and rules: SHA-256 over dfid, H_s, H_c and H_r, as text."""
    said = object_in(proposal).get("evidence_hash")
    if said is None and "evidence_hash" not in object_in(proposal):
        return []
    if "signature" not in object_in(proposal):
        return ["nobody signed its proof"]
    digest = lambda data: hashlib.sha256(data).hexdigest()
    rules = intent["rules_hash"].removeprefix("sha256:")
    parts = intent["dfid"] + digest(intent["snapshot_id"].encode()) + digest(canonical(contract).encode()) + rules
    return [] if said == digest(parts.encode()) else ["its evidence hash is not that of its flow, contract and rules"]


def unsaid_words(wanted):
    return HALF_UNSAID if wanted[0] == "PARTIAL_SUCCESS_DIRTY" else NOT_BEGUN


def on_failure_problems(intent, proposal, contract, description):
    """What follows a failure: taken back where capability and contract have that, else somebody is told; of proofs alone."""
    offered = "REVERT" in (description.get("compensations") or []) or description.get("world_only") is True
    wanted = "REVERT_STATE" if offered and "REVERT" in contract["compensation"] else "ALERT_HUMAN"
    if intent.get("on_failure") == (wanted if "evidence_hash" in object_in(proposal) else None):
        return []
    return ["what follows its failure is not what capability and contract say"]


def differences(intent, proposal, facts):
    """Members of the intent that are not what was proposed, or not what the facts say."""
    if not is_object(proposal):
        return ["it has no proposal"]
    flow, capability = object_in(facts.get("flow")), object_in(facts.get("capability"))
    writs = facts.get("writs") if is_list(facts.get("writs")) else []
    proposed = {"dfid": proposal.get("dfid"), "agent_id": proposal.get("agent_id"), "policy_kind": proposal.get("policy_kind"),
                "step_id": proposal.get("step_id", "step-1"), "params": proposal.get("params", {}),
                "constraints": proposal.get("execution_constraints", {}),
                "snapshot_id": proposal.get("context_ref", intent["snapshot_id"]),
                "writ_id": proposal.get("writ_id", intent["writ_id"])}
    known = {"staged_at": facts.get("now"), "tenant": facts.get("tenant"), "attempt": facts.get("attempt"),
             "dfid": flow.get("dfid"), "agent_id": flow.get("agent_id"), "trajectory": flow.get("trajectory"),
             "snapshot_id": flow.get("snapshot_id"), "contract_hash": object_in(facts.get("contract")).get("hash"),
             "capability_hash": capability.get("hash"), "policy_kind": capability.get("kind"),
             "writ_id": object_in(writs[0]).get("id") if writs else None, "rules_hash": facts.get("rules_hash")}
    found = [f"{name} is not what was proposed" for name, value in proposed.items() if not same(intent[name], value)]
    found += [f"{name} is not what the facts say" for name, value in known.items() if not same(intent[name], value)]
    if canonical(intent.get("approval")) != canonical(facts.get("approval")):
        found.append("the facts have another approval")
    claimed = proposal.get("resources")
    if is_list(claimed):
        ids = {canonical(object_in(claim).get("id")) for claim in claimed}
        if not all(is_object(need) and canonical(need.get("id")) in ids for need in intent["resources"]):
            found.append("it needs resources that were not named")
    return found


def places_at(value, names):
    """What stands at the places that a pointer leads to; None: nothing that could be named."""
    if not names:
        return [value]
    name, rest = names[0], names[1:]
    if is_list(value) and name == "*":
        return [one for item in value for one in places_at(item, rest)]
    if is_list(value):
        index = int(name) if re.fullmatch("0|[1-9][0-9]{0,8}", name) else None
        return places_at(value[index], rest) if index is not None and index < len(value) else [None]
    if is_object(value) and name != "*" and name in value:
        return places_at(value[name], rest)
    return [None]


def pointer_names(pointer):
    """The names on the way to a parameter, or None for what is no pointer to one."""
    tokens = pointer[1:].split("/")
    well = pointer.startswith("/") and len(pointer.encode("utf-16-le")) <= 1024 and not any(re.search("~(?![01])", t) for t in tokens)
    names = [token.replace("~1", "/").replace("~0", "~") for token in tokens]
    return None if not well or set(names) & {"__proto__", "constructor", "prototype"} else names


def named_resources(params, pointer):
    """The resources that a call names, or None."""
    names, texts = pointer_names(pointer), []
    if names is None:
        return None
    for given in places_at(params, names):
        values = given if is_list(given) else [given]
        if not values or not all(map(is_text, values)):
            return None
        texts += values
    return texts or None


def admits(patterns, values):
    """An expression admits everything here: its language is no part of the format."""
    return all(any(p.startswith("re:") or prefix_covers(p, v) if p.endswith("*") or p.startswith("re:") else p == v
                   for p in patterns) for v in values)


def resources_granted(intent, contract, chain, description):
    kind, scopes = intent["policy_kind"], object_in(description.get("scopes"))
    scopes = scopes if all(map(is_text, scopes.values())) else {}
    named = {name: named_resources(intent["params"], pointer) for name, pointer in scopes.items()}
    if None in named.values():
        return False
    allowed = rules_for(contract["permissions"]["resources"], kind, "allow")
    if not all(admits(allowed.get(name, []), values) for name, values in named.items()):
        return False

    def inside(scope):
        sets = scope.get("resources", {})
        meant = scope["kind"] == kind or kind not in RESERVED
        answered = not meant or description.get("touches") == "none" or set(sets) <= set(named)
        return answered and all(admits(sets[name], values) for name, values in named.items() if name in sets)

    for body in chain:
        covering = [scope for scope in body["scopes"] if kind_covered(scope, kind)]
        if not any(map(inside, covering)) and (covering or named):
            return False
    return True


def kind_covered(scope, kind):
    pattern = scope["kind"]
    return kind.startswith(pattern[:-1]) if pattern.endswith("*") else pattern == kind


def effect_granted(ceiling, description):
    if description.get("effect") == "read":
        return ceiling["read"]
    return (ceiling["write"] and (ceiling["external"] or description.get("world_only") is True)
            and (ceiling["irreversible"] or description.get("reversible") is True))


def kept_in_branch(description):
    """Whether what it does in a branch is gone with the branch."""
    kind = description.get("kind")
    if kind in RESERVED:
        return kind not in ("SPAWN_INSTANCE", "RESOLVE_ESCALATION")
    return (description.get("effect") == "read" or description.get("world_only") is True
            or description.get("branches") == "world")


def branch_problems(trajectory, intent, description):
    """What leaves World is done in main alone, and taken back there."""
    in_main = trajectory == "main" and intent["trajectory"] == "main"
    return [] if description is None or in_main or kept_in_branch(object_in(description)) else ["in a branch it leaves World"]


def grant_problems(intent, contract, chain, description):
    """Kind, effect and resources lie inside contract and writs, and who has to be asked was."""
    kind, rules, permissions, found = intent["policy_kind"], contract["safety_rules"], contract["permissions"], []
    if contract["authority"] == "OBSERVE" or kind in permissions["forbidden_kinds"]:
        found.append("its contract forbids it")
    if kind not in UNLISTED and (kind not in permissions["policy_kinds"] or not all(
            any(kind_covered(scope, kind) for scope in body["scopes"]) for body in chain)):
        found.append("its kind was not granted")
    if not all(effect_granted(body["effect_ceiling"], description) for body in chain):
        found.append("such an effect was not granted")
    if not resources_granted(intent, contract, chain, description):
        found.append("the resources that it names were not granted")
    lifted = intent["approval"]["lifts"] if "approval" in intent else []
    if (contract["authority"] == "PROPOSE" and "authority" not in lifted) or (
            kind in rules["requires_human_approval"] and "kind" not in lifted):
        found.append("it is for a person, and nobody approved it")
    return found


NO_PAST = {"successes": 0, "of_kind": 0, "largest": None}


def shown_problems(payload):
    """People are shown the proposal beside the request; the decision binds to hashes that nobody reads."""
    request, proposal = payload["request"], payload.get("proposal")
    if not is_object(proposal):
        return ["it shows no proposal"] if request.get("kind") == "proposal" else []
    wanted = {"kind": "proposal", "attempt": payload["attempt"], "step_id": proposal.get("step_id", "step-1"),
              "facts_digest": payload.get("facts_hash"), "proposal_hash": address("proposal", proposal)}
    fits = all(name in request and canonical(request[name]) == canonical(value) for name, value in wanted.items())
    return [] if fits else ["it shows something else"]


def shown_by(payload):
    """What a modification leaves as it was proposed; None: no proposal was shown."""
    if "facts" not in payload or not is_object(payload.get("proposal")):
        return None
    return {name: value for name, value in payload["proposal"].items() if name not in ("evidence_hash", "signature", "valid_until", "resources")}


def judge_impact(description, measures, past):
    """How much harm an approval given without reading could do: escalation.md, 2."""
    exposure, risk, reasons = description.get("exposure"), description.get("risk"), []
    if exposure is not None:
        exposure = {**exposure, "value": measures.get(exposure["measure"])}
    if description.get("reversible") is not True and exposure is None:
        reasons.append("irreversible")
    if risk in ("high", "critical"):
        reasons.append(f"risk_{risk}")
    value, threshold = (size_of(exposure["value"]), number_of(exposure["threshold"])) if exposure else (None, None)
    if exposure and (value is None or threshold is None or value > threshold):
        reasons.append("exposure")
    largest = size_of(past["largest"])
    if (past["successes"] >= 10) if past["of_kind"] == 0 else (None not in (largest, value) and value > largest * 10):
        reasons.append("unusual")
    return {"impact": "HIGH_IMPACT" if reasons else "LOW_IMPACT", "impact_reasons": reasons, "exposure": exposure}


def words_to_type(description, params, exposure):
    """What HIGH_IMPACT is typed with: what it is about, as far as that can be typed, and how much is at stake."""
    def typable(text):
        return 0 < len(text) <= 64 and re.fullmatch("[!-~]+( [!-~]+)*", text) is not None
    scopes, texts = object_in(description.get("scopes")), []
    if all(map(is_text, scopes.values())):
        for name in sorted(scopes, key=lambda one: one.encode("utf-16-be", "surrogatepass")):
            for given in places_at(params, pointer_names(scopes[name]) or ["*"]):
                texts += [one for one in (given if is_list(given) else [given]) if is_text(one)]
    subject, kind = " ".join(texts), description.get("kind")
    amount = None if exposure is None else number_of(exposure["value"])
    words = [subject if typable(subject) else kind] + ([] if amount is None else [fraction_text(amount)])
    return " ".join(words) if typable(" ".join(words)) else kind


def fraction_text(amount):
    """A decimal in its shortest form."""
    scale = 0
    while amount.denominator != 1:
        amount, scale = amount * 10, scale + 1
    return decimal_text(amount.numerator, scale)


def word_problems_of(weighed, description, params):
    high = weighed["impact"] == "HIGH_IMPACT"
    wanted = words_to_type(description, object_in(params), weighed["exposure"]) if high else None
    return [] if weighed.get("acknowledge") == wanted else ["the words to acknowledge are not those of its impact"]


def is_rated(description):
    exposure = description.get("exposure", {"measure": "", "threshold": ""})
    named = is_text(description.get("kind"))
    return named and is_object(exposure) and is_text(exposure.get("measure")) and is_text(exposure.get("threshold"))


def reading_problems(weighed, requested_at, at):
    """Nobody reads before they are asked, and much takes ten seconds to read."""
    asked = instant_ms(requested_at)
    if asked is None:
        return ["it does not say when approval was requested"]
    found = ["approval was requested after the entry was written"] if instant_ms(at) < asked else []
    least = asked + (10_000 if weighed["impact"] == "HIGH_IMPACT" else 0)
    return found + ([] if instant_ms(weighed["not_before"]) >= least else ["it may be approved before there is time to read it"])


def count(measure, amount):
    """In units; what cannot be counted is more than everybody has."""
    whole = units(measure, amount)
    return float("inf") if whole is None else whole


def beyond_contract(writ, contract):
    """How much a flow may spend, and for how long, is what its contract says."""
    since, until = (instant_ms(writ["window"][name]) for name in ("not_before", "expires_at"))
    granted = {"calls": "100", **contract["safety_rules"]["budget_per_flow"]}
    return until - since > DAY_MS or any(
        count(measure, amount) > count(measure, granted.get(measure, "0")) for measure, amount in writ["budget"].items())


STANDS_ON = ("agent_id", "writ_id", "contract_hash", "proposal_hash")


HALF_UNSAID = "one effect failed and another one stands, and nobody calls that half a job"
NOT_BEGUN = "an effect of its flow failed, and what its intent says of that was not begun"
AFTER_FAILURE = {"REVERT_STATE": "COMPENSATING", "ALERT_HUMAN": "MANUAL_REVIEW"}


def named_person(word):
    return shows_something(word.get("by")) and shows_something(word.get("justification"))


class Audit:
    """`whole`: every entry of the tenant is here, not a bundle's selection."""

    def __init__(self, tenant, whole, signatures, depth):
        self.tenant, self.whole, self.mode, self.depth = tenant, whole, signatures, depth
        self.findings, self.left_off, self.checked, self.erased = [], 0, 0, 0
        self.heads, self.ids = {}, {}
        self.keys, self.operator, self.uses, self.sampled = {}, None, {}, {}
        self.writs, self.revoked_writs, self.writs_erased = {}, set(), {}
        self.sources, self.owners = {}, {}
        self.contracts, self.statuses, self.rules, self.compilers = {}, {}, set(), set()
        self.topologies, self.announced, self.topic_of = {}, {}, {}
        self.answers, self.event_topics = {}, {}
        self.topic_rows, self.event_of, self.event_by_id, self.heard, self.too_late_for = [], {}, {}, set(), {}
        self.in_force = {}
        self.intents, self.dispatches_erased, self.cited, self.epoch = {}, 0, -1, 0
        self.accepted, self.given_back = {}, set()
        self.decided_intents, self.sent, self.committed, self.undone, self.choices_erased = {}, set(), set(), set(), set()
        self.settled, self.being_undone = set(), set()
        self.effects, self.effects_left, self.dirty, self.words = {}, {}, set(), set()
        self.effects_done, self.done_in, self.unsaid, self.settleable = set(), {}, {}, 0
        self.untold = {}
        self.requests, self.held = {}, {}
        self.flows, self.spawns, self.spawns_sent, self.spawns_used = {}, {}, set(), set()
        self.opened, self.stands_in, self.wishes = {}, {}, set()
        self.persons, self.linked = {}, {}
        self.worlds, self.late_worlds = {}, []
        self.missing, self.erased_flows, self.gone_of, self.there_of = {}, set(), set(), set()
        self.capabilities, self.steps, self.claimed = {}, {}, set()
        self.spent, self.windows, self.gave_back = {}, {}, set()
        self.flows_erased, self.ended, self.asked, self.atoms = set(), set(), {}, {}
        self.half_done, self.final, self.parts, self.under_way, self.one_step = {}, {}, {}, {}, {}

    def find(self, place, code, detail):
        leaf, trajectory, seq = place
        if len(self.findings) >= MOST_FINDINGS:
            self.left_off += 1
            return
        self.findings.append({"leaf": leaf, "trajectory": trajectory, "seq": seq, "code": code, "detail": detail})

    def authority_seq(self):
        return self.heads.get("authority", (-1,))[0]

    def check(self, leaf, entry, canonical_line=True):
        envelope, payload, kind = entry["envelope"], entry["payload"], entry["envelope"]["kind"]
        place = (leaf, envelope["trajectory"], envelope["seq"])
        if payload is None:
            self.erased += 1
            problem = f"the payload of a {kind} cannot be erased" if kind in UNSALTED else None
        else:
            problem = None if any(shape(payload) for shape in PAYLOADS.get(kind, [])) else f"payload of {kind}"
        if problem:
            self.find(place, "ENTRY_UNREADABLE", problem)
        if not canonical_line:
            self.find(place, "ENTRY_NOT_CANONICAL", "the line is not its own canonical form")
        if address("entry", envelope) != entry["id"]:
            self.find(place, "ENTRY_ID", "the id is not the hash of the envelope")
        if payload is not None and address("payload", payload) != envelope["payload_hash"]:
            self.find(place, "PAYLOAD_HASH", "the payload does not match its hash")
        readable = payload if problem is None else None
        self.check_link(place, entry, readable)
        # Nothing can be judged without keys, and without what may be missing.
        always = envelope["trajectory"] in ("authority", "erasure")
        looks = readable is not None and (always or self.depth != "structure")
        unsigned = self.signature_problems(place, envelope, readable) if looks else []
        for detail in unsigned:
            self.find(place, "ENTRY_SIGNATURE", detail)
        if payload is None:
            self.note_missing(place, envelope)
        for detail in self.erasure_problems(envelope, readable, not unsigned, payload is not None):
            self.find(place, "AUTHORITY_ORDER", detail)
        if not always and self.depth != "fold":
            return
        for code, detail in self.authority_problems(envelope, readable):
            self.find(place, code, detail)
        for detail in self.place_problems(envelope, readable):
            self.find(place, "AUTHORITY_ORDER", detail)
        for detail in self.undo_problems(envelope, readable):
            self.find(place, "AUTHORITY_ORDER", detail)
        for detail in self.put_right_problems(place, envelope, readable, payload is None):
            self.find(place, "AUTHORITY_ORDER", detail)
        for detail in self.child_problems(place, envelope, readable):
            self.find(place, "AUTHORITY_ORDER", detail)
        for detail in self.approval_problems(envelope, readable):
            self.find(place, "AUTHORITY_ORDER", detail)
        for detail in self.fold_problems(envelope, readable, payload is None):
            self.find(place, "AUTHORITY_ORDER", detail)
        if self.whole and envelope["trajectory"] != "authority":
            self.check_world(place, envelope, readable)

    def skim(self, leaf, entry):
        """Of an entry whose hashes fit, what needs no payload."""
        envelope = entry["envelope"]
        place = (leaf, envelope["trajectory"], envelope["seq"])
        self.check_link(place, entry, None)
        if entry["payload"] is None:
            self.erased += 1
            self.note_missing(place, envelope)
        for detail in self.erasure_problems(envelope, None, True, entry["payload"] is not None):
            self.find(place, "AUTHORITY_ORDER", detail)

    # ---- what was erased: believed until the end, since an erasure stands behind what it names

    def note_missing(self, place, envelope):
        kind, dfid = envelope["kind"], envelope.get("dfid")
        self.missing[place[0]] = {"place": place, "dfid": dfid, "kind": kind, "named": None}
        self.gone_of.add(dfid)
        if kind == "dispatch":
            self.dispatches_erased += 1
            self.choices_erased.add(dfid)
        if kind == "writ" and dfid is not None:
            self.writs_erased[dfid] = None

    def erasure_problems(self, envelope, payload, signed, present):
        dfid, found = envelope.get("dfid"), []
        if dfid in self.erased_flows and envelope["trajectory"] != "authority":
            found.append("its flow was erased before it")
        if present and envelope["kind"] not in UNSALTED and envelope["trajectory"] != "authority":
            self.there_of.add(dfid)
        if envelope["kind"] != "erasure" or payload is None or not signed:
            return found
        body = payload["body"]
        self.erased_flows.add(body["dfid"])
        if body["dfid"] in self.gone_of and body["dfid"] in self.there_of:
            found.append("a part of its flow is left")
        for name in body["payloads"]:
            gone, place = self.missing.get(name["leaf"]), (name["leaf"], name["trajectory"], name["seq"])
            if gone is None:
                found += ["it names what is not missing"] if self.whole else []
            elif (gone["place"], gone["dfid"], gone["kind"] == "commit") != (place, body["dfid"], "world" in name) or gone["named"]:
                found.append("it names what is not a missing payload of its flow")
            else:
                gone["named"] = name
        return found

    def was_writ_of(self, dfid, writ):
        """Whether an unknown writ can be the erased one of a flow, which had one."""
        if dfid not in self.writs_erased:
            return False
        if self.writs_erased[dfid] is None:
            self.writs_erased[dfid] = writ
        return self.writs_erased[dfid] == writ

    # ---- sequence and parent

    def check_link(self, place, entry, payload):
        envelope, name = entry["envelope"], entry["envelope"]["trajectory"]
        seq, kind, at = envelope["seq"], envelope["kind"], envelope["at"]
        head = self.heads.get(name)
        self.tenant = self.tenant or envelope["tenant"]
        self.heads[name] = (seq, entry["id"], at)
        fork = None
        if kind == "branch" and payload is not None:
            source = payload["source"]
            at_source = self.ids.get(source["trajectory"], b"")[32 * source["seq"]:32 * source["seq"] + 32]
            fork = source["id"] if f"sha256:{at_source.hex()}" == source["id"] else None
        # After a gap nothing more is kept.
        if self.whole and 32 * seq == len(self.ids.setdefault(name, bytearray())):
            self.ids[name] += bytes.fromhex(entry["id"][7:])
        first = kind in ("root", "branch")
        next_to = head is not None and seq == head[0] + 1
        if envelope["tenant"] != self.tenant:
            return self.find(place, "ENTRY_SEQUENCE", "another tenant")
        misplaced = ((name == "authority") != (kind in AUTHORITY_KINDS) or (name == "erasure") != (kind == "erasure")
                     or (kind == "event" and name != "main"))
        if first != (seq == 0) or (kind != "root" and misplaced):
            self.find(place, "ENTRY_SEQUENCE", f"a {kind} does not stand here")
        elif self.whole and seq != (0 if head is None else head[0] + 1):
            self.find(place, "ENTRY_SEQUENCE", f"seq is {seq}")
        elif head is not None and (seq <= head[0] or at < head[2]):
            self.find(place, "ENTRY_SEQUENCE", "it goes backwards")
        if self.whole or next_to:
            parent = head[1] if head is not None else fork if kind == "branch" else None
            if envelope["parent"] != parent or (kind == "branch" and parent is None):
                self.find(place, "ENTRY_PARENT", "the parent is not the entry before it")

    # ---- signatures, and the addresses that they cover

    def holds(self, public_key, kind, body, sig):
        key, sig = unbase64(public_key), unbase64(sig)
        self.checked += 1
        return key is not None and sig is not None and verify_ed25519(key, pre_auth_encoding(kind, body.encode()), sig)

    def judge(self, place, kind, body, sig, purpose, seen, at):
        """`seen`: the last authority entry before it; `at`: from where on a compromise reaches it."""
        record = self.keys.get(sig["key_id"])
        if record is None or (purpose and record["purpose"] != purpose) or not key_counts(record, seen, at):
            return [f"key {sig['key_id']} is not valid here"]
        if self.wants(kind) and not self.holds(record["public_key"], kind, canonical(body), sig["sig"]):
            return [f"the signature of {sig['key_id']} is invalid"]
        leaf, name, seq = place
        uses = self.uses.setdefault(sig["key_id"], ({}, array("q")))
        uses[1].extend((at, leaf, uses[0].setdefault(name, len(uses[0])), seq))
        return []

    def wants(self, kind):
        """Keys always; of writs and intents every sixteenth in a sample."""
        if kind == "key" or self.mode == "all":
            return True
        self.sampled[kind] = self.sampled.get(kind, -1) + 1
        return self.mode == "sample" and (kind not in ("writ", "intent") or self.sampled[kind] % 16 == 0)

    def signature_problems(self, place, envelope, payload):
        kind, seq, body = envelope["kind"], envelope["seq"], payload.get("body")
        found = []
        if kind == "evidence" and "atom" in payload:
            atom = payload["atom"]
            signed_part = {name: value for name, value in atom.items() if name != "kernel_signature"}
            named = {name: value for name, value in signed_part.items() if name != "atom_id"}
            found = [] if address("atom", named) == atom["atom_id"] else ["atom_id does not match"]
            seen = atom["authority_seq"]
            return found + self.judge(place, "atom", signed_part, atom["kernel_signature"], "kernel", seen, seen)
        if kind == "key":
            return self.key_problems(place, seq, payload)
        if kind == "contract" and address("contract", body["contract"]) != body["contract_hash"]:
            found.append("contract_hash does not match")
        if kind == "policy":
            found += rules_problems(body)
        if kind == "policy" and "monitor" in body and address("monitor", body["monitor"]) != body["monitor_hash"]:
            found.append("monitor_hash does not match")
        if kind in AUTHORITY_KINDS:
            by_kernel = body.get("action") == "spawn" or (kind == "lifecycle" and body["actor"] != "operator")
            purpose = "kernel" if by_kernel else "operator"
            return found + self.judge(place, kind, body, payload["signature"], purpose, seq - 1, seq)
        if kind == "writ":
            return self.writ_problems(place, payload["writ"], payload.get("flow", {}).get("parent_dfid"))
        if kind == "event":
            said = {name: value for name, value in payload.items() if name not in ("salt", "event_id")}
            return [] if address("event", said) == payload["event_id"] else ["event_id does not match"]
        if kind == "erasure":
            seen = self.authority_seq()
            found += [] if body["dfid"] == envelope.get("dfid") else ["it was signed for another flow"]
            return found + self.judge(place, kind, body, payload["signature"], "operator", seen, seen)
        if kind == "approval":
            return self.voucher_problems(place, payload)
        if kind == "resend":
            for name in ("facts", "trace"):
                if address(name, payload[name]) != body["policy_trace_hash" if name == "trace" else "facts_hash"]:
                    found.append(f"the hash of its {name} does not match")
            cited = envelope["authority_seq"]
            return found + self.judge(place, "resend", body, payload["signature"], "kernel", cited, cited)
        if "facts" in payload and address("facts", payload["facts"]) != payload["facts_hash"]:
            found.append("facts_hash does not match")
        if "facts" in payload:
            found += filled_problems(payload)
        if kind == "accepted" or (kind == "dispatch" and "intent" in payload):
            found += self.intent_problems(place, envelope, payload)
        return found

    def key_problems(self, place, seq, payload):
        body, sig, found = payload["body"], payload["signature"], []
        raw, text, action, key_id = unbase64(body["public_key"]), canonical(body), body["action"], body["key_id"]
        if key_multiples(raw) is None:
            found.append("the public key is refused")
        if key_id != f"{body['purpose']}-{sha256(raw).hex()[:16]}":
            found.append("key_id does not match the public key")
        owned = canonical({name: value for name, value in body.items() if name != "by"})
        if action == "add" and not self.holds(body["public_key"], "key", owned, payload["possession"]):
            found.append("possession of the key is not proven")
        if self.operator is None and body["purpose"] == "operator" and action == "add" and sig["key_id"] == key_id:
            if not self.holds(body["public_key"], "key", text, sig["sig"]):
                found.append("the first operator key does not sign itself")
        else:
            found += self.judge(place, "key", body, sig, "operator", seq - 1, seq)
        return found + self.fold_key(body, seq)

    def fold_key(self, body, seq):
        known = self.keys.get(body["key_id"])
        fixed = {name: body[name] for name in ("key_id", "public_key", "purpose", "subject")}
        if body["action"] == "add":
            if known is not None:
                return ["the key was added before"]
            self.keys[body["key_id"]] = {**fixed, "added_seq": seq}
            if body["purpose"] == "operator" and self.operator is None:
                self.operator = body["key_id"]
            return []
        if known is None or any(known[name] != value for name, value in fixed.items()):
            return ["the key was never added so"]
        if body["action"] == "retire":
            if "retired_seq" in known:
                return ["the key is retired already"]
            known["retired_seq"] = seq
            return []
        if body["since_seq"] > seq:
            return ["a compromise cannot begin after it is recorded"]
        known["compromised_since_seq"] = min(body["since_seq"], known.get("compromised_since_seq", seq))
        return []

    def writ_problems(self, place, writ, above):
        body, found = writ["body"], []
        if address("writ", body) != writ["id"]:
            found.append("the writ id does not match")
        if body["tenant"] != self.tenant:
            found.append("the writ is for another tenant")
        elif "parent" in body:
            parent = self.writs.get(body["parent"])
            if parent is not None and not is_inside(body, parent):
                found.append("wider than its parent")
            if parent is None and not self.was_writ_of(above, body["parent"]):
                found.append("the parent writ is not in the ledger")
        if writ["signature"]["key_id"] != body["issuer_key"]:
            found.append("signed by another key than issuer_key")
        seen, purpose = self.authority_seq(), None if "parent" in body else "issuer"
        found += self.judge(place, "writ", body, writ["signature"], purpose, seen, seen)
        # What the writs of an agent have in common is kept once.
        for name in ("scopes", "budget", "effect_ceiling", "delegation"):
            body[name] = self.parts.setdefault(canonical(body[name]), body[name])
        self.writs[writ["id"]] = body
        return found

    def intent_problems(self, place, envelope, payload):
        intent, found = payload["intent"], []
        signed_part = {name: value for name, value in intent.items() if name != "kernel_signature"}
        body = {name: value for name, value in signed_part.items() if name != "intent_id"}
        fits = {"facts_hash": address("facts", payload["facts"]), "intent_id": address("intent", body),
                "proposal_hash": address("proposal", payload["proposal"]),
                "policy_trace_hash": address("trace", payload["trace"]), "attempt": payload["attempt"],
                "tenant": envelope["tenant"], "trajectory": envelope["trajectory"], "dfid": envelope.get("dfid")}
        said = f"{intent['dfid']}:{intent['step_id']}:{canonical(intent['params'])}"
        fits["idempotency_key"] = sha256(said.encode()).hex()
        step = {"params": intent["params"], "policy_kind": intent["policy_kind"]}
        fits["params_fingerprint"] = sha256(canonical(step).encode()).hex()
        found += [f"{name} of the intent does not fit" for name, value in fits.items() if intent[name] != value]
        found += self.spoken_problems(payload)
        cited = envelope["authority_seq"] if envelope["kind"] == "dispatch" else self.authority_seq()
        return found + self.judge(place, "intent", signed_part, intent["kernel_signature"], "kernel", cited, cited)

    def spoken_problems(self, payload):
        """A signed proposal says itself who spoke; of any other the facts say it."""
        intent, proposal, auth = payload["intent"], payload["proposal"], payload["facts"]["auth"]
        if "compensation" in intent:
            return []
        if not is_object(proposal) or "signature" not in proposal:
            approval = intent.get("approval", {})
            modified = approval.get("decision") == "MODIFY" or "supersedes" in object_in(proposal)
            said = {"session": auth.get("agent_id") == intent["agent_id"], "signature": False,
                    "approval": modified and "request_id" in approval and approval["request_id"] == auth.get("request_id")}
            return [] if said[auth["kind"]] else ["nothing proves that its agent sent the proposal"]
        sig = object_in(proposal["signature"])
        named = auth["kind"] == "signature" and auth["signature"]["key_id"] == sig.get("key_id")
        if not named or not is_text(sig.get("sig")):
            return ["its proposal was signed with another key"]
        record = self.keys.get(sig["key_id"])
        as_what, body = signed_text(proposal)
        if record is None or (self.wants("proposal") and not self.holds(record["public_key"], as_what, body, sig["sig"])):
            return ["the signature of its proposal is invalid"]
        return []

    # ---- authority

    def authority_problems(self, envelope, payload):
        kind, found = envelope["kind"], []
        order = lambda details: [("AUTHORITY_ORDER", detail) for detail in details]
        if kind in SENDS:
            cited, last = envelope["authority_seq"], self.authority_seq()
            self.cited = max(self.cited, cited)
            if cited != last and (self.whole or cited < last):
                found.append(f"it cites authority entry {cited}, and the last one before it is {last}")
            if payload is None:
                return order(found)
            form = self.sent_again if kind == "resend" else self.dispatched if "intent" in payload else self.carried_out
            return order(found + form(envelope, payload))
        if payload is None:
            return []
        if kind in AUTHORITY_KINDS:
            if not self.whole and envelope["seq"] <= self.cited:
                found.append("a dispatch before it cites it")
            spawns = kind == "contract" and payload["body"]["action"] == "spawn"
            found += self.spawn_problems(payload["body"], envelope["at"]) if spawns else []
            found += self.reason_problems(kind, payload["body"])
            return order(found + self.fold_authority(kind, payload["body"]))
        if kind == "erasure":
            return order(self.reason_problems(kind, payload["body"]))
        if kind == "evidence" and payload["source"] == "review":
            read = shows_something(payload["details"]["justification"])
            return order([] if read else ["nobody can read what was made of it"])
        if kind == "writ" and "flow" in payload:
            flow = payload["flow"]
            found = ["its flow was opened before"] if flow["dfid"] in self.opened else []
            found += [] if flow["dfid"] == envelope.get("dfid") else ["it opens another flow than it stands in"]
            self.opened[flow["dfid"]] = (flow["agent_id"], flow["contract"]["hash"])
            self.stands_in[flow["dfid"]] = envelope["trajectory"]
            found += self.was_woken(flow)
            return order(found + self.was_opened(envelope, flow, payload["writ"]["body"]))
        if kind == "event":
            return order(self.announces(payload))
        if kind == "accepted":
            return order(self.was_accepted(envelope, payload))
        if kind == "settle" and payload["status"] == "ABANDONED" and self.waits(payload["intent_id"]):
            return order(self.was_given_back(envelope, payload["intent_id"]))
        if kind not in ("commit", "settle", "evidence") or "intent_id" not in payload:
            return []
        found = self.outcome_problems(envelope, payload["intent_id"])
        if kind != "commit":
            return order(found)
        self.compilers.add(payload["compiler_version"])
        known = self.intents.get(payload["intent_id"]) or self.accepted.get(payload["intent_id"])
        if known is None:
            return order(found)
        hashes, known["hashes"] = known["hashes"], None
        if hashes is None:
            return order(found + ["the intent was committed before"])
        misfit = [] if hashes == [payload[h] for h in HASHES] else [("ENTRY_SIGNATURE", "the hashes of the commit are not those of the intent")]
        return misfit + order(found)

    def announces(self, event):
        """Every agent once, no flow that is there, and as many as were counted."""
        woken, found = event["woken"], []
        self.event_topics[event["event_id"]] = event["topic"]
        if len({one["agent"] for one in woken}) < len(woken):
            found.append("it wakes an agent twice")
        if {one["agent"] for one in woken} & {one["agent"] for one in event["not_woken"]}:
            found.append("it leaves out an agent that it wakes")
        if len(woken) + len(event["not_woken"]) != event["admission"]["candidates"]:
            found.append("it counts others than it names")
        for one in woken:
            if one["dfid"] in self.announced or one["dfid"] in self.opened:
                found.append("it announces a flow that was there before")
            else:
                self.announced[one["dfid"]] = (event["event_id"], one["agent"], event["topic"])
        return found

    def was_woken(self, flow):
        """An opening names the event that announced it, or that of the flow it is opened below, and no other."""
        dfid, parent, said = flow["dfid"], flow.get("parent_dfid"), flow.get("event_id")
        known = self.announced.pop(dfid, None)
        if known is None and parent is not None:
            return self.joined(dfid, parent, said)
        if known is None:
            self.answers[dfid] = None if self.whole else said
            return ["no event before it woke its agent"] if said is not None and self.whole else []
        self.answers[dfid], self.topic_of[dfid] = known[0], known[2]
        found = [] if known[:2] == (said, flow["agent_id"]) else ["the event that announced it woke somebody else"]
        return found + (["an event woke it, and it has a parent flow"] if parent is not None else [])

    def joined(self, dfid, parent, said):
        """Whoever is opened below a flow of an event belongs to that event, and else to none."""
        above, found = said, []
        if parent in self.answers:
            above, topic = self.answers[parent], self.topic_of.get(parent)
        elif parent in self.announced:
            # Its opening was erased.
            above, _, topic = self.announced[parent]
        else:
            topic = self.event_topics.get(said)
        if above != said:
            found = ["it does not belong to the event of its parent flow"]
        self.answers[dfid] = above
        if topic is not None:
            self.topic_of[dfid] = topic
        return found

    def place_problems(self, envelope, payload):
        """What is said of a flow stands in it."""
        dfid, name = envelope.get("dfid"), envelope["trajectory"]
        if name in ("authority", "erasure"):
            return []
        return self.place_of(envelope, payload, dfid, name) + self.miscounted(payload)

    def miscounted(self, payload):
        """Of what a model counted the tokens are those that are used."""
        usage = payload.get("usage") if isinstance(payload, dict) and payload.get("source") == "model" else None
        if usage is None:
            return []
        said = payload["used"].get("tokens", "0")
        tokens = count("tokens", said) if isinstance(said, str) else 0
        return [] if tokens == usage["input_tokens"] + usage["output_tokens"] else ["its tokens are others"]

    def place_of(self, envelope, payload, dfid, name):
        if dfid is None:
            of_flow = envelope["kind"] == "evidence" and payload is not None and (
                payload["source"] in ("saga", "model", "adviser", "review", "kernel") or (payload["source"] == "agent" and "finding" in payload))
            return ["it is about no flow"] if of_flow else []
        if dfid in self.stands_in:
            found = [] if self.stands_in[dfid] == name else ["its flow is elsewhere"]
            counted = envelope["kind"] == "evidence" and payload is not None and "used" in payload
            of_flow = not counted or self.writs.get(payload["writ_id"], {}).get("nonce") == dfid
            return found + ([] if of_flow else ["it is counted against the writ of another"])
        unknown = envelope["kind"] == "evidence" and self.whole and dfid not in self.writs_erased
        return ["its flow was not opened"] if unknown else []

    def inactive(self, agent):
        """A bundle may have left out how the agent came to be active, but for what stopped it."""
        first = next(iter(self.contracts.get(agent, [])), {"contract": {}})
        above = self.statuses.get(first["contract"].get("instance_of"))
        status = above if above in ("SUSPENDED", "RETIRED") else self.statuses.get(agent)
        wrong = status != "ACTIVE" if self.whole else status in ("SUSPENDED", "RETIRED")
        return [f"agent {agent} is {status}"] if wrong else []

    def version_at(self, agent, at, hashes=None):
        """The newest version in force that nobody revoked."""
        held = [v for v in self.contracts.get(agent, []) if not is_revoked(v) and is_in_force(v["contract"], at)
                and (hashes is None or v["hash"] in hashes)]
        return held[-1] if held else None

    def holders(self, writ):
        """Who holds a writ and those above it, as far as they are known."""
        return [body["subject"] for body in self.chain(writ)]

    def chain(self, writ):
        """A writ and those above it, as far as they are known. No chain that is inside its parents is so long."""
        found = []
        while writ in self.writs and len(found) < LONGEST_CHAIN:
            found.append(self.writs[writ])
            writ = found[-1].get("parent")
        return found

    def stopped_holders(self, known):
        """A writ is worth what its holder is, whichever chain an intent names."""
        own = self.flows.get(known["bearer"], (None, None))[1]
        found = []
        for holder in set(self.holders(known["writ"]) + self.holders(own)) - {known["agent"]}:
            first = next(iter(self.contracts.get(holder, [])), {"contract": {}})
            states = (self.statuses.get(holder), self.statuses.get(first["contract"].get("instance_of")))
            if "SUSPENDED" in states or "RETIRED" in states:
                found.append(f"agent {holder}, who delegated it, was stopped")
        return found

    def was_opened(self, envelope, flow, body):
        agent, pinned = flow["agent_id"], flow["contract"]["hash"]
        above, writ = self.flows.get(flow.get("parent_dfid"), (agent, None))
        found = [problem for name in {agent, above, *self.holders(writ)} for problem in self.inactive(name)]
        version = self.version_at(agent, envelope["at"], None if self.whole else [pinned])
        if (version is not None or self.whole) and (version is None or version["hash"] != pinned):
            found.append("it is opened under a version that is not in force")
        contract = self.contract_of({"agent_id": agent, "contract_hash": pinned})
        if contract is not None and beyond_contract(body, contract):
            found.append("its writ grants more than its contract")
        return found

    def spawn_problems(self, body, at):
        """Who may have an instance made, and that a step asked for it."""
        above = body["contract"]["instance_of"]
        found = ["its class is stopped"] if self.statuses.get(above) in ("SUSPENDED", "RETIRED") else []
        if "occasion" not in body:
            return found
        spawner = body["occasion"]["spawner"]
        found += self.inactive(spawner)
        if instant_ms(body["occasion"]["ends_at"]) - instant_ms(at) > 7 * DAY_MS:
            found.append("it lives for more than a week")
        if not self.whole:
            return found
        chain = [above]
        while len(chain) < 9 and chain[-1] is not None:
            version = self.version_at(chain[-1], at)
            chain.append(version and version["contract"].get("parent_agent"))
        if spawner not in chain:
            found.append("its class is not below the agent that spawned it")
        if self.depth == "fold" and not self.was_wished(
                canonical(["spawn", spawner, above, body["contract"]["agent_id"], body["occasion"]["until"]])):
            found.append("no step of the agent spawned it")
        return found

    def was_wished(self, wish):
        """Whether a step asked for it; one that was erased may have asked for one thing."""
        if wish in self.wishes:
            return True
        if self.dispatches_erased == 0:
            return False
        self.dispatches_erased -= 1
        return True

    def decided(self, envelope, payload, seen):
        """What an intent's first entry must be; `seen`: the last authority entry it can have known of."""
        intent, found = payload["intent"], []
        if payload["facts"]["authority_seq"] > seen:
            found.append("its facts are newer than its authority")
        if intent["rules_hash"] not in self.rules:
            found.append("its rules were not recorded before it")
        self.compilers.add(intent["compiler_version"])
        if intent["intent_id"] in self.intents or intent["intent_id"] in self.accepted:
            found.append("the intent is not new")
        return found, {"place": (envelope["trajectory"], envelope["seq"]), "dfid": intent["dfid"],
                       "bearer": intent.get("compensation", intent)["dfid"],
                       "agent": intent["agent_id"], "contract": intent["contract_hash"], "writ": intent["writ_id"],
                       "speaker": spoken_by(payload["facts"]), "ruled": None if "compensation" in intent else
                       (intent["rules_hash"], intent["policy_kind"], intent["capability_hash"]),
                       "wish": wish_in(intent),
                       "approved_until": intent.get("approval", {}).get("valid_until"),
                       "sends": 1, "hashes": [intent[h] for h in HASHES]}

    def dispatched(self, envelope, payload):
        found, known = self.decided(envelope, payload, envelope["authority_seq"])
        self.intents[payload["intent"]["intent_id"]] = known
        self.wishes.add(known["wish"])
        # What is taken back carries the facts of the choice.
        if "compensation" not in payload["intent"]:
            found += self.speaker_problems(payload, known["agent"])
        return found + self.rule_problems(known, envelope["at"]) + self.standing(known, envelope["at"])

    def speaker_problems(self, payload, agent):
        """The key of its signature, or of its session, was in use here, and for this agent."""
        name = spoken_by(payload["facts"])
        key = self.keys.get(name)
        if name is None or (key is not None and (key["purpose"], key["subject"]) == ("agent", agent)
                            and "retired_seq" not in key and "compromised_since_seq" not in key):
            return []
        return [f"key {name} is not a valid key of agent {agent} here"]

    # An intent that waits for an executor is in `accepted` and not in `intents` until it is carried out.

    def waits(self, intent_id):
        return intent_id in self.accepted and intent_id not in self.intents

    def was_accepted(self, envelope, payload):
        # A bundle leaves authority entries out, so that nobody can say there what it has seen.
        found, known = self.decided(envelope, payload, self.authority_seq() if self.whole else 2**53)
        intent_id = payload["intent"]["intent_id"]
        if intent_id in self.intents or intent_id in self.accepted:
            return found
        self.accepted[intent_id] = known
        return found + (self.standing(known, envelope["at"]) if self.whole else [])

    def carried_out(self, envelope, payload):
        intent_id, found = payload["intent_id"], []
        place = (payload["accepted"]["trajectory"], payload["accepted"]["seq"])
        waiting = self.accepted.get(intent_id)
        if payload["facts"]["authority_seq"] > envelope["authority_seq"]:
            found.append("its facts are newer than the authority it cites")
        if waiting is None and intent_id not in self.intents:
            return found + ["its intent was not accepted before it"]
        if waiting is None or waiting["place"] != place:
            found.append("its intent was not accepted there")
        if intent_id in self.intents:
            found.append("the intent was dispatched before")
        if intent_id in self.given_back:
            found.append("the intent was given back before")
        known = waiting or self.intents[intent_id]
        self.wishes.add(known["wish"])
        if spoken_by(payload["facts"]) != known["speaker"]:
            found.append("its proposal was sent with another key than when it was accepted")
        found += self.speaker_problems(payload, known["agent"])
        if known["place"][0] != envelope["trajectory"] or known["dfid"] != envelope.get("dfid"):
            found.append("its intent was accepted by another flow")
        self.intents.setdefault(intent_id, {**known, "place": (known["place"][0], envelope["seq"])})
        return found + self.rule_problems(known, envelope["at"]) + self.standing(known, envelope["at"])

    def was_given_back(self, envelope, intent_id):
        waiting = self.accepted[intent_id]
        again = intent_id in self.given_back
        self.given_back.add(intent_id)
        same = waiting["place"][0] == envelope["trajectory"] and waiting["dfid"] == envelope.get("dfid")
        return (["it was given back before"] if again else []) + ([] if same else ["it was accepted by another flow"])

    def sent_again(self, envelope, payload):
        body, at = payload["body"], envelope["at"]
        intent_id = body["intent_id"]
        found = self.outcome_problems(envelope, intent_id)
        if payload["facts"]["authority_seq"] > envelope["authority_seq"]:
            found.append("its facts are newer than the authority it cites")
        if at >= body["send_before"]:
            found.append("it was sent after its deadline")
        known = self.intents.get(intent_id)
        if known is None and intent_id in self.accepted:
            # Never sent: that was found above.
            known = {**self.accepted[intent_id], "sends": body["send"] - 1}
            known["place"] = (known["place"][0], body["first"]["seq"])
            self.intents[intent_id] = known
        if known is None:
            return found
        if known["place"] != (body["first"]["trajectory"], body["first"]["seq"]):
            found.append("the first dispatch is at another place than it states")
        if body["send"] != known["sends"] + 1:
            found.append("a send is missing")
        if known["hashes"] is None:
            found.append("it was committed before")
        known["sends"] = body["send"]
        found += self.judged_again(known, payload, at)
        return found + self.rule_problems(known, at) + self.standing(known, at)

    def judged_again(self, known, payload, at):
        """What was looked at once more, and what was said of it."""
        facts, trace, found = payload["facts"], payload["trace"], []
        if spoken_by(facts) != known["speaker"]:
            found.append("its proposal was sent with another key than when it was decided")
        found += self.speaker_problems(payload, known["agent"])
        if known["approved_until"] is not None and at >= known["approved_until"]:
            found.append("its approval had expired")
        undo = known["ruled"] is None
        if not undo and facts["agent"]["maintenance"] and known["ruled"][1] not in ("COMPENSATE", "ESCALATE", "RETIRE"):
            found.append("its agent was in maintenance")
        stages = JUDGED_AGAIN[:3] if undo else JUDGED_AGAIN
        if [line["stage"] for line in trace] != stages or any(line["said"] == "reject" for line in trace):
            found.append("it was not judged again, or was refused when it was")
        return found

    def record(self, what, new, until):
        """What counts of the rules, or of a kind: the new hash, and the one before it until its time is over."""
        before = self.in_force.get(what, (new,))[0]
        self.in_force[what] = (new, before, until) if until is not None and before != new else (new, new, None)

    def counts(self, what, wanted, at):
        new, before, until = self.in_force.get(what, (None, None, None))
        return wanted == new or (until is not None and wanted == before and at < until)

    def rule_problems(self, known, at):
        """What takes back stands on the word of whoever chose so, whatever the rules are now."""
        if known["ruled"] is None:
            return []
        rules, kind, capability = known["ruled"]
        found = [] if self.counts("rules", rules, at) else ["its rules are not in force"]
        return found + ([] if self.counts(("kind", kind), capability, at) else [f"capability {kind} is recorded with another hash"])

    def standing(self, known, at):
        """Agent, contract and the whole chain of the writ, at this moment."""
        agent, link, found = known["agent"], known["writ"], []
        if self.statuses.get(agent) != "ACTIVE":
            found.append(f"agent {agent} is {self.statuses.get(agent)}")
        first = next(iter(self.contracts.get(agent, [])), None)
        if first is not None and self.statuses.get(first["contract"].get("instance_of")) in ("SUSPENDED", "RETIRED"):
            found.append("its class is stopped")
        versions = [v for v in self.contracts.get(agent, []) if v["hash"] == known["contract"]]
        if not versions or is_revoked(versions[0]):
            found.append("its contract is revoked or was not deployed")
        if self.whole and known["bearer"] not in self.opened and known["bearer"] not in self.writs_erased:
            found.append("its flow was never opened")
        if self.opened.get(known["bearer"], (agent, known["contract"])) != (agent, known["contract"]):
            found.append("its flow was opened for another agent, or under another contract")
        found += self.stopped_holders(known)
        own = self.flows.get(known["bearer"], (None, None))[1]
        for _ in range(LONGEST_CHAIN):
            if own is not None and own in self.revoked_writs:
                found.append("its flow was over")
            own = self.writs.get(own, {}).get("parent")
        for _ in range(LONGEST_CHAIN):
            if link is None:
                break
            if link in self.revoked_writs:
                found.append(f"writ {link} is revoked")
            body = self.writs.get(link)
            if body is None:
                erased = (self.was_writ_of(known["bearer"], link) if link == known["writ"]
                          else link in self.writs_erased.values())
                return found + ([] if erased else [f"writ {link} is not in the ledger"])
            if link == known["writ"] and body["subject"] != agent:
                found.append("the writ was issued to another agent")
            if not body["window"]["not_before"] <= at < body["window"]["expires_at"]:
                found.append(f"writ {link} is not in force")
            link = body.get("parent")
        return found

    def outcome_problems(self, envelope, intent_id):
        known = self.intents.get(intent_id) or self.accepted.get(intent_id)
        missing = [] if intent_id in self.intents else ["no dispatch of its intent before it"]
        if known is None:
            return missing
        same = known["place"][0] == envelope["trajectory"] and known["dfid"] == envelope.get("dfid")
        return missing + ([] if same else ["its intent was dispatched by another flow"])

    # ---- what somebody had to approve

    def voucher_problems(self, place, payload):
        body, by, seen, found = payload["body"], payload["vouched_by"], self.authority_seq(), []
        by_runtime = body["decision"] == "EXPIRED" or body["approver"].startswith("agent:")
        if by_runtime != (by == "kernel"):
            found.append("nobody may vouch for that decision so")
        if by_runtime != ("person" not in body):
            found.append("a person decides, and nobody else is one")
        return found + self.judge(place, "approval", body, payload["signature"], by, seen, seen)

    def approval_problems(self, envelope, payload):
        kind, dfid = envelope["kind"], envelope.get("dfid", "")
        if payload is None:
            return []
        if kind in ("pending_approval", "rejection"):
            self.release_ended(payload)
        if kind == "pending_approval":
            return self.was_asked(envelope, payload)
        if kind == "approval":
            return self.was_decided(envelope, payload)
        if kind == "accepted" or (kind == "dispatch" and "intent" in payload):
            return self.was_approved(envelope, payload)
        return []

    def release_ended(self, payload):
        """Whatever a release comes to, its approval is used up; what was asked anew has ended."""
        name = object_in(object_in(payload.get("facts")).get("approval")).get("request_id")
        known = self.requests.get(name) if is_text(name) else None
        if known is not None:
            known["used"] = known["decided"] = True

    def was_asked(self, envelope, payload):
        dfid, request, speaker = envelope.get("dfid", ""), payload["request"], spoken_by(payload.get("facts"))
        found = [] if request["dfid"] == dfid else ["the request is about another flow"]
        agent, pinned = self.opened.get(dfid, (None, None))
        versions = [v for v in self.contracts.get(request["agent_id"], []) if v["hash"] == pinned]
        if agent is not None and (agent != request["agent_id"] or (versions and not is_asked_by(versions[0], request))):
            found.append("the contract of its flow names another agent or other approvers")
        before = self.requests.get(request["id"], {"request": None})["request"]
        if not channel_fits(request, before, about_flow(request) or self.may_ask_agents(request)):
            found.append("it is put before others than its triggers ask")
        if request["id"] not in self.requests:
            pinned_by = next((v for v in self.contracts.get(agent, []) if v["hash"] == pinned), None)
            found += request_problems(request, payload.get("trace"), envelope["at"], pinned_by) + shown_problems(payload)
        if request["id"] not in self.requests and about_flow(request):
            self.held[dfid] = request["id"]
        known = self.requests.setdefault(request["id"], {"request": request, "speaker": speaker, "shown": shown_by(payload),
                                                         "approved": [], "logins": set(),
                                                         "released": None, "decided": False, "used": False})
        # Only before whom it is, and from when on they may decide, is another.
        asked, again = ({**one, "channel": "", "not_before": ""} for one in (known["request"], request))
        if canonical(asked) != canonical(again) or request["not_before"] < known["request"]["not_before"]:
            return found + ["the same request was recorded before with other content"]
        known["request"] = request
        return found

    def was_decided(self, envelope, payload):
        body, dfid = payload["body"], envelope.get("dfid", "")
        known = self.requests.get(body["request_id"])
        if known is None:
            return ["there is no such request before the decision"]
        request, word, found = known["request"], body["decision"], []
        if known["decided"]:
            found.append("the request was decided before")
        if body["dfid"] != dfid or request["dfid"] != dfid:
            found.append("the decision is about another flow")
        if any(body[name] != request[name] for name in ("intent_digest", "shown_snapshot")):
            found.append("the decision is about another proposal than the request")
        if (envelope["at"] >= request["expires_at"]) != (word == "EXPIRED"):
            found.append("the request had expired, or had not")
        approves = word in ("OVERRIDE", "MODIFY")
        agent = body["approver"].startswith("agent:")
        if agent:
            found += self.inactive(body["approver"].removeprefix("agent:"))
        if agent and request["channel"] != body["approver"]:
            found.append("an agent decides a request that it was not asked about")
        if agent and self.whole and not self.is_above(body["approver"].removeprefix("agent:"), request["agent_id"]):
            found.append("the agent is not above the one that asks")
        if agent and self.whole and not self.was_wished(
                decision_text(body["approver"].removeprefix("agent:"), {
                    name: value for name, value in body.items() if name not in ("dfid", "approver", "person", "modification")})):
            found.append("no step of the agent decided it")
        found += self.unsaid_in(request, body, envelope["at"])
        judged = payload.get("modification")
        if (word == "MODIFY") != (judged is not None):
            found.append("a modification was not judged, or something else was")
        if judged is not None and not (
                address("modification", judged) == body.get("modification")
                and judged["request_id"] == body["request_id"] and self.is_judged_for(judged, body)
                and known["shown"] is not None and "modified" in body and judged["proposal_hash"] == address("proposal", {
                    **known["shown"], **body["modified"], "supersedes": request["proposal_hash"]})
                and payload["releases"] in (None, judged["proposal_hash"])):
            found.append("another modification was judged")
        weighed = judged or request
        if approves and agent and not (self.may_ask_agents(request) and self.is_for_agents(weighed)):
            found.append("only a person may approve it")
        if approves and not set(body["lifts"]) <= {one["id"] for one in request["triggers"]}:
            found.append("it lifts a trigger that the request does not have")
        if approves and "valid_until" in body and instant_ms(body["valid_until"]) - instant_ms(envelope["at"]) > DAY_MS:
            found.append("the approval is valid for longer than the limit")
        if approves and not agent:
            found += self.carelessness(weighed, body, envelope["at"])
            said = canonical([word, weighed["impact"], sorted(body["lifts"]), body.get("modified", {"params": {}})])
            if known.setdefault("said", said) != said:
                found.append("it approves something other than the approvals before it")
        found += self.person_problems(known, payload, weighed, approves)
        if approves:
            known["until"] = min(known.get("until", "~"), body.get("valid_until", ""))
        people = len({self.counts_as(one) for one in known["approved"]})
        sent_back = about_flow(request) and people >= request["needs"]
        known["decided"] = known["decided"] or not approves or payload["releases"] is not None or sent_back
        if payload["releases"] is None:
            return found
        if not approves:
            found.append("it was released without an approval")
        if not agent and people < request["needs"]:
            found.append("it has too few approvals")
        if word == "OVERRIDE" and payload["releases"] != request["intent_digest"]:
            found.append("it releases another proposal than the request is about")
        known["released"] = payload
        return found

    def unsaid_in(self, request, body, at):
        word = body["decision"]
        if word == "EXPIRED":
            return []
        found = [] if shows_something(body["justification"]) else ["nobody can read why it was decided so"]
        if body.get("retire") is True and (word != "ABORT" or body["approver"].startswith("agent:")):
            found.append("it retires an agent without an abort by a person")
        if ("modified" in body) != (word == "MODIFY"):
            found.append("it modifies something without the word, or has the word and modifies nothing")
        if word != "ABORT" and body.get("valid_until", "") <= at:
            found.append("the approval was over when it came")
        if word == "OVERRIDE" and not {one["id"] for one in request["triggers"]} <= set(body["lifts"]):
            found.append("it overrides a part of what was asked")
        return found

    def may_ask_agents(self, request):
        return request["needs"] == 1 and request["approvers"] == [] and self.is_for_agents(request)

    def is_for_agents(self, weighed):
        unrated = weighed["impact_reasons"] != [] and set(weighed["impact_reasons"]) == {"irreversible"}
        return weighed["impact"] == "LOW_IMPACT" or unrated

    def is_more_than(self, weighed, request, trace):
        # What was judged as little is little as it runs.
        exposure, past = weighed["exposure"], request["past"]
        if weighed["impact"] != "LOW_IMPACT" or exposure is None:
            return False
        found = [line["measures"] for line in trace if is_object(line) and line.get("stage") == "preconditions"
                 and is_object(line.get("measures")) and exposure["measure"] in line["measures"]]
        value, threshold = size_of(found[0][exposure["measure"]] if found else None), number_of(exposure["threshold"])
        if value is None or threshold is None or value > threshold:
            return True
        largest = None if past is None or past["of_kind"] == 0 else size_of(past["largest"])
        return largest is not None and value > largest * 10

    def carelessness(self, request, body, at):
        if request["impact"] != "HIGH_IMPACT":
            return []
        found = ["it was approved before the time to read it had passed"] if at < request["not_before"] else []
        if body.get("acknowledged_impact") != "HIGH_IMPACT" or body.get("acknowledgement", "") != request.get("acknowledge", ""):
            found.append("the approval lacks the acknowledgement of its impact")
        return found

    def counts_as(self, person):
        """Merged ids are one person; in a bundle, which leaves entries out, an id may stand for itself."""
        return self.persons.get(person, None if self.whole else person)

    def is_judged_for(self, judged, body):
        if "person" not in body:
            return judged["judged_for"] == body["approver"]
        who = self.counts_as(body["person"])
        return who is not None and self.counts_as(judged["judged_for"]) == who

    def is_above(self, above, agent):
        """By any of the contracts that were deployed so far: they come and go while somebody is asked."""
        below, seen = [agent], set()
        while below:
            one = below.pop()
            seen.add(one)
            named = [version["contract"].get("parent_agent") for version in self.contracts.get(one, [])]
            if above in named:
                return True
            below += [name for name in named if isinstance(name, str) and name not in seen]
        return False

    def may_be_vouched_for(self, who):
        """Where approver keys were ever registered, only whoever holds one that is in use at this place."""
        approvers = [key for key in self.keys.values() if key["purpose"] == "approver"]
        held = [self.persons.get(self.linked.get(key["key_id"])) for key in approvers
                if "retired_seq" not in key and "compromised_since_seq" not in key]
        # Of a key that is nobody's a bundle may have left out whose it is.
        return not approvers or who in held or (not self.whole and None in held)

    def person_problems(self, known, payload, weighed, approves):
        request, body, found = known["request"], payload["body"], []
        called_own = "self_approval" in payload
        if "person" not in body:
            return ["it is called an approval of one's own, and no person decides"] if called_own else []
        who = self.counts_as(body["person"])
        if who is None:
            return ["the person who decides is not registered"]
        if payload["vouched_by"] == "approver":
            linked = self.linked.get(payload["signature"]["key_id"])
            holder = self.persons.get(linked, None if self.whole else who)
            if holder != who:
                found.append("the key belongs to another person")
        if payload["vouched_by"] == "operator" and not self.may_be_vouched_for(who):
            found.append("an operator vouches for somebody without an approver key in use")
        if request["approvers"] and who not in [self.counts_as(one) for one in request["persons"]["approvers"]]:
            found.append("the contract names other approvers")
        answering = [request["persons"][role] for role in ("owner", "deployer") if role in request["persons"]]
        high = approves and weighed["impact"] == "HIGH_IMPACT"
        own = high and any(self.counts_as(one) in (None, who) for one in answering)
        if (own or called_own) and request.get("self_approval") != "allowed":
            found.append("a person responsible for the agent approves it")
        # A bundle may have left out that two ids are one person.
        if own and not called_own or called_own and not own and (self.whole or not high):
            found.append("it does not say whether a person responsible for the agent approves it")
        if not approves:
            return found
        if who in [self.counts_as(one) for one in known["approved"]]:
            found.append("the same person approves it twice")
        if name_key(body["approver"]) in known["logins"]:
            found.append("the same login approves it twice")
        known["approved"].append(body["person"])
        known["logins"].add(name_key(body["approver"]))
        return found

    def fold_person(self, body):
        action, person = body["action"], body["person_id"]
        if action == "merge":
            one, other = self.persons.get(person), self.persons.get(body["into"])
            if one is None or other is None or one == other:
                return ["they cannot be merged"]
            self.persons = {name: other if counts == one else counts for name, counts in self.persons.items()}
            return []
        given = body["identities"] if action == "register" else [body["identity"]]
        names = [one.get("key_id", one.get("commitment")) for one in given]
        if action == "unlink":
            whose = self.persons.get(self.linked.get(names[0]))
            if whose is None or whose != self.persons.get(person):
                return ["the identity is not one of the person"]
            del self.linked[names[0]]
            return []
        if action == "register" and (not person.startswith("p_") or person in self.persons):
            return ["that person cannot be registered"]
        if action == "link" and person not in self.persons:
            return ["the person is not registered"]
        if any(name in self.linked for name in names) or len(set(names)) < len(names):
            return ["an identity belongs to another person"]
        if action == "register":
            self.persons[person] = person
        self.linked.update(dict.fromkeys(names, person))
        return []

    def was_approved(self, envelope, payload):
        intent, found = payload["intent"], []
        # What is taken back was approved where it was chosen.
        if "compensation" in intent:
            return []
        triggers = [one["id"] if is_object(one) and is_text(one.get("id")) else "" for one in triggers_in(payload["trace"])]
        approval, dfid = intent.get("approval"), envelope.get("dfid", "")
        if dfid in self.held and not self.requests[self.held[dfid]]["decided"]:
            return ["its flow waits for a decision"]
        if approval is None:
            return ["it needed an approval, and there is none"] if triggers else []
        known = self.requests.get(approval["request_id"])
        if known is None or known["released"] is None:
            return ["there is no approval before it"]
        body, releases = known["released"]["body"], known["released"]["releases"]
        if known["used"]:
            found.append("the approval was used before")
        known["used"] = True
        bound = {name: intent[name] for name in (*DIGESTED, "on_failure") if name in intent}
        digest = intent["proposal_hash"] if approval["decision"] == "MODIFY" else address("intent-digest", bound)
        if digest != releases:
            found.append("what ran is not what was approved")
        if known["shown"] is None or (approval["decision"] != "MODIFY"
                                      and intent["proposal_hash"] != known["request"]["proposal_hash"]):
            found.append("who approved it was shown something else")
        request, weighed = known["request"], known["released"].get("modification") or known["request"]
        decided = {"decision": body["decision"], "binds": releases, "approver": body["approver"], "lifts": body["lifts"],
                   "impact": weighed["impact"], "past": request["past"] or NO_PAST, "rules_hash": request.get("rules_hash")}
        if any(not same(approval[name], value) for name, value in decided.items()) or approval["valid_until"] > known.get("until", ""):
            found.append("it states another approval")
        if body["decision"] == "OVERRIDE" and spoken_by(payload["facts"]) != known["speaker"]:
            found.append("its proposal was sent with another key than when approval was requested")
        if body["decision"] == "MODIFY":
            proposal, written = payload["proposal"], body.get("modified", {})
            as_written = is_object(proposal) and canonical(proposal.get("params", {})) == canonical(written.get("params"))
            if not as_written or proposal.get("supersedes") != known["request"].get("proposal_hash"):
                found.append("what ran is not what the person wrote")
        if self.is_more_than(weighed, request, payload["trace"]):
            found.append("it ran with a higher impact than it was judged at")
        if not set(triggers) <= set(body["lifts"]):
            found.append("the approval does not lift all of its triggers")
        if envelope["at"] >= min(body.get("valid_until", ""), approval["valid_until"]):
            found.append("the approval had expired")
        return found

    # ---- what was taken back again

    def undo_problems(self, envelope, payload):
        kind = envelope["kind"]
        if payload is None:
            return []
        if kind == "evidence":
            named = payload.get("settles", [])
            self.settled.update(named)
            found = ["somebody undoes what it settles"] if self.being_undone & set(named) else []
            begun = payload["source"] == "saga" and payload.get("status") == "COMPENSATING"
            return found + (self.beginning_problems(envelope.get("dfid", ""), payload["details"]) if begun else [])
        if kind == "commit" or (kind == "settle" and payload["status"] in ("FAILED", "ABANDONED")):
            over = self.decided_intents.get(payload["intent_id"], {})
            self.being_undone.discard(over.get("compensation", {}).get("of"))
            if payload.get("status") == "FAILED" and "choice_if_failed" in over:
                over["choice"] = over["choice_if_failed"]
        if kind not in ("accepted", "dispatch", "resend", "commit"):
            return []
        if kind == "commit":
            return self.undone_by(payload)
        if "intent" in payload:
            self.decided_intents[payload["intent"]["intent_id"]] = self.remembered(payload["intent"])
        undo = payload.get("intent", {})
        intent_id = undo.get("intent_id", payload.get("body", payload).get("intent_id"))
        if kind != "accepted":
            self.sent.add(intent_id)
        wanted, found = self.decided_intents.get(intent_id, {}).get("compensation"), []
        if wanted is not None and wanted["of"] in self.settled:
            found.append("a person has settled what it undoes")
        if "compensation" not in undo:
            return found
        self.being_undone.add(wanted["of"])
        before = self.decided_intents.get(wanted["of"])
        if before is None or wanted["of"] not in self.committed:
            found.append("what it undoes was not committed")
        elif any(before[member] != undo[member] for member in ("dfid", "trajectory")):
            found.append("another flow did what it undoes")
        if before is not None and wanted["of"] in self.committed:
            wanted_so = {"policy_kind": "COMPENSATE", "step_id": f"undo~{before['step_id']}", "constraints": {}, "cost": {}}
            if (any(not same(undo[name], value) for name, value in wanted_so.items()) or "on_failure" in undo
                    or self.remembered(undo)["done"] != before["done"]):
                found.append("it does something else than to undo")
        chosen = self.decided_intents.get(wanted["chosen"])
        if chosen is None:
            return found + ([] if wanted["dfid"] in self.choices_erased else ["nobody chose so"])
        if wanted["chosen"] not in self.sent or "choice" not in chosen or chosen["dfid"] != wanted["dfid"]:
            found.append("it names no choice")
        elif chosen["choice"] != [undo[member] for member in STANDS_ON]:
            found.append("the choice had other authority")
        elif chosen["chosen"][1] != wanted["action"] or not self.is_below(undo["dfid"], chosen["chosen"][0]):
            found.append("another effect was to be undone, or one of another flow")
        elif self.stands_in.get(wanted["dfid"], "main") not in ("main", undo["trajectory"]):
            found.append("a branch chose it for what is outside")
        elif not self.answers_for(undo["agent_id"], chosen["chosen"][0]):
            found.append("the agent that chose it is not responsible for the flow")
        return found

    def beginning_problems(self, dfid, details):
        """Taking back begins behind its choice: a COMPENSATE that was sent, or the failure for which it was fixed."""
        intent_id, chooser = details.get("intent_id"), details.get("dfid")
        if not is_text(intent_id) or not is_text(chooser):
            return ["it names nobody who chose so"]
        chosen = self.decided_intents.get(intent_id)
        if chosen is None:
            return ["nobody chose so"] if self.whole and chooser not in self.choices_erased else []
        about, action = chosen.get("chosen", (None, None))
        if about != dfid or not same(action, details.get("action")) or action == "ALERT_HUMAN":
            return ["it names no choice"]
        return [] if intent_id in self.sent and "choice" in chosen else ["it comes before its choice"]

    def remembered(self, intent):
        """What is compared with whatever undoes it, or names it as the choice to undo something."""
        done = canonical([intent[name] for name in ("capability", "capability_hash", "params", "resources")])
        kept = {name: intent[name] for name in ("dfid", "trajectory", "step_id")}
        kept["done"] = sha256(done.encode())
        kept.update({name: intent[name] for name in ("on_failure",) if name in intent})
        if "compensation" in intent:
            kept["compensation"] = intent["compensation"]
        elif intent["policy_kind"] == "COMPENSATE":
            kept["choice"] = [intent[member] for member in STANDS_ON]
            kept["chosen"] = (intent["params"].get("dfid"), intent["params"].get("action"))
        elif intent.get("on_failure") == "REVERT_STATE":
            # Chosen beforehand, for the case that it fails.
            kept["choice_if_failed"] = [intent[member] for member in STANDS_ON]
            kept["chosen"] = (intent["dfid"], "REVERT")
        return kept

    def answers_for(self, agent, dfid):
        """It is the agent's own flow, below one of its own, or of an agent whose contract names it as the one above."""
        if dfid not in self.opened:
            return dfid in self.writs_erased
        owner, pinned = self.opened[dfid]
        versions = [v for v in self.contracts.get(owner, []) if v["hash"] == pinned]
        if owner == agent or (versions and versions[0]["contract"].get("parent_agent") == agent):
            return True
        parent = self.writs.get(self.flows[dfid][1], {}).get("parent")
        if parent is None:
            return False
        return self.writs[parent]["subject"] == agent if parent in self.writs else parent in self.writs_erased.values()

    def is_below(self, dfid, above):
        """Whether a flow is the other one, or below it: then its writ is made from that of the other one."""
        if dfid == above:
            return True
        top = self.flows.get(above, (None, None))[1] if is_text(above) else None
        link = self.flows.get(dfid, (None, None))[1]
        for _ in range(LONGEST_CHAIN):
            if link is None or link == top:
                break
            if link not in self.writs:
                return link in self.writs_erased.values()
            link = self.writs[link].get("parent")
        return link is not None and link == top

    def undone_by(self, payload):
        intent_id, undoes = payload["intent_id"], payload.get("compensates")
        self.committed.add(intent_id)
        intent = self.decided_intents.get(intent_id)
        if (intent or {}).get("compensation", {}).get("of") != undoes:
            return ["commit and intent differ in what is undone"]
        again = undoes is not None and undoes in self.undone
        self.undone.add(undoes)
        return (["it was undone already"] if again else []) + (
            ["a person has settled what it undid"] if undoes in self.settled else [])

    # ---- what is said to be put right

    def put_right_problems(self, place, envelope, payload, erased):
        """Where a flow is called COMPENSATED, no effect of it or below it is left."""
        kind, dfid, found = envelope["kind"], envelope.get("dfid", ""), []
        expected = None if envelope["trajectory"] == "erasure" else self.unsaid.pop(dfid, None)
        if expected is not None:
            since, wanted = expected
            if payload is None or payload.get("status") != wanted[0] or kind != "evidence":
                found.append(unsaid_words(wanted))
            elif len(wanted) > 1:
                self.unsaid[dfid] = (since, wanted[1:])
        if erased and kind == "dispatch":
            self.settleable += 1
        return found if payload is None else found + self.effect_problems(place, kind, dfid, payload)

    def effect_problems(self, place, kind, dfid, payload):
        if kind in ("accepted", "dispatch") and "intent" in payload:
            intent = payload["intent"]
            does = self.capabilities.get(intent["capability_hash"], {}).get("effect") != "read"
            if does and intent["policy_kind"] not in RESERVED and intent["intent_id"] not in self.effects:
                self.effects[intent["intent_id"]] = intent["dfid"]
                self.count_effect(intent["dfid"], 1)
        if kind == "commit" and "compensates" in payload:
            self.put_right(payload["compensates"])
        elif kind == "commit" and self.effects.get(payload["intent_id"]) and payload["intent_id"] not in self.effects_done:
            self.effects_done.add(payload["intent_id"])
            self.done_in[dfid] = self.done_in.get(dfid, 0) + 1
        if kind == "settle" and payload["status"] in ("FAILED", "ABANDONED"):
            self.put_right(payload["intent_id"])
        if kind == "settle" and payload["status"] == "FAILED" and payload["intent_id"] in self.effects:
            half = self.done_in.get(dfid, 0) > 0 and dfid not in self.dirty
            if half and None not in self.upwards(dfid):
                follows = AFTER_FAILURE.get(self.decided_intents.get(payload["intent_id"], {}).get("on_failure"))
                self.unsaid[dfid] = (place, ["PARTIAL_SUCCESS_DIRTY"] + ([] if follows is None else [follows]))
        if kind != "evidence":
            return []
        if payload["source"] == "saga" and "status" in payload:
            return self.saga_problems(dfid, payload)
        if payload["source"] == "person":
            self.words.add(dfid)
        return []

    def saga_problems(self, dfid, payload):
        status, begins, found = payload["status"], payload["status"] == "PARTIAL_SUCCESS_DIRTY", []
        if "settles" in payload:
            word = payload["details"]
            said = named_person(word)
            wanted = {"COMPENSATED": "applied", "SETTLED": "abandon"}.get(status)
            if not said or wanted is None or word.get("outcome") != wanted:
                found.append("no person says that it is settled")
        for intent_id in payload.get("settles", []):
            if intent_id not in self.effects:
                if intent_id in self.intents or intent_id in self.accepted:
                    found.append("it settles an entry that is not an effect")
                elif self.settleable > 0:
                    self.settleable -= 1
                elif self.whole:
                    found.append("it settles what is not there")
                continue
            of, chain = self.effects[intent_id], self.upwards(self.effects[intent_id] or "")
            if of is None:
                found.append("it settles what is over")
            elif dfid not in chain and None not in chain:
                found.append("it settles what another flow did")
            self.put_right(intent_id)
        was, word = dfid in self.dirty, dfid in self.words
        if begins:
            self.dirty.add(dfid)
        if status in ("COMPENSATED", "SETTLED"):
            self.dirty.discard(dfid)
        if begins or status in ("COMPENSATED", "SETTLED"):
            self.words.discard(dfid)
        if None in self.upwards(dfid):
            return found
        if was == begins:
            found.append("it was half done" if begins else "it is not half done")
        if (status == "COMPENSATED" or "settles" in payload) and self.effects_left.get(dfid, 0) > 0:
            found.append("an effect is left")
        if status == "SETTLED" and "settles" not in payload and not word:
            found.append("no person said so")
        return found

    def put_right(self, intent_id):
        dfid = self.effects.get(intent_id)
        if dfid is not None:
            self.effects[intent_id] = None
            self.count_effect(dfid, -1)
            if intent_id in self.effects_done:
                self.done_in[dfid] = max(0, self.done_in.get(dfid, 0) - 1)

    def count_effect(self, dfid, by):
        for at in self.upwards(dfid):
            if at is not None:
                self.effects_left[at] = max(0, self.effects_left.get(at, 0) + by)

    def upwards(self, dfid):
        """A flow and those above it; None at the end: what is above was erased, or is left out."""
        if dfid not in self.flows:
            return [dfid, None]
        found, writ = [dfid], self.writs.get(self.flows[dfid][1])
        while len(found) < LONGEST_CHAIN and writ is not None and writ.get("parent") is not None:
            writ = self.writs.get(writ["parent"])
            found.append(None if writ is None else writ["nonce"])
        return found

    # ---- the fold

    def fold_problems(self, envelope, payload, erased):
        kind, dfid = envelope["kind"], envelope.get("dfid", "")
        if erased:
            self.flows_erased.add(dfid)
        if payload is None:
            return []
        if kind == "policy":
            body = payload["body"]
            for record in body.get("capabilities", [body] if "capability" in body else []):
                self.capabilities[record["capability_hash"]] = record["capability"]
        if kind == "writ":
            body = payload["writ"]["body"]
            self.join_event(payload.get("flow", {}))
            if payload.get("flow", {}).get("steps") == "one":
                self.one_step[payload["flow"]["dfid"]] = 0
            above = self.writs.get(body.get("parent"))
            return [] if above is None else self.reserve(above, body["budget"])
        if kind == "delegation" and "returned" in payload:
            return self.given_back_to_parent(payload["writ_id"], payload["returned"])
        if kind == "event":
            law = arbitration_law(self.topic_rows, payload["topic"])
            event = {"id": payload["event_id"], "law": law, "at": envelope["at"], "winners": {}, "halted_by": None}
            self.event_by_id[event["id"]] = event
            self.event_of.update({one["dfid"]: event for one in payload["woken"]})
            about = {topic_of_path(self.topic_rows, one["path"]) for one in payload["observations"]}
            return ["it is about another topic"] if about - {payload["topic"]} else []
        if kind in ("rejection", "pending_approval"):
            heard, _ = dfid in self.heard, self.heard.add(dfid)
            if kind == "rejection" and payload["reason_code"] in ("PREEMPTED", "EVENT_HALTED"):
                if "ended_flow" in payload:
                    self.ended.add(dfid)
                return self.lost_problems(dfid, payload, heard)
        if kind == "rejection" and ("ended_flow" in payload or (payload["received"], payload["reason_code"]) == ("", "FLOW_CANCELLED")):
            self.ended.add(dfid)
        if kind == "pending_approval":
            return self.asked_problems(payload, envelope["at"])
        if kind == "approval":
            return self.answer_problems(dfid, payload, envelope["at"])
        if kind == "evidence" and "atom" in payload:
            return self.atom_issued(envelope, payload["atom"])
        if kind == "evidence":
            found = self.word_problems(dfid, payload)
            self.learn(payload)
            self.note_half_done(dfid, payload)
            if (payload["source"], payload.get("finding")) == ("agent", "closed"):
                return self.closed_by_agent(dfid)
            return found
        known = dfid not in self.flows_erased
        if kind == "settle":
            if payload["reason_code"] in ("FLOW_CANCELLED", "EVENT_HALTED"):
                self.ended.add(dfid)
            step = self.open_step(payload["intent_id"])
            # Whoever proved it does not decide again in its flow.
            if payload["status"] == "FAILED" and (step or {}).get("proven"):
                self.ended.add(dfid)
            unsent = step is not None and step["status"] == "ACCEPTED"
            found = self.becomes(payload["intent_id"], payload["status"])
            if payload["status"] == "FAILED" or (payload["status"] == "ABANDONED" and unsent):
                self.release(step, {})
            return found if known else []
        if kind == "commit":
            step = self.open_step(payload["intent_id"])
            if step is not None and step["policy_kind"] == "HALT" and dfid in self.event_of:
                self.event_of[dfid]["halted_by"] = self.event_of[dfid]["halted_by"] or dfid
            found = self.becomes(payload["intent_id"], "SUCCESS")
            self.release(step, payload["cost"])
            return found if known else []
        if kind == "accepted" or (kind == "dispatch" and "intent" in payload):
            return self.fold_intent(envelope, payload, known)
        if kind == "resend":
            found = self.fold_resend(envelope, payload)
            return found if known else []
        if kind != "dispatch":
            return []
        step = self.open_step(payload["intent_id"])
        found = self.becomes(payload["intent_id"], "DISPATCHED")
        if dfid in self.ended and not (step or {}).get("undoes"):
            found.append("its flow had ended")
        if not (step or {}).get("undoes"):
            found += self.halt_problems(dfid)
        if step is not None:
            step["first_sent"] = gathered_at(payload["facts"])
            found += self.idle_problems(step) + self.judged_later(payload["facts"], envelope["at"])
            found += [] if envelope["at"] < step["dispatch_before"] else ["it was dispatched after its deadline"]
            found += self.out_of_force(self.contract_of(step), payload["facts"].get("now"))
        return found if known else []

    def fold_resend(self, envelope, payload):
        """Sent again it ends as early as a dispatch of that moment would, and while its key is surely known."""
        body, facts = payload["body"], payload["facts"]
        step = self.open_step(body["intent_id"])
        found = self.resent(step, body["why"]) + self.becomes(body["intent_id"], "DISPATCHED")
        if step is None:
            return found
        writ = self.writs.get(step["writ_id"])
        ends = [gathered_at(facts) + 30_000, *step["ends"]] + ([] if step["undoes"] else words_end(facts))
        ends += [] if writ is None else [instant_ms(writ["window"]["expires_at"]) or 0]
        ends += [] if step["key_lasts"] is None else [step["first_sent"] + step["key_lasts"]]
        if instant_ms(body["send_before"]) > min(ends):
            found.append("it may be sent again for longer than allowed")
        return found + self.idle_problems(step) + self.judged_later(facts, envelope["at"])

    def judged_later(self, facts, at):
        return [] if gathered_at(facts) <= instant_ms(at) else ["it was judged after it was sent"]

    def closed_by_agent(self, dfid):
        found = ["its flow had ended"] if dfid in self.ended else []
        self.ended.add(dfid)
        return found + (["something of its flow is under way"] if self.under_way.get(dfid, 0) > 0 else [])

    def word_problems(self, dfid, payload):
        """A person speaks of what is under review, by name and with a reason, and settles nothing that is on its way."""
        steps = [self.open_step(one) for one in payload.get("settles", [])]
        if any(step is not None and step["status"] != "MANUAL_REVIEW" for step in steps):
            return ["it settles what is not over"]
        if payload["source"] != "person" or payload["intent_id"] not in self.steps or dfid in self.flows_erased:
            return []
        if self.steps[payload["intent_id"]]["status"] != "MANUAL_REVIEW":
            return ["nobody has to say what became of it"]
        return [] if named_person(payload["details"]) else ["no person is named, or no reason"]

    def count_open(self, step, by):
        if not step["undoes"]:
            dfid = step["claim"][0]
            self.under_way[dfid] = max(0, self.under_way.get(dfid, 0) + by)

    def note_half_done(self, dfid, payload):
        """An agent with a flow that is half done does nothing else until that is put right."""
        if payload["source"] != "saga" or dfid not in self.opened:
            return
        flows = self.half_done.setdefault(self.opened[dfid][0], set())
        if payload["status"] == "PARTIAL_SUCCESS_DIRTY":
            flows.add(dfid)
        elif payload["status"] in ("COMPENSATED", "SETTLED"):
            flows.discard(dfid)

    def idle_problems(self, step):
        stops = self.half_done.get(step["agent_id"]) and step["policy_kind"] not in ("COMPENSATE", *UNLISTED)
        return ["its agent is in maintenance"] if stops and not step["undoes"] else []

    def asked_problems(self, payload, at):
        request, facts = payload["request"], payload.get("facts", {})
        capability = object_in(facts.get("capability")).get("hash")
        self.asked.setdefault(request["id"], (capability if is_text(capability) else None, request.get("requested_at")))
        found = reading_problems(request, request.get("requested_at"), at)
        if "facts" not in payload:
            return found
        if request.get("requested_at") != facts.get("now"):
            found.append("the time of the request is not that of its facts")
        description = self.capabilities.get(capability) if is_text(capability) else None
        if description is None:
            return found + ["its capability is not recorded"]
        if not is_rated(description):
            return found + ["its capability cannot be read"]
        lines = [line["measures"] for line in payload["trace"] if is_object(line) and line.get("stage") == "preconditions"
                 and is_object(line.get("measures"))]
        judged = judge_impact(description, lines[0] if lines else {}, request["past"] or NO_PAST)
        judged["reversible"] = description.get("reversible")
        stated = {name: request.get(name) for name in ("impact", "impact_reasons", "exposure", "reversible")}
        found += [] if same(judged, stated) else ["its impact is not the one that it states"]
        return found + word_problems_of(request, description, object_in(payload.get("proposal")).get("params"))

    def answer_problems(self, dfid, payload, at):
        body, judged = payload["body"], payload.get("modification")
        ends = body["decision"] in ("ABORT", "EXPIRED")
        if ends:
            self.ended.add(dfid)
        about = self.asked.get(body["request_id"])
        if ends or payload["releases"] is not None:
            self.asked.pop(body["request_id"], None)
        if judged is None or about is None:
            return []
        found, description = reading_problems(judged, about[1], at), self.capabilities.get(about[0])
        if description is None:
            return found
        if not is_rated(description):
            return found + ["its capability cannot be read"]
        always = set(judge_impact(description, {}, NO_PAST)["impact_reasons"]) - {"exposure"}
        fits = always <= set(judged["impact_reasons"]) and (judged["impact"] == "HIGH_IMPACT") == bool(judged["impact_reasons"])
        found += [] if fits else ["its impact is not the one that it states"]
        return found + word_problems_of(judged, description, body.get("modified", {}).get("params"))

    def open_step(self, intent_id):
        step = self.steps.get(intent_id)
        return step if step is not None and step["status"] in NEXT else None

    def contract_of(self, step):
        """The contract that an intent stands on, if it can be read."""
        versions = [v for v in self.contracts.get(step["agent_id"], []) if v["hash"] == step["contract_hash"]]
        return versions[0]["contract"] if versions and is_stored(versions[0]["contract"]) else None

    def out_of_force(self, contract, now):
        at = instant_ms(now)
        if contract is None:
            return []
        since, until = instant_ms(contract["effective_from"]), instant_ms(contract.get("effective_until", "9999-12-31"))
        inside = None not in (at, since, until) and since <= at and (at < until or "effective_until" not in contract)
        return [] if inside else ["its contract was not in force"]

    def fold_intent(self, envelope, payload, known):
        intent, facts, sent = payload["intent"], payload["facts"], envelope["kind"] == "dispatch"
        dfid, claim = intent["dfid"], (intent["dfid"], intent["step_id"])
        whole = dfid not in self.flows_erased
        found = ["the step was claimed before"] if claim in self.claimed and whole else []
        if whole and "compensation" not in intent and self.one_step.get(dfid, 0) > 0:
            found.append("its flow was opened for one step")
        # Asking for somebody is none: sent back, the agent goes on.
        if dfid in self.one_step and claim not in self.claimed and intent["policy_kind"] != "ESCALATE":
            self.one_step[dfid] += 1
        self.claimed.add(claim)
        description = self.capabilities.get(intent["capability_hash"])
        step = {name: intent[name] for name in ("agent_id", "contract_hash", "writ_id", "cost", "staged_at", "dispatch_before",
                                                "policy_kind")}
        undoes = "compensation" in intent
        step = {**step, "claim": claim, "status": "DISPATCHED" if sent else "ACCEPTED", "found": None, "undoes": undoes,
                "proven": "on_failure" in intent,
                "effect": object_in(description).get("effect"), "key_lasts": key_lasts(description),
                "ends": ends_of(intent, payload["proposal"], None, undoes), "first_sent": instant_ms(intent["staged_at"])}
        if intent["intent_id"] not in self.steps:
            self.steps[intent["intent_id"]] = step
            self.count_open(step, 1)
        writ = self.writs.get(intent["writ_id"])
        found += deadline_problems(intent, payload["proposal"], facts, writ and writ["window"]["expires_at"])
        if sent and envelope["at"] >= intent["dispatch_before"]:
            found.append("it was dispatched after its deadline")
        if intent["staged_at"] > envelope["at"]:
            found.append("it was decided after it was written")
        found += branch_problems(envelope["trajectory"], intent, description)
        if undoes:
            return found
        found += differences(intent, payload["proposal"], facts) + self.idle_problems(step)
        if dfid in self.ended and whole:
            found.append("its flow had ended")
        if whole:
            found += self.arbitrated(intent, envelope["at"]) + self.atom_used(payload)
        return found + self.granted(payload, description) + self.costs(intent, writ)

    def rank_of(self, dfid, law, kind, at):
        """Preempting kinds, then the lower number, the role, the name; times only within one agent."""
        agent, pinned = self.opened.get(dfid, (None, None))
        contract = self.contract_of({"agent_id": agent, "contract_hash": pinned})
        if contract is None:
            return None
        roles = ("MONITOR", "STRATEGIST", "EXECUTOR")
        return (kind not in law["preempting_kinds"], contract["priority"], roles.index(contract["role"]), contract["agent_id"], at, dfid)

    def halt_problems(self, dfid):
        halted = self.event_of.get(dfid, {}).get("halted_by") is not None
        return ["its event was halted"] if halted else []

    def arbitrated(self, intent, at):
        """One of an event is carried out, or several that share no resource; none once it is halted."""
        dfid, kind = intent["dfid"], intent["policy_kind"]
        event = self.event_of.get(dfid)
        if event is None or kind in RESERVED:
            return []
        found = self.halt_problems(dfid)
        self.heard.add(dfid)
        law = event["law"]
        rank = None if law is None else self.rank_of(dfid, law, kind, at)
        if rank is None:
            return found
        names = {one["id"] for one in intent["resources"]}
        others = [won for other, won in event["winners"].items() if other != dfid]
        if any(law["exclusive"] == "event" or won["names"] & names for won in others):
            found.append("another of its event was dispatched before")
        earlier = event["winners"].get(dfid, {"names": set()})
        won = {"names": earlier["names"] | names, "rank": rank, "at": at, "approved": "approval" in intent}
        event["winners"][dfid] = {**won, **{name: earlier[name] for name in ("rank", "at", "approved") if name in earlier}}
        return found

    def join_event(self, flow):
        """Below a flow of an event, whatever it says of itself; the opening of the parent may be erased."""
        if "parent_dfid" not in flow or flow["dfid"] in self.event_of:
            return
        event = self.event_of.get(flow["parent_dfid"]) or self.event_by_id.get(flow.get("event_id"))
        if event is not None:
            self.event_of[flow["dfid"]] = event
            self.too_late_for[flow["dfid"]] = set(event["winners"])

    def left_out(self, event, dfid):
        """What a flow of the event did may have been erased, or be no part of a bundle."""
        if not isinstance(dfid, str) or self.event_of.get(dfid) is not event:
            return False
        return not self.whole or dfid in self.flows_erased

    def lost_problems(self, dfid, payload, heard):
        """Whoever lost names what it lost to, which stands before it, and does not outrank it."""
        event, details = self.event_of.get(dfid), payload["details"]
        if event is None:
            return ["it is about no event"] if self.whole else []
        if payload["reason_code"] == "EVENT_HALTED":
            halted = event["halted_by"] is not None and details.get("halted_by") == event["halted_by"]
            return [] if halted or self.left_out(event, details.get("halted_by")) else ["nobody halted its event"]
        name = details.get("winner")
        won = event["winners"].get(name) if isinstance(name, str) else None
        if won is None and name != dfid and self.left_out(event, name):
            return []
        if won is None or name == dfid or details.get("event_id") != event["id"]:
            return ["nothing that it lost to was put down before"]
        if won["approved"]:
            return []
        if not isinstance(details.get("bid_at"), str):
            # Its entry says when it became durable: the window began when the observation was taken up, a little before.
            ends = instant_ms(event["at"]) + event["law"]["window_ms"] - 30_000
            early = instant_ms(won["at"]) < ends and not heard and name not in self.too_late_for.get(dfid, ())
            return ["the window of its event was not over"] if early else []
        kind = object_in(payload.get("proposal")).get("policy_kind")
        rank = self.rank_of(dfid, event["law"], kind, details["bid_at"]) if isinstance(kind, str) else None
        # Of one agent the earlier bid is first, and when the winner made its own is not on record.
        return ["it outranks what it lost to"] if rank is not None and rank[:4] < won["rank"][:4] else []

    def atom_issued(self, envelope, atom):
        """What the kernel settles before an agent decides: of its flow, inside its contract, for a minute."""
        found, opened = [], self.opened.get(envelope.get("dfid"))
        if len(self.atoms) >= 1024:
            self.atoms = {key: one for key, one in self.atoms.items() if one[0]["expires_at"] > envelope["at"]}
        if atom["dfid"] != envelope.get("dfid"):
            found.append("it is an atom of another flow")
        own = self.writs.get(atom["writ_id"], {}).get("nonce") == envelope.get("dfid")
        if opened is not None and not ((atom["agent_id"], atom["contract_hash"]) == opened and own):
            found.append("its agent, contract or writ is not that of its flow")
        contract = self.contract_of(atom)
        if contract is not None:
            kinds, grants = set(atom["policy_kinds"]), contract["permissions"]
            if not kinds or kinds - set(UNLISTED) - set(grants["policy_kinds"]) or kinds & set(grants.get("forbidden_kinds", [])):
                found.append("it is for kinds that its contract does not grant")
        lasts = instant_ms(atom["expires_at"]) - instant_ms(atom["issued_at"])
        if not 0 < lasts <= 60_000:
            found.append("it lasts for longer than atoms do")
        if atom["issued_at"] > envelope["at"]:
            found.append("it was issued after it was written")
        if atom["authority_seq"] > self.authority_seq():
            found.append("it was issued on authority that was not there")
        if atom["atom_id"] in self.atoms:
            found.append("it was issued before")
        self.atoms.setdefault(atom["atom_id"], (atom, []))
        if envelope.get("dfid") in self.ended and envelope.get("dfid") not in self.flows_erased:
            found.append("its flow had ended")
        return found

    def atom_used(self, payload):
        """An atom covers one dispatch of the decision that it was issued for, while nothing that it stands on has changed."""
        intent, facts = payload["intent"], payload["facts"]
        wanted = None if "approval" in intent else object_in(payload["proposal"]).get("atom_id")
        if intent.get("atom_id") != wanted:
            return ["it names another atom than its proposal"]
        covered = [line.get("stage") for line in payload["trace"] if is_object(line) and "covered" in line]
        if wanted is None:
            return ["a stage of it is covered by no atom"] if covered else []
        if wanted not in self.atoms:
            return ["its atom was never issued, or had ended"]
        atom, uses = self.atoms[wanted]
        found = ["its atom was used before"] if uses else []
        uses.append(intent["intent_id"])
        if any(atom[name] != intent[name] for name in ("dfid", "agent_id", "contract_hash", "writ_id")) or intent["policy_kind"] not in atom["policy_kinds"]:
            found.append("its atom was issued for another decision")
        if not atom["issued_at"] <= intent["staged_at"] < atom["expires_at"]:
            found.append("it was decided outside of the time of its atom")
        shown = object_in(object_in(facts.get("atom")).get("atom"))
        body = {name: value for name, value in shown.items() if name not in ("atom_id", "kernel_signature")}
        if shown.get("atom_id") != wanted or address("atom", body) != wanted:
            found.append("it was judged on another atom")
        same_ground = (atom["rules_hash"] == intent["rules_hash"] and atom["authority_seq"] == facts["authority_seq"]
                       and atom["snapshot_id"] == intent["snapshot_id"]
                       and atom["capability_hashes"].get(intent["policy_kind"]) == intent["capability_hash"])
        if covered and not (same_ground and set(map(str, covered)) <= set(atom["covers"])):
            found.append("a stage of it is covered by an atom that was issued on something else")
        return found

    def granted(self, payload, description):
        intent, facts = payload["intent"], payload["facts"]
        contract = self.contract_of(intent)
        versions = [v for v in self.contracts.get(intent["agent_id"], []) if v["hash"] == intent["contract_hash"]]
        if not versions or description is None:
            return []
        if contract is None:
            return ["its contract cannot be read"]
        found = self.out_of_force(contract, intent["staged_at"])
        if intent["capability"] != f"{intent['policy_kind']}@{description.get('version')}":
            found.append("it names another capability")
        if contract["safety_rules"]["requires_signature"] and facts["auth"]["kind"] == "session":
            found.append("its contract asks for a signature")
        rows = self.topologies.get(intent["rules_hash"], [])
        # What a person wrote carries that person's word; an agent above is none.
        by_agent = intent.get("approval", {}).get("approver", "").startswith("agent:")
        by_person = facts["auth"]["kind"] == "approval" and not by_agent
        shown = None if self.whole else object_in(object_in(facts.get("flow")).get("event")).get("topic")
        topic, said = self.topic_of.get(intent["dfid"], shown), object_in(payload["proposal"])
        names = {contract["agent_id"], contract.get("instance_of", contract["agent_id"])}
        wanted = None if by_person else way_asked(rows, names, intent["policy_kind"], topic)
        if (wanted == "EOAM" or intent["policy_kind"] == "HALT") and topic is None:
            found.append("its class asks for an event")
        if wanted == "DL_PCI" and "evidence_hash" not in said:
            found.append("its class asks for a proof")
        if wanted == "SDS" and (facts["auth"]["kind"] == "approval" or "atom_id" not in said):
            found.append("its class asks for an atom")
        found += evidence_problems(intent, payload["proposal"], contract)
        found += on_failure_problems(intent, payload["proposal"], contract, description)
        try:
            found += grant_problems(intent, contract, self.chain(intent["writ_id"]), description)
        except (KeyError, TypeError, ValueError, AttributeError):
            return ["its contract cannot be read"]
        least = {"calls": "0", **object_in(description.get("cost"))}
        if any(not count(m, intent["cost"].get(m, "0")) >= count(m, a) + (m == "calls") for m, a in least.items()):
            found.append("it costs less than it must")
        return found

    def costs(self, intent, writ):
        found = [] if writ is None else self.reserve(writ, intent["cost"])
        over = []
        for name, measure, most in self.window_parts(intent):
            self.windows[name] = self.windows.get(name, 0) + count(measure, intent["cost"].get(measure, "0"))
            over += ["its agent has not so much in the window"] if self.windows[name] > most else []
        return found + over

    def window_parts(self, intent):
        """What an agent, or a class, may take in a window of time, over all its flows."""
        contract = self.contract_of(intent)
        budget = dict((contract or {}).get("safety_rules", {}).get("budget_per_agent", {}))
        if not re.fullmatch("[1-9][0-9]{0,9}", str(budget.get("window_s"))):
            return []
        window = int(budget.pop("window_s"))
        owner = contract.get("instance_of", contract["agent_id"])
        number = instant_ms(intent["staged_at"]) // (window * 1000)
        return [((owner, window, number, measure), measure, count(measure, most)) for measure, most in budget.items()]

    def take(self, writ, amounts):
        over = []
        for measure, amount in amounts.items():
            name = (writ["nonce"], measure)
            self.spent[name] = self.spent.get(name, 0) + count(measure, amount)
            if self.spent[name] > count(measure, writ["budget"].get(measure, "0")):
                over.append(f"more {measure} is taken than its writ grants")
        return over

    def reserve(self, writ, amounts):
        """Past the grant, by what an agent reported, nothing is decided."""
        found = self.take(writ, amounts)
        past = [m for m, most in writ["budget"].items() if m not in amounts
                and self.spent.get((writ["nonce"], m), 0) > count(m, most)]
        return found + (["its writ is spent"] if past else [])

    def release(self, step, spent):
        """Gives back what was reserved beyond what was spent."""
        if step is None or step["undoes"]:
            return
        writ = self.writs.get(step["writ_id"])
        kept = lambda m, held: min(held, count(m, spent.get(m, "0"))) - held
        for measure, amount in step["cost"].items() if writ is not None else ():
            name, held = (writ["nonce"], measure), count(measure, amount)
            self.spent[name] = self.spent.get(name, 0) + kept(measure, held)
        for name, measure, _ in self.window_parts(step):
            held = count(measure, step["cost"].get(measure, "0"))
            self.windows[name] = self.windows.get(name, 0) + kept(measure, held)

    def given_back_to_parent(self, writ_id, returned):
        child = self.writs.get(writ_id)
        parent = self.writs.get(child.get("parent")) if child else None
        if parent is None:
            return []
        found = ["its writ returned its budget before"] if child["nonce"] in self.gave_back else []
        self.gave_back.add(child["nonce"])
        if self.take(child, returned):
            found.append("more budget is returned than was left")
        for measure, amount in returned.items():
            name = (parent["nonce"], measure)
            self.spent[name] = self.spent.get(name, 0) - count(measure, amount)
        return found

    def learn(self, payload):
        step = self.open_step(payload.get("intent_id"))
        if step is not None:
            step["found"] = (payload["source"], payload["finding"])
        writ = self.writs.get(payload.get("writ_id"))
        if writ is not None and "used" in payload:
            for measure, amount in payload["used"].items():
                name = (writ["nonce"], measure)
                self.spent[name] = self.spent.get(name, 0) + count(measure, amount)

    def becomes(self, intent_id, to):
        """Moves an effect on; what cannot be said of it after what was said before."""
        step = self.steps.get(intent_id)
        if step is None:
            return []
        before, (source, finding) = step["status"], step["found"] or (None, None)
        if before not in NEXT:
            return [f"it was {before} for good"]
        found = [] if to in NEXT[before] else [f"an effect that is {before} cannot become {to}"]
        if not found and before == "MANUAL_REVIEW" and source != "person":
            found.append("no person said so")
        elif not found and before in ("UNKNOWN", "MANUAL_REVIEW") and NEEDED.get(to, finding) != finding:
            found.append("nobody found that out")
        if before == "ACCEPTED" and to == "ABANDONED":
            self.claimed.discard(step["claim"])
        free = to == "FAILED" or (before, to) == ("ACCEPTED", "ABANDONED")
        if free and step["claim"][0] in self.one_step and not step["undoes"] and step["policy_kind"] != "ESCALATE":
            self.one_step[step["claim"][0]] -= 1
        step["found"] = step["found"] if to == "UNKNOWN" else None
        step["status"] = to
        if to not in NEXT:  # nothing more is asked of it than that
            self.count_open(step, -1)
            self.steps[intent_id] = self.final.setdefault(to, {"status": to, "found": None})
        return found

    def resent(self, step, why):
        if step is None:
            return []
        if step["status"] != ("UNKNOWN" if why == "same_key" else "NOT_APPLIED"):
            return ["it is sent again out of turn"]
        return ["it is never sent again so"] if step["effect"] == "unsafe" or (
            step["effect"] == "queryable" and why == "same_key") else []

    # ---- who opened a child below which flow

    def child_problems(self, place, envelope, payload):
        kind = envelope["kind"]
        if payload is None:
            return []
        if kind in ("accepted", "dispatch"):
            intent = payload.get("intent", {})
            if intent.get("policy_kind") == "SPAWN_CHILD":
                self.spawns[intent["intent_id"]] = intent
            if kind == "dispatch":
                self.spawns_sent.add(intent.get("intent_id", payload.get("intent_id")))
        if kind == "writ" and "flow" in payload:
            return self.child_writ(place, payload["flow"], payload["writ"])
        return self.child_opened(envelope, payload) if kind == "delegation" else []

    def child_writ(self, place, flow, writ):
        above = writ["body"].get("parent")
        self.flows[flow["dfid"]] = (flow["agent_id"], writ["id"])
        if "parent_dfid" not in flow:
            return [] if above is None else ["a child without its parent"]
        parent = self.flows.get(flow["parent_dfid"])
        if parent is None:
            return [] if flow["parent_dfid"] in self.writs_erased else ["the flow above is not there"]
        if self.whole:
            self.untold[flow["dfid"]] = (place, flow["parent_dfid"], writ["id"])
        if above != parent[1]:
            return ["its writ comes from another flow"]
        scopes = self.writs.get(above, {}).get("scopes", [])
        granted = any(prefix_covers(scope["kind"], "SPAWN_CHILD") for scope in scopes)
        return [] if flow["agent_id"] == parent[0] or granted else ["the flow above is another agent's"]

    def child_opened(self, envelope, payload):
        if "opened_by" not in payload:
            return []
        if envelope.get("dfid") != payload["parent_dfid"]:
            return ["it stands in another flow"]
        child, told = payload["child_dfid"], (payload["parent_dfid"], payload["writ_id"])
        if (self.untold.get(child, (None,))[1:] == told
                and self.flows.get(child, (None,))[0] == payload["child_agent"]):
            del self.untold[child]
        parent, by = self.flows.get(payload["parent_dfid"]), payload["opened_by"]
        if parent is None or by["kind"] == "runtime":
            return []
        if by["kind"] == "session":
            return [] if payload["child_agent"] == parent[0] else ["a session below another agent's flow"]
        step = self.spawns.get(by["intent_id"])
        if step is None:
            return ["no such step"]
        if by["intent_id"] in self.spawns_used:
            return ["a step opens one child"]
        self.spawns_used.add(by["intent_id"])
        own = step["dfid"] == payload["parent_dfid"] and step["params"].get("agent") == payload["child_agent"]
        return [] if own and by["intent_id"] in self.spawns_sent else ["another step opened it"]

    def source_problem(self, body):
        """A path has one owner; the kernel's and the agents' own are nobody else's."""
        if body["action"] == "retire":
            return None if body["source_id"] in self.sources else "there is no such source"
        paths, key = body["paths"], body.get("key")
        if ":" in body["source_id"] or not 1 <= body["max_paths"] <= 100_000 or not 1 <= len(paths) <= 256:
            return "the source cannot be registered"
        for path in paths:
            stem = path[:-1] if path.endswith("*") else path
            reserved = any(stem == space or stem.startswith(space + ".") for space in ("kernel", "escalation", "claims"))
            if not (identifier(stem) or path == "*") or reserved or len(set(paths)) < len(paths):
                return f"{path} cannot be registered"
        if key is not None and (len(unbase64(key)) != 32 or key_multiples(unbase64(key)) is None):
            return "its key cannot be used"
        taken = [path for path in paths if self.owners.get(path, body["source_id"]) != body["source_id"]]
        return f"{taken[0]} is owned by another source" if taken else None

    def reason_problems(self, kind, body):
        """What is done for ever, or lifts something, has a reason that somebody can read."""
        if kind == "lifecycle" and body["from"] == "SUSPENDED":
            given = body["justification"]
        elif kind in ("anchor", "erasure") or (kind == "policy" and body.get("action") == "unwatch"):
            given = body["reason"]
        else:
            return []
        return [] if shows_something(given) else ["nobody can read why"]

    def fold_authority(self, kind, body):
        if kind == "policy":
            until = body.get("previous_until")
            if "rules_hash" in body:
                self.rules.add(body["rules_hash"])
                self.topologies[body["rules_hash"]] = body["rules"].get("topologies", [])
                self.topic_rows = body["rules"].get("topics", [])
                self.record("rules", body["rules_hash"], until)
            records = body.get("capabilities", [body] if "capability" in body else [])
            for record in records if "rules" in self.in_force else []:
                self.record(("kind", record["capability"]["kind"]), record["capability_hash"], until)
        elif kind == "revocation" and body["target"] == "writ":
            self.revoked_writs.add(body["id"])
        elif kind == "revocation":
            for agent, versions in self.contracts.items():
                for version in versions:
                    if body["id"] in (agent, f"{agent}@{version['version']}", f"{agent}@v{version['version']}"):
                        version["revoked"] = True
        elif kind == "anchor" and body["action"] == "accept_restore":
            used, self.epoch = max(self.epoch, epoch_of(body["checkpoint"])), max(self.epoch, body["epoch"])
            return [] if body["epoch"] > used else ["the epoch does not rise"]
        elif kind == "source":
            problem = self.source_problem(body)
            if problem is None:
                for path in self.sources.pop(body["source_id"], []):
                    del self.owners[path]
            if problem is None and body["action"] == "register":
                self.sources[body["source_id"]] = body["paths"]
                self.owners.update(dict.fromkeys(body["paths"], body["source_id"]))
            # A bundle may have left out what was registered before.
            return [problem] if problem is not None and self.whole else []
        elif kind == "lifecycle":
            before, self.statuses[body["agent_id"]] = self.statuses.get(body["agent_id"]), body["to"]
            if body["actor"] not in self.movers(body["agent_id"], body["from"], body["to"]):
                return ["that move does not exist"]
            return [] if not self.whole or before == body["from"] else [f"the agent was {before}"]
        elif kind == "person":
            problems = self.fold_person(body)
            return problems if self.whole else []
        elif kind == "contract" and body["action"] == "spawn":
            found = self.spawned(body["contract"], body["contract_hash"], body["of"])
            ends = body["contract"].get("effective_until")
            if "occasion" in body and not (is_text(ends) and ends <= body["occasion"]["ends_at"]):
                found.append("its contract outlives its occasion")
            until = body.get("occasion", {}).get("until", {})
            if "at" in until and instant_ms(until["at"]) != instant_ms(body["occasion"]["ends_at"]):
                found.append("its occasion ends at another time than it says")
            return found
        elif kind == "contract":
            versions = self.contracts.setdefault(body["contract"]["agent_id"], [])
            for version in versions:
                version["revoked"] = version["revoked"] or body["revoke_previous"]
            same = [v for v in versions if v["version"] == body["contract"]["version"]]
            instance = "instance_of" in body["contract"] or any(v["spawned"] for v in versions)
            if not any(v["hash"] == body["contract_hash"] for v in same[:1]):
                versions.append({"hash": body["contract_hash"], "version": body["contract"]["version"], "revoked": False,
                                 "contract": body["contract"], "of": None, "spawned": False, "persons": body["persons"]})
                found = ["an instance is deployed"] if instance else []
                return found + (["the version exists with other content"] if same else [])
        return []

    def spawned(self, contract, its_hash, of):
        classes = [v for v in self.contracts.get(contract["instance_of"], []) if v["hash"] == of]
        known = self.contracts.setdefault(contract["agent_id"], [])
        found = ["the name was used before"] if known else []
        above = classes[0] if classes else None
        persons = {"owner": "", "approvers": []}
        if above is not None:
            named = dict(reversed(list(zip(approver_names(above["contract"]), above["persons"]["approvers"]))))
            persons = {**above["persons"], "approvers": [named.get(name, "") for name in approver_names(contract)]}
        known.append({"hash": its_hash, "version": contract["version"], "revoked": above is None,
                      "contract": contract, "of": above, "spawned": True, "persons": persons})
        if above is None:
            return found + ["its class has no such contract"]
        if is_revoked(above):
            found.append("the contract of its class is revoked")
        return found + ([] if instance_inside(contract, above["contract"]) else ["it is wider than its class"])

    def movers(self, agent, before, after):
        """Who may make the move; a bundle may have left out how the agent came to its contract."""
        versions = self.contracts.get(agent)
        unknown = versions is None and not self.whole
        spawned = any(v["spawned"] for v in versions or ())
        if (before, after) == (None, "INITIALIZING"):
            return {"operator", "runtime"} if unknown else {"runtime"} if spawned else {"operator"}
        # The occasion of an instance is over, suspended or not.
        if (before, after) == ("SUSPENDED", "RETIRED") and (unknown or spawned):
            return {"operator", "runtime"}
        return MOVES.get((before, after), ())

    # ---- World: per trajectory the seqs of its commits and the World after each; None is unknown

    def check_world(self, place, envelope, payload):
        """From the first missing commit on, at the end: an erasure that stands later says what it made."""
        kind, step = envelope["kind"], None
        if kind == "branch" and payload is not None:
            step = {"source": payload["source"], "after": payload["world_after"]}
        elif kind == "commit":
            step = {} if payload is None else {"delta": payload["delta"], "after": payload["world_after"]}
        if step is not None and (self.late_worlds or not step):
            self.late_worlds.append((place, step))
        elif step is not None:
            self.fold_world(place, step)

    def fold_world(self, place, step):
        leaf, name, seq = place
        if "source" in step:
            seqs, worlds = self.worlds.get(step["source"]["trajectory"], ([], [EMPTY]))
            world = worlds[bisect_right(seqs, step["source"]["seq"])]
            self.worlds[name] = ([], [world])
        else:
            seqs, worlds = self.worlds.setdefault(name, ([], [EMPTY]))
            world = worlds[-1]
            named = (self.missing.get(leaf) or {}).get("named")
            try:
                if "delta" not in step:
                    world = apply_erased(world, named["world"]) if world and named else None
                elif world is not None:
                    world = apply_delta(world, step["delta"])
            except Conflict as problem:
                return self.find(place, "WORLD_MISMATCH", str(problem))
            seqs.append(seq)
            worlds.append(world)
        if world is not None and not world[1] and "after" in step and trie_hash(world[0]).hex() != step["after"]:
            self.find(place, "WORLD_MISMATCH", "the entries lead to another World")

    # ---- the end

    def check_keys(self, stated):
        if canonical(stated) != canonical(list(self.keys.values())):
            self.find(NOWHERE, "KEYS_MISMATCH", "the keys that the file states are not those of its key entries")

    def check_checkpoint(self, text, epoch):
        """The checkpoint, and the public keys that signed it."""
        try:
            checkpoint = parse_checkpoint(text)
            if checkpoint["origin"] != f"rubicon/{self.tenant}/{self.operator or 'unknown'}/{epoch}":
                raise Unreadable("the origin is of another log")
        except Unreadable as problem:
            self.find(NOWHERE, "CHECKPOINT_UNREADABLE", str(problem))
            return None, []
        name, seen = checkpoint["origin"], self.authority_seq()
        counting = [r for r in self.keys.values() if r["purpose"] == "checkpoint" and key_counts(r, seen, seen)]
        ids = {note_key_id(name, unbase64(r["public_key"])): r["public_key"] for r in counting}
        known = [(ids[key_id], sig) for signer, key_id, sig in checkpoint["signatures"]
                 if signer == name and key_id in ids]
        self.checked += len(known)
        body = checkpoint["body"].encode()
        if not known or not all(verify_ed25519(unbase64(key), body, sig) for key, sig in known):
            self.find(NOWHERE, "CHECKPOINT_SIGNATURE", "a signature of the checkpoint is invalid")
            known = []
        return checkpoint, [key for key, _ in known]

    def check_trust(self, trust, checkpoint, signers, root_at):
        if trust is None:
            return "self-consistent"
        if "key" in trust:
            operator = self.keys[self.operator]["public_key"] if self.operator else None
            named = trust["origin"] is None or (checkpoint is not None and trust["origin"] == checkpoint["origin"])
            agrees = named and (trust["key"] == operator or trust["key"] in signers)
        else:
            agrees = (checkpoint is not None and trust["origin"] == checkpoint["origin"] and trust["size"] > 0
                      and root_at(trust["size"]) == trust["root"])
        if agrees:
            return "trusted"
        self.find(NOWHERE, "TRUST_MISMATCH", "the file does not agree with what is trusted")
        return "self-consistent"

    def close(self):
        """What can be judged only once every erasure was seen."""
        for place, _, _ in self.untold.values():
            self.find(place, "AUTHORITY_ORDER", "its parent flow has no record that it was opened")
        for place, wanted in self.unsaid.values():
            self.find(place, "AUTHORITY_ORDER", unsaid_words(wanted))
        for place, step in self.late_worlds:
            self.fold_world(place, step)
        for gone in self.missing.values():
            if gone["named"] is None:
                self.find(gone["place"], "ERASURE_UNSIGNED", "the payload is missing, and no signed erasure names it")

    def report(self, entries, checkpoint, tree, strength):
        self.close()
        for key_id, (names, uses) in self.uses.items():
            since, names = self.keys[key_id].get("compromised_since_seq"), list(names)
            for i in range(0, len(uses) if since is not None else 0, 4):
                at, leaf, name, seq = uses[i:i + 4]
                if since <= at:
                    self.find((leaf, names[name], seq), "ENTRY_SIGNATURE", f"key {key_id} was compromised before this")
        self.findings.sort(key=lambda f: float("inf") if f["leaf"] is None else f["leaf"])
        shown = checkpoint and {"origin": checkpoint["origin"], "size": checkpoint["size"],
                                "root": base64.b64encode(checkpoint["root"]).decode()}
        return {"ok": not self.findings, "strength": None if self.findings else strength, "depth": self.depth, "entries": entries,
                "erased": self.erased, "unsettled": None, "checkpoint": shown, "tree": tree,
                "fingerprints": [{n: r[n] for n in ("key_id", "purpose", "subject")} for r in self.keys.values()],
                "findings": self.findings, "left_off": self.left_off, "compiler_versions": sorted(self.compilers),
                "rules_seen": sorted(self.rules), "signatures": {"checked": self.checked}}


NOWHERE = (None, None, None)


def spoken_by(facts):
    """The key of the signature, or of the session that it came in; None: there was none."""
    auth = facts["auth"] if facts else {"kind": "approval"}
    key = {"approval": None, "signature": auth.get("signature"), "session": auth.get("key")}[auth["kind"]]
    return key and key["key_id"]


def wish_in(intent):
    """What a step asks the runtime to do for its agent: to make an instance, or to decide a request."""
    agent, params = intent["agent_id"], intent["params"]
    if intent["policy_kind"] == "SPAWN_INSTANCE":
        return canonical(["spawn", agent, *(params.get(name) for name in ("class", "instance_id", "until"))])
    return decision_text(agent, params) if intent["policy_kind"] == "RESOLVE_ESCALATION" else None


def decision_text(agent, said):
    """All that an agent says of a request; the runtime adds who it is, about which flow, and what was judged."""
    return canonical(["decide", agent, {"lifts": [], **said}])


def key_counts(record, seen, at):
    return (record["added_seq"] <= seen and record.get("retired_seq", seen + 1) > seen
            and record.get("compromised_since_seq", at + 1) > at)


# ---------------------------------------------------------------- files

LINE_FORM = re.compile(rb'\{"envelope":(\{[^{}]*\}),"id":"(sha256:[0-9a-f]{64})","payload":(null|\{.*\})\}\n', re.DOTALL)


def cut_line(line):
    """At depth structure, an entry whose hashes fit: its payload is not read. None: the line must be."""
    match = LINE_FORM.fullmatch(line)
    if match is None:
        return None
    try:
        # Counted as the other verifier counts, in units of UTF-16: both read the same lines in full.
        if 3 * (len(line.decode("utf-8").encode("utf-16-le")) // 2 - 1) > LINE["bytes"]:
            return None
        envelope, text = parse_json(match[1])
    except (Unreadable, UnicodeDecodeError):
        return None
    if not is_envelope(envelope) or text.encode() != match[1] or match[2].decode() != address_of_text("entry", text):
        return None
    if envelope["trajectory"] in ("authority", "erasure") or envelope["kind"] == "branch":
        return None
    if match[3] == b"null":
        return None if envelope["kind"] in UNSALTED else {"envelope": envelope, "id": match[2].decode(), "payload": None}
    found = "sha256:" + sha256(b"rubicon/payload/v1\0" + match[3]).hex()
    return {"envelope": envelope, "id": match[2].decode(), "payload": match[3]} if found == envelope["payload_hash"] else None


def verify_ledger(lines, trust, signatures, depth):
    """One line after the other, as they are read."""
    lines = iter(lines)
    first, header, problem = next(lines, b""), None, None
    try:
        value, text = parse_json(first.removesuffix(b"\n"))
        if not HEADER(value):
            raise Unreadable("no header")
        header = value if text.encode() + b"\n" == first else None
        problem = None if header else "ENTRY_NOT_CANONICAL"
    except Unreadable:
        problem = "ENTRY_UNREADABLE"
    audit = Audit(header and header["tenant"], True, signatures, depth)
    if problem:
        audit.find(NOWHERE, problem, "the header")
    tree = Tree(trust.get("size") if trust else None)
    for leaf, line in enumerate(lines):
        cut = cut_line(line) if depth == "structure" else None
        if cut:
            audit.skim(leaf, cut)
            tree.append(leaf_hash(bytes.fromhex(cut["id"][7:])))
            continue
        try:
            entry, text = parse_json(line.removesuffix(b"\n"))
            if not members(ENTRY)(entry):
                raise Unreadable("members missing or unknown")
        except Unreadable as unreadable:
            audit.find((leaf, None, None), "ENTRY_UNREADABLE", str(unreadable))
            tree.append(bytes(32))
            continue
        audit.check(leaf, entry, text.encode() + b"\n" == line)
        tree.append(leaf_hash(bytes.fromhex(entry["id"][7:])))
    checkpoint, signers, root = None, [], tree.root()
    if header:
        audit.check_keys(header["keys"])
        checkpoint, signers = audit.check_checkpoint(header["checkpoint"], header["epoch"])
        if checkpoint and checkpoint["size"] != tree.size:
            audit.find(NOWHERE, "CHECKPOINT_SIZE", f"covers {checkpoint['size']} entries, here are {tree.size}")
        elif checkpoint and checkpoint["root"] != root:
            audit.find(NOWHERE, "CHECKPOINT_ROOT", "the root of the entries is another one")
        if header["epoch"] != audit.epoch:
            audit.find(NOWHERE, "CHECKPOINT_UNREADABLE", "the epoch is not that of the last anchor")
    strength = audit.check_trust(trust, checkpoint, signers, lambda size: tree.watched)
    return audit.report(tree.size, checkpoint, {"size": tree.size, "root": base64.b64encode(root).decode()}, strength)


def verify_bundle(data, trust, signatures, depth):
    value, text = parse_json(data, BUNDLE)
    if not BUNDLE_SHAPE(value):
        audit = Audit(None, False, signatures, depth)
        audit.find(NOWHERE, "ENTRY_UNREADABLE", "members missing or unknown")
        return audit.report(0, None, None, audit.check_trust(trust, None, [], None))
    audit = Audit(value["tenant"], False, signatures, depth)
    if data not in (text.encode(), text.encode() + b"\n"):
        audit.find(NOWHERE, "ENTRY_NOT_CANONICAL", "the bundle is not in canonical form")
    entries, last, leads = value["entries"], -1, []
    for entry in entries:
        place = (entry["leaf"], entry["envelope"]["trajectory"], entry["envelope"]["seq"])
        if entry["leaf"] <= last:
            audit.find(place, "ENTRY_SEQUENCE", "leaves out of order")
        last = max(last, entry["leaf"])
        audit.check(entry["leaf"], entry)
        if entry["envelope"]["kind"] == "delegation" and PAYLOADS["delegation"][0](entry["payload"]):
            leads.append((entry["payload"]["child_dfid"], entry["payload"]["parent_dfid"]))
        if entry["envelope"]["kind"] == "writ" and PAYLOADS["writ"][0](entry["payload"]):
            flow = entry["payload"].get("flow", {})
            leads.append((flow.get("dfid"), flow.get("parent_dfid")))
        if entry["envelope"]["kind"] == "dispatch" and PAYLOADS["dispatch"][0](entry["payload"]):
            undoes = entry["payload"]["intent"].get("compensation", {})
            leads.append((entry["envelope"].get("dfid"), undoes.get("dfid")))
    family, waiting = set(), [value["dfid"]]
    while waiting:
        flow = waiting.pop()
        if flow is not None and flow not in family:
            family.add(flow)
            waiting += [to for start, to in leads if start == flow]
    # A writ that was issued by hand is of no flow: it is there where a step names it, or a writ that was made from it.
    by_hand = {e["payload"]["writ"]["id"]: e["payload"]["writ"]["body"].get("parent") for e in entries
               if e["envelope"]["kind"] == "writ" and "dfid" not in e["envelope"] and PAYLOADS["writ"][0](e["payload"])
               and "flow" not in e["payload"]}
    named, waiting = set(), [e["payload"]["intent"]["writ_id"] for e in entries
                             if e["envelope"]["kind"] in ("accepted", "dispatch") and e["envelope"].get("dfid") in family
                             and PAYLOADS[e["envelope"]["kind"]][0](e["payload"])]
    while waiting:
        name = waiting.pop()
        if name not in named:
            named.add(name)
            waiting += [by_hand[name]] if by_hand.get(name) is not None else []
    audit.check_keys(value["keys"])
    checkpoint, signers = audit.check_checkpoint(value["checkpoint"], value["epoch"])
    for entry in entries:
        envelope, proof = entry["envelope"], [unbase64(h) for h in entry["proof"]]
        place = (entry["leaf"], envelope["trajectory"], envelope["seq"])
        is_named = ("dfid" not in envelope and envelope["kind"] == "writ" and PAYLOADS["writ"][0](entry["payload"])
                    and "flow" not in entry["payload"] and entry["payload"]["writ"]["id"] in named)
        if envelope["trajectory"] != "authority" and envelope.get("dfid") not in family and not is_named:
            audit.find(place, "ENTRY_SEQUENCE", "the entry belongs to another flow")
        hashed = leaf_hash(bytes.fromhex(entry["id"][7:]))
        if checkpoint and not included(entry["leaf"], checkpoint["size"], hashed, proof, checkpoint["root"]):
            audit.find(place, "INCLUSION_PROOF", "the proof does not lead to the root")
    if not evidence_fits(value):
        audit.find(NOWHERE, "ENTRY_SIGNATURE", "the evidence does not fit the flow")
    check_omissions(audit, entries, family)
    root_at = lambda size: checkpoint["root"] if size == checkpoint["size"] else None
    report = audit.report(len(entries), checkpoint, None, audit.check_trust(trust, checkpoint, signers, root_at))
    return {**report, "unsettled": unsettled_in(entries)}


def check_omissions(audit, entries, family):
    """A bundle shows how its flows were opened, and all the authority before its last entry of a flow."""
    def opens(entry):
        payload, dfid = entry["payload"], entry["envelope"].get("dfid")
        readable = payload is not None and PAYLOADS["writ"][0](payload)
        return not readable or payload.get("flow", {}).get("dfid") == dfid

    opened = {e["envelope"].get("dfid") for e in entries if e["envelope"]["kind"] == "writ" and opens(e)}
    for flow in sorted(family - opened):
        audit.find(NOWHERE, "ENTRY_SEQUENCE", f"how flow {flow} was opened is left out")
    is_authority = [entry["envelope"]["trajectory"] == "authority" for entry in entries]
    last = max((i for i, found in enumerate(is_authority) if not found), default=-1)
    following = 0
    for entry, found in zip(entries[:last + 1], is_authority):
        envelope = entry["envelope"]
        place = (entry["leaf"], envelope["trajectory"], envelope["seq"])
        if found:
            if envelope["seq"] > following:
                audit.find(place, "ENTRY_SEQUENCE", f"authority {following} is left out")
            following = max(following, envelope["seq"] + 1)
        elif envelope.get("authority_seq", -1) >= following:
            audit.find(place, "ENTRY_SEQUENCE", "authority that it cites is left out")


def unsettled_in(entries):
    """How many effects were dispatched and show no outcome, or none that is final."""
    waiting = set()
    for entry in entries:
        kind, payload = entry["envelope"]["kind"], entry["payload"]
        if payload is None or kind not in ("dispatch", "commit", "settle") or not any(s(payload) for s in PAYLOADS[kind]):
            continue
        intent = payload["intent"]["intent_id"] if "intent" in payload else payload["intent_id"]
        if kind == "dispatch" or kind == "settle" and payload["status"] in ("UNKNOWN", "MANUAL_REVIEW"):
            waiting.add(intent)
        else:
            waiting.discard(intent)
    return len(waiting)


def evidence_fits(bundle):
    evidence, dfid = bundle.get("evidence"), bundle["dfid"]
    of_kind = lambda kind: [e["payload"] for e in bundle["entries"] if e["envelope"]["kind"] == kind and e["payload"]
                            is not None and PAYLOADS[kind][0](e["payload"]) and e["envelope"].get("dfid") in (None, dfid)]
    named = {e["payload"]["intent_id"] for e in bundle["entries"] if e["envelope"]["kind"] == "dispatch"
             and e["payload"] is not None and e["envelope"].get("dfid") == dfid
             and any(shape(e["payload"]) for shape in PAYLOADS["dispatch"][1:])}
    sends = of_kind("dispatch") + [p for p in of_kind("accepted") if p["intent"]["intent_id"] in named]
    if evidence is None or not sends:
        return evidence is None and not sends
    # Of every form: the contract of an instance was spawned, and one may name who deployed it.
    deployed = [e["payload"]["body"] for e in bundle["entries"] if e["envelope"]["kind"] == "contract"
                and any(shape(e["payload"]) for shape in PAYLOADS["contract"])]
    contracts = [body["contract"] for body in deployed if body["contract_hash"] == evidence["contract_hash"]]

    def stands_on(send):
        stated = send["proposal"].get("context_ref") if is_object(send["proposal"]) else None
        return ((stated if is_text(stated) else send["intent"]["snapshot_id"]) == evidence["context_ref"]
                and all(send["intent"][name] == evidence[name] for name in ("contract_hash", "rules_hash")))

    if not contracts or not any(map(stands_on, sends)):
        return False
    hashed = [sha256(text.encode()).hex() for text in (evidence["context_ref"], canonical(contracts[0]))]
    whole = dfid + "".join(hashed) + evidence["rules_hash"][7:]
    return sha256(whole.encode()).hex() == evidence["evidence_hash"]


def verify_file(file, trust, signatures, depth):
    """Takes a file for what its first line says it is; one that says nothing is a broken ledger."""
    first = file.readline()
    try:
        value, _ = parse_json(first.removesuffix(b"\n"), BUNDLE)
        if is_object(value) and value.get("format") == "rubicon-bundle/2":
            return verify_bundle(first + file.read(), trust, signatures, depth)
    except Unreadable:
        pass
    return verify_ledger(itertools.chain([first] if first else [], file), trust, signatures, depth)


def looks_like_ledger(data):
    """Of any other file every line would be wrong. A damaged first line still has one of these."""
    line = data[:4096].split(b"\n", 1)[0]
    return any(sign in line for sign in (b'"checkpoint":', b'"envelope":', b'"payload_hash":', b'"rubicon-'))


def read_trust(text):
    """A checkpoint, a verifier key (origin+id+key), or a public key."""
    try:
        return parse_checkpoint(text)
    except Unreadable:
        text = text.strip()
    origin = None
    named = re.fullmatch(r"([^+]+)\+([0-9a-f]{8})\+(.+)", text)
    data = unbase64(named[3]) if named else None
    if data is not None and data[:1] == b"\x01" and note_key_id(named[1], data[1:]).hex() == named[2]:
        origin, text = named[1], base64.b64encode(data[1:]).decode()
    elif text.startswith("{"):
        text = json.loads(text).get("public_key")
    key = unbase64(text) if is_text(text) else None
    if key is None or key_multiples(key) is None:
        raise ValueError("what is to be trusted is neither a public key nor a checkpoint")
    return {"key": text, "origin": origin}


# ---------------------------------------------------------------- vectors, command line

def run_vectors(folder):
    groups = json.loads(read_text(os.path.join(folder, "ed25519-wycheproof.json")))["groups"]
    wrong = [test["tcId"] for group in groups for test in group["tests"]
             if verify_ed25519(bytes.fromhex(group["publicKey"]), bytes.fromhex(test["msg"]), bytes.fromhex(test["sig"]))
             != (test["result"] == "valid")]
    edges = json.loads(read_text(os.path.join(folder, "ed25519-cctv.json")))
    accepted = [case["number"] for case in edges
                if verify_ed25519(bytes.fromhex(case["key"]), case["msg"].encode(), bytes.fromhex(case["sig"]))]
    proofs = json.loads(read_text(os.path.join(folder, "rfc6962-proofs.json")))
    raw = lambda text: base64.b64decode(text or "")
    path = lambda case: [raw(item) for item in case["proof"] or []]
    misjudged = [c["name"] for c in proofs["inclusion"] if c["wantErr"] ==
                 included(c["leafIdx"], c["treeSize"], raw(c["leafHash"]), path(c), raw(c["root"]))]
    misjudged += [c["name"] for c in proofs["consistency"] if c["wantErr"] ==
                  consistent(c["size1"], c["size2"], raw(c["root1"]), raw(c["root2"]), path(c))]
    return {"ed25519": {"cases": sum(len(group["tests"]) for group in groups), "wrong": wrong},
            "edges": {"cases": len(edges), "accepted": accepted},
            "proofs": {"cases": len(proofs["inclusion"]) + len(proofs["consistency"]), "wrong": misjudged}}


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--list", help="a file with one path a line; -: standard input, answered as it comes")
    parser.add_argument("--trust", help="a file with a public key or a checkpoint, obtained elsewhere")
    parser.add_argument("--signatures", choices=["all", "sample", "none"], default="sample")
    parser.add_argument("--depth", choices=["structure", "signatures", "fold"], default="fold")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--vectors", metavar="DIR")
    options = parser.parse_args(arguments)
    if options.vectors:
        result = run_vectors(options.vectors)
        print(json.dumps(result))
        return 4 if result["ed25519"]["wrong"] or result["proofs"]["wrong"] else 0
    listed = sys.stdin if options.list == "-" else (read_text(options.list) if options.list else "").split("\n")
    trust = read_trust(read_text(options.trust)) if options.trust else None
    good = None
    for path in (path.rstrip("\n") for named in (options.files, listed) for path in named):
        if not path:
            continue
        with open(path, "rb") as file:
            if not options.list and not looks_like_ledger(file.read(4096)):
                raise ValueError(f"{path} is not a ledger")
            file.seek(0)
            report = {"file": path, **verify_file(file, trust, options.signatures, options.depth)}
        good = good is not False and report["ok"]
        if options.json or options.list or len(options.files) > 1:
            print(json.dumps(report), flush=True)
        else:
            print(f"ok: {report['entries']} entries, {report['strength']}" if report["ok"] else
                  f"NOT OK: {report['entries']} entries, {len(report['findings']) + report['left_off']} findings")
            for f in report["findings"]:
                print(f"  leaf {f['leaf']} {f['trajectory']}/{f['seq']} {f['code']}: {f['detail']}")
    if good is None:
        raise ValueError("no file")
    return 0 if good else 4


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as failure:
        print(f"could not run: {failure}", file=sys.stderr)
        sys.exit(2)
