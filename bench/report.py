# SPDX-License-Identifier: MIT
"""The rows of the table, and the forms they are printed in: text, JSON, Markdown."""
import dataclasses
import datetime
import json
import os
import platform
import re
import subprocess
import typing


@dataclasses.dataclass
class Ratio:
    """The row's value beside something else that was measured in the same turns."""
    value: float
    to: str
    limit: typing.Optional[float] = None  # the ratio is required not to exceed it

    def text(self):
        said = f"{number(self.value)} x {self.to}"
        if self.limit is None:
            return said
        return f"{said} (at most {self.limit:.2g}: {'yes' if self.holds() else 'NO'})"

    def holds(self):
        return self.limit is None or self.value <= self.limit


@dataclasses.dataclass
class Row:
    id: str  # stable: scripts look rows up by it
    what: str
    value: typing.Optional[float]
    unit: str
    ratios: list = dataclasses.field(default_factory=list)
    note: str = ""

    def texts(self):
        """What stands to the right of the value, a line each."""
        return [r.text() for r in self.ratios] + ([self.note] if self.note else []) or [""]


@dataclasses.dataclass
class Section:
    title: str
    rows: list


def number(value):
    """Three digits that matter, and no exponent."""
    if value is None:
        return "-"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 or value == 0 else f"{value:.5f}"


def version(compiler):
    try:
        out = subprocess.run([compiler, "--version"], text=True, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return out.stdout.splitlines()[0]


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        found = re.search(r"^model name\s*:\s*(.*)$", f.read(), re.M)
    return found[1] if found else platform.machine()


def machine():
    """What the figures depend on, without naming the host."""
    return {"cpu": cpu_model(), "cores": len(os.sched_getaffinity(0)),
            "kernel": f"{platform.system()} {platform.release()}",
            "compilers": [v for v in map(version, ("gcc", "clang")) if v]}


def document(mode, sections):
    return {"date": datetime.date.today().isoformat(), "mode": mode, "machine": machine(),
            "sections": [{"title": s.title, "rows": [of_row(r) for r in s.rows]}
                         for s in sections]}


def of_row(row):
    return {"id": row.id, "what": row.what, "value": row.value, "unit": row.unit,
            "note": row.note,
            "ratios": [{"value": r.value, "to": r.to, "limit": r.limit, "holds": r.holds()}
                       for r in row.ratios]}


def write_json(path, doc):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(doc, f, indent=2)
        f.write("\n")


def headline(doc):
    m = doc["machine"]
    cores = f"{m['cores']} core{'' if m['cores'] == 1 else 's'}"
    return f"{m['cpu']}, {cores}, {m['kernel']}; {'; '.join(m['compilers'])}"


def print_table(doc, sections):
    rows = [r for s in sections for r in s.rows]
    what = max(len(r.what) for r in rows)
    value = max(len(number(r.value)) for r in rows)
    unit = max(len(r.unit) for r in rows)

    print(f"plait bench, {doc['mode']} mode, {doc['date']}\n{headline(doc)}")
    for section in sections:
        print(f"\n{section.title}")
        for row in section.rows:
            first, *others = row.texts()
            left = f"  {row.what:{what}}  {number(row.value):>{value}} {row.unit:{unit}}  "
            print((left + first).rstrip())
            for other in others:
                print(" " * len(left) + other)


def aligned(table, right=False):
    """Columns as text; the first one is always to the left."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    adjust = str.rjust if right else str.ljust
    lines = ([row[0].ljust(widths[0]), *map(adjust, row[1:], widths[1:])] for row in table)
    return "\n".join("  ".join(line).rstrip() for line in lines)


def markdown_table(table):
    head, *rows = table
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def put_between(path, name, text):
    """Put a text between the two marks of that name in a page."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    with open(path, encoding="utf-8") as f:
        page = f.read()
    before, rest = page.split(begin, 1)
    after = rest.split(end, 1)[1]
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"{before}{begin}\n\n{text}\n\n{end}{after}")


def markdown(doc, sections):
    lines = [f"{headline(doc)}. Measured on {doc['date']}, {doc['mode']} mode."]
    for section in sections:
        lines += ["", f"**{section.title}**", "", "| what | value | ratio |", "|---|---:|---|"]
        for row in section.rows:
            lines.append(f"| {row.what} | {number(row.value)} {row.unit} | "
                         f"{'<br>'.join(row.texts())} |")
    return "\n".join(lines)


def update_docs(path, doc, sections):
    put_between(path, "bench", markdown(doc, sections))
