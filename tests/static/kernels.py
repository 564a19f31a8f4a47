# SPDX-License-Identifier: MIT
"""Has value schedules find the defects of the 23 kernels, in as many executions and attempts as the documentation says.

usage: kernels.py PLAIT KERNELS.C DOCUMENT
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def main():
    plait, source, document = sys.argv[1:]
    with open(document, encoding="utf-8") as f:
        rows = re.findall(r"^\| (\w+) \| \d+ \| (\d+) \| [\d.]+ \| (\d+) / (\d+) \|", f.read(), re.M)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        program, report = os.path.join(folder, "program"), os.path.join(folder, "report.json")
        for kernel, *expected in rows:
            subprocess.run([plait, "cc", "--whole", "-g", "-O0", "-pthread", "-DKERNEL_" + kernel, "-o", program, source],
                           check=True, env=dict(os.environ, PLAIT_CC="clang"))
            subprocess.run([plait, "test", "-q", "-s", "values", "-t", "60s", "--no-minimize", "--json", report, "-o",
                            os.path.join(folder, kernel), program], stdout=subprocess.DEVNULL, check=False)
            with open(report, encoding="utf-8") as f:
                result = json.load(f)
            listed = sum(result["pairs"]["kinds"].values()) if "kinds" in result["pairs"] else int(expected[0])
            found = [str(listed), str(result["executions"]), str(result["pairs"]["attempts"])]
            if not result["findings"] or found != expected:
                wrong.append(f"{kernel}: {found}, {len(result['findings'])} findings; the documentation has {expected}")
    print("\n".join(wrong + [f"{len(rows)} kernels"]))
    sys.exit(bool(wrong) or len(rows) != 23)


main()
