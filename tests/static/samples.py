# SPDX-License-Identifier: MIT
"""Builds the samples of this folder's `samples` and compares the pairs that the analyser lists with what each says.

usage: samples.py PLAIT FOLDER

In the first comment of a sample: `PAIRS text` is how the summary begins; `PAIR kind object` is in the list;
`NONE object` is in no pair; `FIXED n` is how many are at addresses that do not change while their threads
live; `WHY a b text` is what --why says about lines a and b; `OPT n` is the optimisation that it is built
with (default 1).
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          check=False).stdout


def check(plait, source, program):
    """What is wrong, as sentences."""
    with open(source, encoding="utf-8") as f:
        lines = re.findall(r"^ \* (PAIRS|PAIR|NONE|FIXED|WHY|OPT) (.*)$", f.read().split("*/")[1], re.M)
    opt = next((text for word, text in lines if word == "OPT"), "1")
    said = run(plait, "cc", "--whole", f"-O{opt}", source, "-o", program)
    if said:
        return [said]
    listed = json.loads(run(plait, "pairs", "--json", program))["pairs"]
    text = run(plait, "pairs", program)
    wrong = []
    for word, what in lines:
        if word == "PAIRS" and not re.search(rf"^{re.escape(what)}$", text, re.M):
            wrong.append(f"no '{what}' in\n{text}")
        if word == "PAIR" and not any(f"{p['kind']} {p['object']}" == what for p in listed):
            wrong.append(f"no pair '{what}' in\n{text}")
        if word == "NONE" and any(p["object"] == what for p in listed):
            wrong.append(f"a pair at {what} in\n{text}")
        if word == "FIXED" and sum(p["fixed"] for p in listed) != int(what):
            wrong.append(f"not {what} pairs at addresses that do not change in\n{text}")
        if word == "WHY":
            a, b, why = what.split(" ", 2)
            name = os.path.basename(source)
            answer = run(plait, "pairs", "--why", f"{name}:{a}", f"{name}:{b}", program)
            if why not in answer:
                wrong.append(f"--why {a} {b} does not say '{why}' but\n{answer}")
    return wrong


def main():
    plait, folder = sys.argv[1:]
    names = sorted(n for n in os.listdir(folder) if n.endswith(".c"))
    failed = False
    with tempfile.TemporaryDirectory() as work:
        for name in names:
            for sentence in check(plait, os.path.join(folder, name), os.path.join(work, "program")):
                print(f"{name}: {sentence}")
                failed = True
    print(f"{len(names)} samples")
    sys.exit(failed or not names)


main()
