#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run one test program as its RUN and EXPECT lines say.

    run_program.py --plait BUILD/bin/plait --compiler gcc --opt 2 [--header HEADER] FILE

A program's leading comment holds pairs of lines:

    RUN    [gcc] -DFIXED=1 plait test -s dfs -n 500 -- ARGS
    EXPECT assertion exit=1 message~REGEX location~@marker threads=2

RUN: selectors in brackets (gcc, clang, O0, O2) leave the pair out elsewhere, the name of a
strategy where plait does not have it, `whole` where plait cannot analyse programs; then flags for the compiler; then `plait test` with its options, or `native` for a start
without plait; after `--` arguments of the program.  %t is the temporary folder, where
`expected` holds the texts of the file's OUTPUT lines.  A trailing backslash continues.

EXPECT: `clean`, or the kinds of the findings: `a|b` one that is either, `a,b` two; `any` when the
findings do not matter.
`complete` and `incomplete` ask for the verdict of the search.  Further:
  exit=N,M         exit status, by default 1 with findings and 0 without
  message~REGEX    in the message of some finding
  location~REGEX   in the location of some finding, natively in what was printed; @word stands
                   for FILE:LINE of the lines that contain `@word` in a comment; several with |
  accesses~REGEX   in the two accesses of some finding, as they are printed in one line, with @word
                   as above: `write x at FILE:LINE (f) holding mutex m, rwlock l for reading;
                   read x at FILE:LINE (g) holding nothing`, the earlier one first
  threads=N        threads that a finding names
  count=N          executions that showed a finding
  classes=N executions=N
  paths=N finished=N cut=N stuck=N aborts=N reports=N returns=N
                   of the tree of blocks that exitblock explores; with each of them, returns must
                   be paths - 1 + aborts
  outputs=A,B      what executions printed, with --outputs, as they were first seen
  orders=N         N different first words of what they printed, with --outputs, each with several texts
                   behind it; these are the same in all pairs of the file with the same words
  failures=N       executions that failed; N-M at least N and at most M of them
  restart=KIND     how executions got a fresh program at the end, `a|b` either.  Without
                   --restart result and summary must give a reason if that is not rollback
  why~REGEX        in that reason
  preemptions=N    of the minimised schedules of all findings
  minimal=WORD     proven or tried, of all findings
  decides~A<B      locations, with @word as above, of the two operations whose order decides, in
                   the order in which it fails; or a REGEX without < in the text that says why
  confirmed=WORD   yes or no, of every finding that plait tried to bring about; none: of no finding
  tries=N          it took at most so many executions
  effect=A,B       what the order of accesses changes, of the races in the order of the findings
  same=N           findings with their counts, classes, points and numbers of executions are
                   those of the file's pair N, counted from 1
  sets~A;B,C D;    predecessor sets that good executions have taught: B and C in that of A, nothing
                   in that of D; @word as above, and no other statement of the program has one
  pairs=KIND:N,... static pairs of these kinds, and no others
  judged~A;B       each is a REGEX, @word as above, in what `plait pairs` knows of some order, as
                   `KIND FILE:LINE<FILE:LINE: status: why`
  ended~REGEX      in what was printed: why the search ended
  varies=WHY       a second campaign may write other schedules: code without hooks is interrupted by the clock
  replay=N         how often each finding is replayed on each carrier; by default 2 or
                   PLAIT_TEST_REPLAYS, where there is no second campaign 1
`refused` stands for a program that the restart asked for does not suit: exit status 3, one
sentence that names that restart, nothing found.  `clean|refused`: it works, or is refused.

Beyond that, whatever is found must be found again by each replay on both carriers,
without divergence, so must a race in either order, and a second campaign with the same seed must write the same
schedules, byte for byte: of all pairs, with `--repeat one` of one pair that is to find something, which one as the
file's name falls, with `--repeat none` of no pair.  A schedule that is said to pass must do so.

