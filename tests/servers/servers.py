# SPDX-License-Identifier: MIT
"""servers.py BUILD CASE: a server and its client, explored together by --client.

Each way to serve has a right form, in which nothing is found, and a wrong one, whose finding
replays; over TCP and over a Unix socket, of which nothing is left.  CASE is a way, or one of those
below.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BUILD, CASE = pathlib.Path(sys.argv[1]), sys.argv[2]
SOURCE = pathlib.Path(__file__).parent
PLAIT = str(BUILD / "bin/plait")
REPLAYS = 20
# What the wrong form comes to, by one of these words.
WRONG = {
    "threads": ["ended with exit status 1"],
    "poll": ["ended with exit status 1", "SIGPIPE", "deadlock"],
    "epoll": ["deadlock"],
    "workers": ["deadlock"],
}


def run(*words, status=0):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    if done.returncode != status:
        sys.exit(f"{' '.join(words)}: exit status {done.returncode} instead of {status}\n{done.stdout}")
    return done.stdout


def compile_all(*names):
    for name in names:
        run(PLAIT, "cc", "-g", "-O1", str(SOURCE / f"{name}.c"), "-o", name, "-lpthread")


def has(text, *words):
    for word in words:
        if word not in text:
            sys.exit(f"there is no '{word}' in\n{text}")


def explore(client, *server, status=0, options=()):
    return run(PLAIT, "test", "-n", "150", "--budget", "30", *options, "--client", client, "-o", "out", *server,
               status=status)


def replay(what):
    """The newest schedule, many times."""
    schedule = sorted(pathlib.Path("out").glob("**/finding-001-*.plait"), key=os.path.getmtime)[-1]
    has(schedule.read_text(), "client")
    for _ in range(REPLAYS):
        text = run(PLAIT, "replay", str(schedule), status=1)
        if not any(word in text for word in what):
            sys.exit(f"none of {what} in\n{text}")


def way(name):
    compile_all("server", "client")
    for address in ("tcp:7001", "unix:socket"):
        client = f"./client {address}" + (" quit" if name == "workers" else "")
        text = explore(client, "./server", address, name)
        has(text, "no finding")
        if name != "workers":
            has(text, "by rollback")
        text = explore(client, "./server", address, name, "wrong", status=1)
        if not any(word in text for word in WRONG[name]):
            sys.exit(f"none of {WRONG[name]} in\n{text}")
        replay(WRONG[name])
    left = sorted(p.name for p in pathlib.Path().iterdir())
    if left != ["client", "out", "server"]:
        sys.exit(f"something is left: {left}")


def pipes():
    """Full in both directions: each side waits for the other to read."""
    compile_all("pipes")
    os.mkfifo("there")
    os.mkfifo("back")
    server = ("./pipes", "server", "back", "there")
    has(explore("./pipes client there back", *server, options=("-s", "random", "-n", "20")), "no finding")
    text = explore("./pipes client there back wrong", *server, status=1)
    has(text, "deadlock: both threads wait", "be_server", "send_all")
    replay(["deadlock"])


def complete():
    """A small conversation in all interleavings, by any restart and on both carriers; the server ends first."""
    compile_all("short_server", "short_client")
    numbers = set()
    for options in ([], ["--restart", "fork"], ["--restart", "exec"], ["--carrier", "thread"]):
        text = run(PLAIT, "test", "-s", "dpor", *options, "--client", "./short_client -v -p 7001 -v rest", "-o",
                   "out", "./short_server", "-p", "7001")
        has(text, "clean, complete")
        numbers.add([word for word in text.split(",") if "class" in word][0].split()[0])
    if len(numbers) != 1:
        sys.exit(f"different numbers of classes: {numbers}")
    has(run(PLAIT, "test", "-s", "noise", "-n", "20", "--client", "./short_client -v -p 7001 -v rest", "-o", "out",
            "./short_server", "-p", "7001"), "no finding")


def refused():
    """What cannot be a client is refused with a sentence."""
    compile_all("short_server", "short_client")
    pathlib.Path("local.c").write_text("static _Thread_local int x;\nint main(void) { return x++; }\n")
    run(PLAIT, "cc", "local.c", "-o", "local")
    run(PLAIT, "cc", "-shared", "-fPIC", "local.c", "-o", "local.so")
    run(PLAIT, "cc", "-no-pie", "-fno-pie", str(SOURCE / "short_client.c"), "-o", "fixed")
    server = ("./short_server", "-p", "7001")
    has(explore("./local", *server, status=3), "has thread-local variables", "-shared -fPIC")
    has(explore("./fixed", *server, status=3), "is not position-independent")
    has(explore("./missing", *server, status=3), "there is no file ./missing")
    has(explore("", *server, status=2), "--client")
    has(explore("./local.so", *server), "clean, complete")


def foreign():
    """A schedule of somebody else runs no client."""
    compile_all("server", "client")
    explore("./client tcp:7001", "./server", "tcp:7001", "threads", "wrong", status=1)
    schedule = next(pathlib.Path("out").glob("**/finding-001-*.plait"))
    os.environ["XDG_STATE_HOME"] = os.path.abspath("state")
    text = run(PLAIT, "replay", str(schedule), "--", "./server", "tcp:7001", "threads", "wrong", status=2)
    has(text, "with the client", "nothing was run")


def blocks(text):
    """Kind and lines of what stands between marks of three quotes."""
    inside = None
    for line in text.splitlines():
        if line.startswith("```"):
            if inside is not None:
                yield inside
                inside = None
            else:
                inside = []
        elif inside is not None:
            inside.append(line)


def guide():
    """What the guide shows is what happens."""
    os.environ["PATH"] = f"{BUILD / 'bin'}:{os.environ['PATH']}"
    text = (SOURCE.parent.parent / "docs/guide/testing.md").read_text()
    for block in blocks(text):
        if block[0].startswith("/* "):
            pathlib.Path(block[0].split()[1]).write_text("\n".join(block) + "\n")
            continue
        said = None
        for line in block:
            if line.startswith("$ "):
                done = subprocess.run(line[2:], shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      timeout=600)
                said = done.stdout
            else:
                has(said, line)


def main():
    folder = tempfile.mkdtemp(prefix="plait-servers-")
    os.chdir(folder)
    try:
        way(CASE) if CASE in WRONG else globals()[CASE]()
    finally:
        os.chdir("/")
        shutil.rmtree(folder)


main()
