# SPDX-License-Identifier: MIT
"""What the comparison of guided search prints: its tables, and which of its promises hold."""
import report

NEVER = "✗"
FEWER = 100  # times fewer executions than dpor on the pool of this size
POOL = "4"


def name_of(row):
    size = "" if row["size"] is None else f" {row['size']}"
    return row["program"] + size


def time_of(seconds):
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def taken(cell):
    """Executions and time to the bug; what the search saw otherwise, and whether that was all."""
    if cell["found"] is not None:
        return f"{cell['found']:,} ({time_of(cell['seconds'])})"
    more = ">" if cell["over"] else f"{NEVER} "
    return f"{more}{cell['executions']:,} ({time_of(cell['seconds'])})"


def bug_table(rows, strategies):
    yield ["program", "bug", *strategies]
    for row in rows:
        yield [name_of(row), row["type"], *(taken(row["cells"][s]) for s in strategies)]


def pair_table(rows, strategies):
    yield ["program", *strategies]
    for row in rows:
        pairs = [row["cells"][s]["pairs"] for s in strategies]
        yield [name_of(row), *(f"{p['covered']} of {p['total']}" for p in pairs)]


def reuse_table(rows):
    yield ["program", "first input", "second input", "alone", "after the first",
           "after its good executions"]
    for row in rows:
        first, second = row["inputs"]
        yield [row["program"], f"{first}: {taken(row['first'])}", second, taken(row["alone"]),
               taken(row["after"]), taken(row["after_good"])]


def of_program(rows, program, strategy):
    """Executions to the bug by size, for sizes where it was found."""
    return {int(r["size"]): r["cells"][strategy]["found"] for r in rows
            if r["program"] == program and r["cells"][strategy]["found"] is not None}


def growth_claim(rows, program, strategy):
    """Between the smallest and the largest size executions grow no more than the size does."""
    found = of_program(rows, program, strategy)
    if len(found) < 2:
        return []
    small, large = min(found), max(found)
    holds = found[large] * small <= found[small] * large
    return [(f"{program}: {found[small]:,} executions of {strategy} with {small} workers, "
             f"{found[large]:,} with {large}: at most linear", holds)]


def pool_claim(rows, guided):
    """An exhaustive search that the budget ended would have taken more than it did."""
    for row in rows:
        if (row["program"], row["size"]) == ("pool", POOL) and "dpor" in row["cells"]:
            mine, other = row["cells"][guided], row["cells"]["dpor"]
            if mine["found"] is None or (other["found"] is None and not other["over"]):
                return []
            times = (other["found"] or other["executions"]) / mine["found"]
            return [(f"pool {POOL}: {guided} takes {'' if other['found'] else 'over '}{times:,.0f} times "
                     f"fewer executions than dpor: at least {FEWER}", times >= FEWER)]
    return []


def claims(rows, guided):
    missed = [name_of(r) for r in rows if r["cells"][guided]["found"] is None]
    said = f"{guided} finds every bug" + (f"; it misses {', '.join(missed)}" if missed else "")
    return [(said, not missed), *growth_claim(rows, "pool", guided),
            *growth_claim(rows, "download", guided), *pool_claim(rows, guided)]


def reuse_claim(rows, after, said):
    """Over all programs together there are fewer, and no bug is lost."""
    lost = [r["program"] for r in rows if r["alone"]["found"] and not r[after]["found"]]
    both = [r for r in rows if r["alone"]["found"] and r[after]["found"]]
    alone, with_sets = (sum(r[k]["found"] for r in both) for k in ("alone", after))
    return [(f"{said} the same bugs are found" + (f" except {', '.join(lost)}" if lost else ""),
             not lost),
            (f"{said} there are {with_sets:,} executions instead of {alone:,}: fewer",
             with_sets < alone)]


def reuse_claims(rows):
    return (reuse_claim(rows, "after", "after the first input") +
            reuse_claim(rows, "after_good", "after its good executions"))


def said_of(claim):
    what, holds = claim
    return f"{what}: {'yes' if holds else 'NO'}"


def plain(shown, all_claims):
    parts = [f"{title}\n{report.aligned(table)}" for title, table in shown]
    return "\n\n".join(parts + ["\n".join(map(said_of, all_claims))]).strip()


def page(headline, doc, shown, all_claims):
    parts = [f"{headline}. Measured on {doc['date']}; for each cell at most {doc['executions']:,} "
             f"executions and {doc['seconds']} s."]
    for title, table in shown:
        parts += [f"**{title}**", report.markdown_table(table)]
    if all_claims:
        parts.append("\n".join("- " + said_of(c) for c in all_claims))
    return "\n\n".join(parts)