--header is for programs in C++: what stands in that header is compiled once, beside it, if FILE is the
header itself, and included first by programs that are built with nothing but macros and libraries besides.
"""

import argparse
import collections
import json
import os
import re
import shlex
import signal
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CARRIERS = ("fiber", "thread")
CONFIGURATIONS = ("gcc", "clang", "O0", "O2", "whole")
KEYS = ("exit", "message", "location", "threads", "count", "classes", "executions", "replay")
KEYS += ("failures", "restart", "why", "same", "preemptions", "minimal", "decides", "accesses")
KEYS += ("confirmed", "tries", "effect", "sets", "ended", "varies")
# In the result they are in `paths`, where the first is called total.
PATHS = ("paths", "finished", "cut", "stuck", "aborts", "reports", "returns")
KEYS += PATHS + ("outputs", "orders", "pairs", "judged")
VERDICTS = ("clean", "any", "complete", "incomplete", "refused", "clean|refused")
# What does not depend on how an execution gets a fresh program.
SAME = ("executions", "complete", "failures", "points_per_execution", "classes", "max_threads")
SAME_OF_FINDING = ("kind", "message", "location", "thread", "threads", "execution", "count")
SAME_OF_FINDING += ("signature", "replays")
LIMIT = 900  # seconds for one command; CTest has its own limit for all of them
# Options of `plait test` that a replay must be told too: what counts as a finding.
JUDGING = ("--expect-exit", "--expect-output", "--check", "--max-steps", "--hang-time")

Run = collections.namedtuple("Run", "line selectors flags native options arguments expect")


class Failure(Exception):
    """An expectation that was not met; the text says which."""


def parse_expect(text):
    """`kind exit=1 message~a b c location~d` to a dict; words without a key in 'words'."""
    expect = {"words": []}
    key_at = re.compile(r"(?:^|\s)(%s)([=~])" % "|".join(KEYS))
    found = list(key_at.finditer(text))
    expect["words"] += text[: found[0].start() if found else len(text)].split()
    for match, following in zip(found, found[1:] + [None]):
        value = text[match.end() : following.start() if following else len(text)].strip()
        if match[2] == "=":
            value, *words = value.split()
            expect["words"] += words
        expect[match[1]] = value
    return expect


def parse_program(path):
    """The list of Runs of a program, the lines of its expected output, its markers."""
    runs, output, markers = [], [], collections.defaultdict(list)
    pending, line_of_run = None, 0
    lines = open(path, encoding="utf-8").read().splitlines()
    number = 0
    while number < len(lines):
        match = re.match(r"^\s*(?:/?\*|//)\s(RUN|EXPECT|OUTPUT)\b\s?(.*)$", lines[number])
        number += 1
        if not match:
            for word in re.findall(r"(?:/\*|//).*?(@\w+)", lines[number - 1]):
                markers[word].append("%s:%d" % (os.path.basename(path), number))
            continue
        word, rest = match[1], match[2]
        while rest.endswith("\\"):
            rest = rest[:-1] + re.sub(r"^\s*(\*|//)", "", lines[number])
            number += 1
        if word == "OUTPUT":
            output.append(rest)
        elif word == "RUN":
            if pending is not None:
                raise Failure("%s:%d: RUN without EXPECT" % (path, line_of_run))
            pending, line_of_run = rest, number
        else:
            if pending is None:
                raise Failure("%s:%d: EXPECT without RUN" % (path, number))
            runs.append(parse_run(line_of_run, pending, parse_expect(rest)))
            pending = None
    if pending is not None or not runs:
        raise Failure("%s: no complete pair of RUN and EXPECT" % path)
    return runs, output, markers


def parse_run(line, text, expect):
    words = collections.deque(shlex.split(text))
    selectors, flags = [], []
    while words and re.fullmatch(r"\[\w+\]", words[0]):
        selectors.append(words.popleft()[1:-1])
    while words and words[0].startswith("-"):
        flags.append(words.popleft())
    native = bool(words) and words[0] == "native"
    if native:
        words.popleft()
    elif list(words)[:2] == ["plait", "test"]:
        words.popleft()
        words.popleft()
    else:
        raise Failure("line %d: RUN must go on with `plait test` or `native`" % line)
    rest = list(words)
    cut = rest.index("--") if "--" in rest else len(rest)
    options, arguments = rest[:cut], rest[cut + 1 :]
    if native:
        options, arguments = [], options + arguments
    return Run(line, selectors, flags, native, options, arguments, expect)


class Driver:
    def __init__(self, options, work):
        self.plait = os.path.abspath(options.plait)
        self.source = os.path.abspath(options.file)
        self.compiler, self.opt = options.compiler, options.opt
        self.verbose = options.verbose
        self.repeated = None  # the lines of pairs whose findings are searched for again and replayed repeatedly; None: all
        self.work = work
        self.header = None
        self.built = {}
        self.markers = {}
        self.runs = []
        self.results = {}  # of the pairs that have been run, by line
        self.orders = {}  # what the first pair with the same names has shown
        self.replayed = 0
        self.left_out = 0
        self.listed = None

    def strategies(self):
        """Their names; asked for only where a pair is for some of them."""
        if self.listed is None:
            _, printed = self.command([self.plait, "list", "strategies"])
            self.listed = [line.split()[0] for line in printed.splitlines() if line.strip()]
        return self.listed

    def command(self, arguments, env=None):
        """Run to the end; returns status and what was printed."""
        if self.verbose:
            print("+", shlex.join(arguments), flush=True)
        process = subprocess.Popen(
            arguments,
            cwd=self.work,
            env=dict(os.environ, NO_COLOR="1", **(env or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            text = printed.decode(errors="replace")
            raise self.failed(arguments, text, "did not end within %d s" % LIMIT)
        text = printed.decode(errors="replace")
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        if self.verbose:
            print(text, "(exit status %d)" % status, flush=True)
        return status, text

    @staticmethod
    def failed(arguments, printed, what):
        return Failure("%s\n  in: %s\n%s" % (what, shlex.join(arguments), printed[-6000:]))

    def build(self, flags):
        key = tuple(flags)
        if key not in self.built:
            name = "./prog%d" % len(self.built)
            arguments = [f for f in flags if not f.startswith("-l")]
            libraries = [f for f in flags if f.startswith("-l")]
            plain = all(f.startswith(("-D", "-l")) for f in flags)
            if self.header and plain:
                # With a macro that matters in it, the compiler reads the header itself.
                arguments += ["-include", self.header]
            if self.compiler == "clang" and plain:
                # For two steps clang starts itself a second time, which takes as long as all that it does then.
                self.compile([*arguments, "-c", "-o", name + ".o", self.source])
                self.compile(["-o", name, name + ".o", *libraries], "gcc")
            else:
                self.compile([*arguments, "-o", name, self.source, *libraries])
            self.built[key] = name
        return self.built[key]

    def precompile(self):
        """Put the compiled header where compilers look for it when it is included."""
        ending = {"gcc": ".gch", "clang": ".pch"}[self.compiler]
        made = "%s.%d" % (self.header + ending, os.getpid())
        self.compile(["-x", "c++-header", "-o", made, self.header])
        os.replace(made, self.header + ending)  # nobody may see half of it

    def compile(self, more, compiler=None):
        cxx = self.source.endswith((".cpp", ".hpp"))
        wrapper = os.path.join(os.path.dirname(self.plait), "plait-c++" if cxx else "plait-cc")
        arguments = [wrapper, "-std=gnu++20" if cxx else "-std=gnu17", "-O" + self.opt, "-g"]
        arguments += ["-Wall", "-Wextra", "-Werror", "-pthread"]
        arguments += ["-I" + os.path.join(ROOT, "include"), *more]
        compilers = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}[compiler or self.compiler]
        status, printed = self.command(
            arguments, {"PLAIT_CC": compilers[0], "PLAIT_CXX": compilers[1]}
        )
        if status != 0:
            raise self.failed(arguments, printed, "does not compile")

    def is_here(self, run):
        """Whether the pair is for this configuration."""
        here = [self.compiler, "O" + self.opt]
        if os.path.exists(os.path.join(os.path.dirname(self.plait), "../lib/plait/plait-static")):
            here.append("whole")
        return all(
            s in here or (s not in CONFIGURATIONS and s in self.strategies()) for s in run.selectors
        )

    def choose_repeated(self, how):
        """Which pairs are searched twice, of those that are to find something that a seed determines."""
        if how == "all":
            return None
        finding = [
            r for r in self.runs
            if not r.native and "varies" not in r.expect and set(r.expect["words"]) - set(VERDICTS)
            and not any(o.startswith(("noise", "--noise")) for o in r.options) and self.is_here(r)
        ]
        if how == "none" or not finding:
            return ()
        return (finding[sum(os.path.basename(self.source).encode()) % len(finding)].line,)

    def check(self, run):
        if not self.is_here(run):
            self.left_out += 1
            return
        program = self.build(run.flags)
        options = [o.replace("%t", self.work) for o in run.options]
        if run.native:
            arguments = [program] + run.arguments
            status, printed = self.command(arguments)
            wanted = run.expect.get("exit", "0").split(",")
            if str(status) not in wanted:
                raise self.failed(arguments, printed, "exit status %d" % status)
            if "location" in run.expect and not re.search(self.pattern(run.expect), printed):
                raise self.failed(arguments, printed, "it ended in another place")
            return
        known = os.path.join(self.work, "out-a", "pairs.json")
        if "judged" in run.expect and os.path.exists(known):
            os.unlink(known)
        covered = os.path.join(self.work, "out-a", "coverage.json")
        if "sets" in run.expect and os.path.exists(covered):
            os.unlink(covered)
        first = self.campaign("a", options, program, run.arguments)
        arguments, _, printed, result = first
        self.results[run.line] = result
        if self.refused(run.expect, options, *first):
            return
        self.compare(run.expect, *first)
        if "sets" in run.expect:
            self.compare_sets(run.expect["sets"], os.path.join(self.work, "out-a"))
        if "pairs" in run.expect or "judged" in run.expect:
            self.compare_pairs(run.expect, program, *first)
        if "restart" in run.expect:
            self.compare_restart(run.expect, options, *first)
        if "same" in run.expect:
            self.compare_same(self.result_of(int(run.expect["same"])), *first)
        if not result["findings"] or "recorded" in result:
            return  # a seed repeats what is done to free threads, not what they do
        once = self.repeated is not None and run.line not in self.repeated
        if not once and "varies" not in run.expect:
            again = self.campaign("b", options, program, run.arguments)
            if self.schedules(first) != self.schedules(again):
                raise self.failed(arguments, printed, "the same seed gave another schedule")
        times = run.expect.get("replay", "identical")
        if times == "identical":
            times = os.environ.get("PLAIT_TEST_REPLAYS", "1" if once else "2")
        judging = [o for o in options if o.split("=")[0] in JUDGING]
        for finding in result["findings"]:
            self.replay_passing(finding, judging)
            self.replay_orders(finding, judging)
            for carrier in CARRIERS:
                for _ in range(int(times)):
                    self.replay(finding, carrier, judging)

    def campaign(self, name, options, program, program_arguments):
        report = os.path.join(self.work, name + ".json")
        if os.path.exists(report):
            os.unlink(report)
        arguments = [self.plait, "test"] + options + ["--json", report]
        arguments += ["-o", os.path.join(self.work, "out-" + name), "--", program]
        arguments += program_arguments
        status, printed = self.command(arguments)
        result = None
        if status != 3 or os.path.exists(report):  # a campaign that could not be made has none
            result = self.report(report, arguments, printed)
        return arguments, status, printed, result

    def result_of(self, position):
        """The result of another pair of the file, which --only may have left out."""
        run = self.runs[position - 1]
        if run.line not in self.results:
            options = [o.replace("%t", self.work) for o in run.options]
            campaign = self.campaign("c", options, self.build(run.flags), run.arguments)
            self.results[run.line] = campaign[-1]
        if self.results[run.line] is None:
            raise Failure("pair %d has no result to compare with" % position)
        return self.results[run.line]

    def refused(self, expect, options, arguments, status, printed, result):
        """Whether the restart asked for was refused; an error where it should not have been."""
        if status == 3 and not any(w.endswith("refused") for w in expect["words"]):
            raise self.failed(arguments, printed, "exit status 3")
        if status != 3:
            if "refused" in expect["words"]:
                raise self.failed(arguments, printed, "exit status %d instead of 3" % status)
            return False
        if result is not None and result["findings"]:
            raise self.failed(arguments, printed, "exit status 3 with findings")
        if not re.search(r"\b%s\b" % restart_asked_for(options), printed):
            raise self.failed(arguments, printed, "the refusal does not name the restart")
        return True

    def report(self, path, arguments, printed):
        try:
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError) as error:
            raise self.failed(arguments, printed, "no readable JSON: %s" % error)

    def schedules(self, campaign):
        arguments, _, printed, result = campaign
        texts = []
        for name in all_schedules(result):
            path = os.path.join(self.work, name)
            try:
                with open(path, "rb") as file:
                    texts.append(file.read())
            except OSError as error:
                raise self.failed(arguments, printed, "no schedule: %s" % error)
        return texts

    def compare(self, expect, arguments, status, printed, result):
        def wrong(what):
            return self.failed(arguments, printed, what)

        findings = result["findings"]
        kinds = [f["kind"] for f in findings]
        wanted = [w for w in expect["words"] if w not in VERDICTS]
        any_kind = "any" in expect["words"]
        if not any_kind and not matches(kinds, wanted[0].split(",") if wanted else []):
            raise wrong("findings %s instead of %s" % (kinds, wanted or "none"))
        if str(status) not in expect.get("exit", "1" if kinds else "0").split(","):
            raise wrong("exit status %d" % status)
        for word, value in (("complete", True), ("incomplete", False)):
            if word in expect["words"] and result["complete"] is not value:
                raise wrong("the search was not %s" % word)
        if result["control"]["divergences"]:
            raise wrong("%d divergences" % result["control"]["divergences"])
        if "ended" in expect and not re.search(expect["ended"], printed):
            raise wrong("it does not say /%s/" % expect["ended"])
        for key in ("classes", "executions"):
            if key in expect and result[key] != int(expect[key]):
                raise wrong("%d %s instead of %s" % (result[key], key, expect[key]))
        if "message" in expect and not any(
            re.search(expect["message"], f["message"]) for f in findings
        ):
            raise wrong("no message like /%s/" % expect["message"])
        if "location" in expect:
            pattern = self.pattern(expect)
            if not any(re.search(pattern, str(f["location"])) for f in findings):
                raise wrong("no location like /%s/" % pattern)
        if "accesses" in expect:
            pattern = self.with_markers(expect["accesses"])
            if not any(re.search(pattern, accesses_of(f)) for f in findings):
                seen = [accesses_of(f) for f in findings]
                raise wrong("no accesses like /%s/ but %s" % (pattern, seen))
        for key, numbers in (
            ("threads", [len(f["threads"]) for f in findings]),
            ("count", [f["count"] for f in findings]),
        ):
            if key in expect and int(expect[key]) not in numbers:
                raise wrong("%s %s instead of %s" % (key, numbers, expect[key]))
        if "failures" in expect:
            least, most = (expect["failures"].split("-") * 2)[:2]
            if not int(least) <= result["failures"] <= int(most):
                raise wrong("%d executions failed" % result["failures"])
        if "outputs" in expect:
            seen = ",".join(o["text"].strip("\n") for o in result["outputs"])
            if seen != expect["outputs"]:
                raise wrong("outputs %s instead of %s" % (seen, expect["outputs"]))
        if "orders" in expect:
            self.compare_orders(int(expect["orders"]), result, wrong)
        self.compare_paths(expect, result, wrong)
        for finding in findings:
            if not finding["replays"]:
                raise wrong("plait itself could not replay: %s" % finding["unreplayed"])
            self.compare_minimal(expect, finding, wrong)
        self.compare_driven(expect, findings, wrong)

    def compare_orders(self, wanted, result, wrong):
        texts = collections.defaultdict(set)
        for output in result["outputs"]:
            texts[output["text"].split(maxsplit=1)[0]].add(output["text"].strip())
        single = sorted(t for name in texts for t in texts[name] if len(texts[name]) < 2)
        if single or len(texts) != wanted:
            raise wrong("%d names instead of %d, one order only: %s" % (len(texts), wanted, single))
        known = self.orders.setdefault(frozenset(texts), texts)
        if texts != known:
            other = [sorted(t ^ known[n]) for n, t in texts.items() if t != known[n]]
            raise wrong("not by every strategy: %s" % other)

    def compare_sets(self, wanted, folder):
        """Predecessor sets by place: FILE:LINE to a set of them."""
        path = os.path.join(self.work, "coverage.json")
        arguments = [self.plait, "coverage", "--json", path, folder]
        _, printed = self.command(arguments)

        def place(text):
            return os.path.basename(re.search(r" at (\S+?:\d+)(?::\d+)? ", text)[1])

        found = {
            place(s["statement"]): {place(p) for p in s["predecessors"]}
            for s in self.report(path, arguments, printed)["predecessor_sets"]
        }
        expected = {}
        for word in wanted.split():
            statement, _, predecessors = word.rpartition(";")
            marked = {self.markers[p][0] for p in predecessors.split(",") if p}
            if marked:
                expected[self.markers[statement][0]] = marked
        if found != expected:
            raise self.failed(arguments, printed, "sets %s instead of %s" % (found, expected))

    @staticmethod
    def compare_driven(expect, findings, wrong):
        driven = [f for f in findings if "confirmed" in f]
        seen = {"yes" if f["confirmed"] else "no" for f in driven} or {"none"}
        if "confirmed" in expect and seen != {expect["confirmed"]}:
            raise wrong("confirmed: %s" % seen)
        if "tries" in expect and any(f["tries"] > int(expect["tries"]) for f in driven):
            raise wrong("it took %s tries" % [f["tries"] for f in driven])
        effects = ",".join(f["effect"] for f in driven if "effect" in f)
        if "effect" in expect and effects != expect["effect"]:
            raise wrong("effects %s" % effects)
        if any("effect" in f and len(f["schedules"]) != 2 for f in driven):
            raise wrong("a race without the schedules of both orders")

    @staticmethod
    def compare_paths(expect, result, wrong):
        asked = [key for key in PATHS if key in expect]
        if not asked:
            return
        paths = dict(result.get("paths", {}))
        paths["paths"] = paths.get("total")
        for key in asked:
            if paths.get(key) != int(expect[key]):
                raise wrong("%s %s instead of %s" % (key, paths.get(key), expect[key]))
        if paths["returns"] != paths["total"] - 1 + paths["aborts"]:
            raise wrong("%(returns)d returns with %(total)d paths and %(aborts)d aborts" % paths)

    def compare_pairs(self, expect, program, arguments, status, printed, result):
        """The static pairs, and what is known of their orders."""
        folder = os.path.join(self.work, "out-a")
        status, text = self.command([self.plait, "pairs", "--json", "-o", folder, program])
        if status != 0:
            raise self.failed(arguments, text, "plait pairs ends with %d" % status)
        pairs = json.loads(text)["pairs"]
        kinds = collections.Counter(p["kind"] for p in pairs)
        if "pairs" in expect:
            asked = {k: int(n) for k, n in (w.split(":") for w in expect["pairs"].split(","))}
            if asked != dict(kinds):
                raise self.failed(arguments, text, "pairs %s" % dict(kinds))
        known = []
        for p in pairs:
            places = ["%s:%d" % (os.path.basename(p[s]["file"]), p[s]["line"]) for s in "ab"]
            for order, way in zip(p["orders"], (places, places[::-1])):
                known.append("%s %s<%s: %s: %s" % (p["kind"], *way, order["status"], order["why"]))
        for pattern in filter(None, expect.get("judged", "").split(";")):
            if not any(re.search(self.with_markers(pattern.strip()), k) for k in known):
                raise self.failed(arguments, "\n".join(known), "no order like /%s/" % pattern)

    def compare_minimal(self, expect, finding, wrong):
        for key in ("preemptions", "minimal"):
            if key in expect and str(finding.get(key)) != expect[key]:
                raise wrong("%s %s instead of %s" % (key, finding.get(key), expect[key]))
        if "decides" not in expect:
            return
        explanation = finding.get("explanation", {"text": ""})
        patterns = self.with_markers(expect["decides"]).split("<")
        parts = [explanation["text"]]
        if len(patterns) == 2:
            parts = [explanation.get(key, {"location": ""})["location"]
                     for key in ("first", "second")]
        for pattern, part in zip(patterns, parts):
            if not re.search(pattern, part):
                raise wrong("%r does not decide but %r" % (expect["decides"], explanation))

    def compare_restart(self, expect, options, arguments, _, printed, result):
        kind, why = result["restart"], result["restart_why"]
        if kind not in expect["restart"].split("|"):
            raise self.failed(arguments, printed, "restart by %s (%s)" % (kind, why))
        reason_due = restart_asked_for(options) is None and kind != "rollback"
        if bool(why) != reason_due:
            raise self.failed(arguments, printed, "restart by %s for the reason %r" % (kind, why))
        if why not in printed:
            raise self.failed(arguments, printed, "the summary does not say: %s" % why)
        if "why" in expect and why and not re.search(expect["why"], why):
            raise self.failed(arguments, printed, "no reason like /%s/: %s" % (expect["why"], why))

    def compare_same(self, other, arguments, _, printed, result):
        for key in SAME:
            if result[key] != other[key]:
                what = "%s %s, but %s by %s" % (key, result[key], other[key], other["restart"])
                raise self.failed(arguments, printed, what)
        for key in SAME_OF_FINDING:
            seen, before = ([f[key] for f in r["findings"]] for r in (result, other))
            if seen != before:
                what = "%s of findings %s, but %s by %s" % (key, seen, before, other["restart"])
                raise self.failed(arguments, printed, what)

    def pattern(self, expect):
        return self.with_markers(expect["location"])

    def with_markers(self, text):
        return re.sub(r"@\w+", self.marker, text)

    def marker(self, match):
        places = self.markers.get(match[0])
        if not places:
            raise Failure("no line is marked %s" % match[0])
        return "(?:%s)(?![0-9])" % "|".join(re.escape(p) for p in places)

    def replay_passing(self, finding, judging):
        passing = finding.get("explanation", {}).get("passing")
        if passing is None:
            return
        arguments = [self.plait, "replay"] + judging + [os.path.join(self.work, passing)]
        status, printed = self.command(arguments)
        if status != 0:
            raise self.failed(arguments, printed, "what should pass ended with %d" % status)

    def replay_orders(self, finding, judging):
        for name in finding.get("schedules", []):
            arguments = [self.plait, "replay"] + judging + [os.path.join(self.work, name)]
            status, printed = self.command(arguments)
            if status != 1:
                raise self.failed(arguments, printed, "an order of a race ended with %d" % status)

    def replay(self, finding, carrier, judging):
        report = os.path.join(self.work, "replay.json")
        if os.path.exists(report):
            os.unlink(report)
        schedule = os.path.join(self.work, finding["schedule"])
        arguments = [self.plait, "replay", "--carrier", carrier] + judging
        arguments += ["--json", report, schedule]
        status, printed = self.command(arguments)
        if status != 1:
            with open(schedule, encoding="utf-8", errors="replace") as file:
                printed += "\n--- schedule\n" + file.read()[:3000]
            raise self.failed(arguments, printed, "replay ended with status %d" % status)
        result = self.report(report, arguments, printed)
        if result["control"]["divergences"]:
            raise self.failed(arguments, printed, "replay diverged")
        for key in ("kind", "message", "location"):
            seen = [f[key] for f in result["findings"]]
            if seen != [finding[key]]:
                what = "replay found %s %r instead of %r" % (key, seen, finding[key])
                raise self.failed(arguments, printed, what)
        self.replayed += 1


def all_schedules(result):
    """The files of all findings, with those of both orders of races."""
    for finding in result["findings"]:
        yield finding["schedule"]
        yield from finding.get("schedules", [])


def restart_asked_for(options):
    """What --restart says, None without it."""
    for option, following in zip(options, options[1:] + [""]):
        if option == "--restart":
            return following
        if option.startswith("--restart="):
            return option.split("=", 1)[1]
    return None


def accesses_of(finding):
    """The accesses of a finding in one line, empty when it is not about any."""
    texts = []
    for access in finding.get("accesses", []):
        locks = ", ".join(
            "%s %s%s" % (lock["kind"], lock["object"], " for reading" if lock["shared"] else "")
            for lock in access["locks"]
        )
        location = re.sub(r"^.*/", "", access["location"])
        texts.append(
            "%s %s at %s holding %s"
            % (access["operation"], access["object"], location, locks or "nothing")
        )
    return "; ".join(texts)


def matches(kinds, wanted):
    """Whether the kinds found are the ones wanted, each `a|b` taking one of either."""
    if not wanted:
        return not kinds
    for i, kind in enumerate(kinds):
        if kind in wanted[0].split("|") and matches(kinds[:i] + kinds[i + 1 :], wanted[1:]):
            return True
    return False


class Folder:
    """A folder of its own; tempfile.TemporaryDirectory takes longer to import than many a program runs."""

    def __enter__(self):
        while True:
            self.path = os.path.join(os.environ.get("TMPDIR", "/tmp"), "plait-test-" + os.urandom(5).hex())
            try:
                os.mkdir(self.path, 0o700)
                return self.path
            except FileExistsError:
                pass

    def __exit__(self, *_):
        for path, folders, files in os.walk(self.path, topdown=False):
            for name in files:
                os.unlink(os.path.join(path, name))
            for name in folders:
                inner = os.path.join(path, name)
                (os.unlink if os.path.islink(inner) else os.rmdir)(inner)
        os.rmdir(self.path)


def main():
    parser = argparse.ArgumentParser(description="Run one test program.")
    parser.add_argument("--plait", required=True)
    parser.add_argument("--compiler", choices=("gcc", "clang"), default="gcc")
    parser.add_argument("--opt", default="2")
    parser.add_argument("--repeat", choices=("all", "one", "none"), default="all",
                        help="of which pairs there is a second campaign with the same seed, and more than one replay")
    parser.add_argument("--header", help="compiled once for all programs in C++")
    parser.add_argument("--only", type=int, help="the pair at this position, from 1")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("file")
    options = parser.parse_args()

    with Folder() as work:
        driver = Driver(options, work)
        driver.header = options.header and os.path.abspath(options.header)
        try:
            if driver.source == driver.header:
                driver.precompile()
                return 0
            runs, output, driver.markers = parse_program(options.file)
            driver.runs = runs
            driver.repeated = driver.choose_repeated(options.repeat)
            with open(os.path.join(work, "expected"), "w", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in output)
            if options.only:
                runs = runs[options.only - 1 : options.only]
            for run in runs:
                driver.run = run
                driver.check(run)
        except Failure as failure:
            run = getattr(driver, "run", None)
            where = "%s:%d: " % (options.file, run.line) if run else ""
            print("FAILED %s%s" % (where, failure))
            return 1
    done = len(runs) - driver.left_out
    print("%d pairs as expected, %d left out, %d replays" % (done, driver.left_out, driver.replayed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
