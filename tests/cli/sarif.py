#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SARIF 2.1.0, judged for frameworks.py: by the published schema where it can be fetched, and always by a schema of the
members that plait writes, put down from the text of the standard (OASIS), with what a schema cannot say.

As a program: problems of the files that are named.
"""
import hashlib
import io
import json
import re
import sys
import tarfile
import urllib.error
import urllib.request

# The schema in a package of the npm registry that is made to judge SARIF in tests.
PACKAGE = "https://registry.npmjs.org/@microsoft/jest-sarif/-/jest-sarif-1.0.0-beta.0.tgz"
SHA256 = "748e2c3d1a842e7bb258416685c7ea3a0da40005b72267b2052c2856d48ad102"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
SAID = {"$schema", "id", "title", "description", "default", "definitions"}  # what judges nothing
# RFC 3986: what may stand in a reference, and that a first segment with a colon is a scheme.
REFERENCE = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
FORMATS = {
    "uri-reference": lambda s: REFERENCE.fullmatch(s) and (":" not in s.split("/", 1)[0] or SCHEME.match(s)),
    "uri": lambda s: REFERENCE.fullmatch(s) and SCHEME.match(s),
    "date-time": lambda s: re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", s),
}


def is_a(kind, o):
    if kind in ("integer", "number"):
        return isinstance(o, (int,) if kind == "integer" else (int, float)) and not isinstance(o, bool)
    return isinstance(o, TYPES[kind])


class Schema:
    """JSON Schema, draft 4, as far as that of SARIF goes; a word that is not known here is an error."""

    def __init__(self, root):
        self.root = root

    def problems(self, o):
        return list(self.judge(self.root, o, ""))

    def judge(self, s, o, at):
        for word, value in s.items():
            if word in SAID or word in ("properties", "additionalProperties"):
                continue
            rule = getattr(self, "rule_" + word.lstrip("$"), None)
            if rule is None:
                raise ValueError(f"the schema says '{word}' at {at}, which is not known here")
            yield from rule(value, o, at)
        if isinstance(o, dict):
            yield from self.judge_members(s, o, at)

    def judge_members(self, s, o, at):
        known, others = s.get("properties", {}), s.get("additionalProperties", True)
        for name, value in o.items():
            if name in known:
                yield from self.judge(known[name], value, f"{at}/{name}")
            elif others is False:
                yield f"{at}: '{name}' is no member"
            elif others is not True:
                yield from self.judge(others, value, f"{at}/{name}")

    def rule_ref(self, value, o, at):
        s = self.root
        for name in value.lstrip("#/").split("/"):
            s = s[name]
        yield from self.judge(s, o, at)

    def rule_type(self, value, o, at):
        if not any(is_a(kind, o) for kind in ([value] if isinstance(value, str) else value)):
            yield f"{at}: not of type {value}: {o!r}"

    def rule_enum(self, value, o, at):
        if o not in value:
            yield f"{at}: {o!r} is none of {value}"

    def rule_required(self, value, o, at):
        for name in value if isinstance(o, dict) else []:
            if name not in o:
                yield f"{at}: '{name}' is missing"

    def rule_items(self, value, o, at):
        for i, one in enumerate(o if isinstance(o, list) else []):
            yield from self.judge(value, one, f"{at}/{i}")

    def rule_minItems(self, value, o, at):
        if isinstance(o, list) and len(o) < value:
            yield f"{at}: fewer than {value}"

    def rule_uniqueItems(self, value, o, at):
        if value and isinstance(o, list) and len({json.dumps(one, sort_keys=True) for one in o}) < len(o):
            yield f"{at}: two are the same"

    def rule_minimum(self, value, o, at):
        if is_a("number", o) and o < value:
            yield f"{at}: {o} is less than {value}"

    def rule_maximum(self, value, o, at):
        if is_a("number", o) and o > value:
            yield f"{at}: {o} is more than {value}"

    def rule_pattern(self, value, o, at):
        if isinstance(o, str) and not re.search(value, o):
            yield f"{at}: {o!r} does not fit {value}"

    def rule_format(self, value, o, at):
        if isinstance(o, str) and not FORMATS[value](o):
            yield f"{at}: {o!r} is no {value}"

    def count(self, value, o, at):
        return sum(not list(self.judge(s, o, at)) for s in value)

    def rule_anyOf(self, value, o, at):
        if self.count(value, o, at) == 0:
            yield f"{at}: fits none of {value}"

    def rule_oneOf(self, value, o, at):
        if self.count(value, o, at) != 1:
            yield f"{at}: does not fit exactly one of {value}"


def an_object(required, **members):
    return {"type": "object", "required": required, "properties": members, "additionalProperties": False}


TEXT = {"type": "string", "pattern": "."}
MESSAGE = an_object(["text"], text=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
URI = {"type": "string", "format": "uri-reference", "pattern": "."}


def a_list(items, unique=False):
    return {"type": "array", "items": items, "uniqueItems": unique}


PLACE = an_object([], physicalLocation=an_object(["artifactLocation"], artifactLocation=an_object(["uri"], uri=URI),
                                                 region=an_object(["startLine"], startLine={"type": "integer", "minimum": 1})),
                  logicalLocations=a_list(an_object(["name"], name=TEXT, kind=TEXT), True))
RESULT = an_object(["ruleId", "level", "message", "locations", "partialFingerprints"], ruleId=TEXT,
                   ruleIndex={"type": "integer", "minimum": 0}, level=LEVEL, message=MESSAGE, locations=a_list(PLACE),
                   partialFingerprints={"type": "object", "additionalProperties": TEXT}, properties={"type": "object"})
NOTE = an_object(["message"], message=MESSAGE, level=LEVEL)
RUN = an_object(["tool", "invocations", "results"],
                tool=an_object(["driver"], driver=an_object(
                    ["name", "version", "rules"], name=TEXT, version=TEXT,
                    rules=a_list(an_object(["id", "shortDescription"], id=TEXT, shortDescription=MESSAGE), True))),
                invocations=a_list(an_object(["executionSuccessful"], executionSuccessful={"type": "boolean"},
                                             toolExecutionNotifications=a_list(NOTE))),
                results=a_list(RESULT))
OURS = Schema(an_object(["version", "runs"], **{"$schema": {"type": "string", "format": "uri"}, "version": {"enum": ["2.1.0"]},
                                                "runs": a_list(RUN)}))


def published():
    """The schema as published, or None where the registry cannot be reached."""
    try:
        with urllib.request.urlopen(PACKAGE, timeout=20) as answer:
            data = answer.read()
    except (urllib.error.URLError, OSError) as e:
        print(f"note: {PACKAGE} cannot be fetched ({e}); SARIF is judged by what the standard's text says only")
        return None
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise ValueError(f"{PACKAGE} is not what it was")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return Schema(json.load(archive.extractfile(MEMBER)))


def beyond(run):
    """What readers rely on and no schema can say."""
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    if len(set(rules)) < len(rules):
        yield "two rules have one id"
    for r in run["results"]:
        if "ruleIndex" in r and (r["ruleIndex"] >= len(rules) or rules[r["ruleIndex"]] != r["ruleId"]):
            yield f"ruleIndex {r['ruleIndex']} is not {r['ruleId']}"
        for place in r["locations"]:
            uri = place.get("physicalLocation", {}).get("artifactLocation", {}).get("uri", "")
            if uri.startswith("/") or uri.startswith("file:") and not uri.startswith("file:///"):
                yield f"{uri}: a path is no absolute URI"


def problems(o, schema=None):
    found = OURS.problems(o)
    if schema is not None:
        found += schema.problems(o)
    return found if found else [p for run in o["runs"] for p in beyond(run)]


def selftest():
    """A judge that lets everything through would not be noticed."""
    good = {"$schema": "https://x/y", "version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "p", "version": "1", "rules": [{"id": "a", "shortDescription": {"text": "b"}}]}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": []}],
        "results": [{"ruleId": "a", "ruleIndex": 0, "level": "error", "message": {"text": "m"}, "partialFingerprints": {"i": "x"},
                     "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b.c"}, "region": {"startLine": 1}}}]}]}]}
    bad = [("2.1.0", "2.0.0"), ('"startLine": 1', '"startLine": 0'), ("a%20b.c", "a b.c"), ("a%20b.c", "/a.c"), ('"error"', '"bad"'),
           ('"ruleIndex": 0', '"ruleIndex": 1'), ('"text": "m"', '"words": "m"'), ('"executionSuccessful": true', '"exitCode": 0')]
    text = json.dumps(good)
    assert not problems(good), problems(good)
    for before, after in bad:
        assert before in text and problems(json.loads(text.replace(before, after))), f"{after} is taken for SARIF"


if __name__ == "__main__":
    selftest()
    judge = published()
    wrong = [f"{path}: {p}" for path in sys.argv[1:] for p in problems(json.load(open(path, encoding="utf-8")), judge)]
    print("\n".join(wrong) if wrong else f"{len(sys.argv) - 1} files are SARIF 2.1.0")
    sys.exit(1 if wrong else 0)
