# SPDX-License-Identifier: MIT
"""servers.py BUILD SOURCES --package NAME [--time SECONDS]: servers from Debian's sources with a client in one schedule.

As they are, nothing is found by the default strategy, with noise, and with the detector of races but for what is
known (docs/real-programs.md); prints a row for each.  Used in a way that has a gap, the bug is found, minimised and
replayed.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import packages

SERVERS = pathlib.Path(packages.HERE) / "servers"
WAYS = {"default": [], "noise": ["-s", "noise"], "race": ["--detect", "+race", "-k"]}
# How the server is started then, and what that comes to.
BUGS = {"civetweb": [(["late"], "ended with exit status 1")], "libmicrohttpd": []}
FORMS = {"civetweb": [[]], "libmicrohttpd": [[], ["pool"]]}
KNOWN = {"libmicrohttpd": ["daemon.c"]}  # data_already_pending: false is written over false


def say(command, statuses):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=1500)
    if done.returncode not in statuses:
        packages.fail("%s: exit status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def build(package, plait, source, name):
    """The server as NAME, from that copy of the source."""
    words = [plait, "cc", "-g", "-O1", "-w", str(SERVERS / f"{package}.c"), "-o", name]
    if package == "civetweb":
        say([*words, "-DNO_SSL", f"-I{source}/include", f"{source}/src/civetweb.c", "-lpthread", "-ldl"], [0])
        return
    library = pathlib.Path(source) / "src/microhttpd/.libs/libmicrohttpd.a"
    if not library.exists():
        say(["sh", "-c", f"cd {source} && CC={plait}-cc ./configure -q --disable-https --disable-doc "
             "--disable-examples --disable-curl --disable-shared && make -s -C src/microhttpd libmicrohttpd.la"], [0])
    say([*words, f"-I{source}/src/include", str(library), "-lpthread"], [0])


def explore(plait, options, form, time):
    """A row of the table."""
    for way, words in WAYS.items():
        text = say([plait, "test", "-t", f"{time}s", "--no-minimize", *words, "--client", "./http", "--json", "r.json",
                    "-o", "out", "./server", *form], [0, 1] if way == "race" else [0])
        result = json.loads(pathlib.Path("r.json").read_text())
        print("%s %s, %s: %d executions, %d classes, %d findings, by %s" % (
            options.package, " ".join(form), way, result["executions"], result["classes"], len(result["findings"]),
            result["restart"]))
        known = KNOWN.get(options.package, [])
        if result["findings"] and not all(any(k in json.dumps(f) for k in known) for f in result["findings"]):
            packages.fail(text)


def find_bug(plait, options, form, words):
    """Found, made minimal, and replayed."""
    text = say([plait, "test", "-t", f"{options.find}s", "--budget", "300", "--client", "./http", "-o", "bug",
                "./server", *form], [1])
    if words not in text:
        packages.fail(text)
    schedule = sorted(pathlib.Path("bug").glob("**/finding-001-*.plait"), key=os.path.getmtime)[-1]
    for _ in range(options.replays):
        say([plait, "replay", str(schedule)], [1])
    print("%s %s: found and replayed %d times" % (options.package, " ".join(form), options.replays))


def main():
    options = packages.arguments(FORMS, "civetweb", 10, 120, 20).parse_args()
    packages.fetch(options)
    plait = os.path.abspath(options.build) + "/bin/plait"
    source = os.path.abspath(options.sources) + "/" + options.package
    folder = tempfile.mkdtemp(prefix="plait-servers-")
    os.chdir(folder)
    try:
        say([plait, "cc", "-g", "-O1", str(SERVERS / "http.c"), "-o", "http", "-lpthread"], [0])
        build(options.package, plait, source, "server")
        for form in FORMS[options.package]:
            explore(plait, options, form, options.time)
        for bug in BUGS[options.package]:
            find_bug(plait, options, *bug)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
