# SPDX-License-Identifier: MIT
"""Records what failing executions read, takes the world away, and replays.

usage: inputs.py BUILD CASE

Each case looks for a finding with --record-input, removes or changes whatever the program had read,
and replays the schedule several times on fibers and on OS threads: the same finding each time.
"""
import glob
import itertools
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.abspath(sys.argv[1])
PLAIT = os.path.join(BUILD, "bin", "plait")
TIMES = 3


def fail(text):
    sys.exit(f"FAILED: {text}")


def check(condition, text):
    if not condition:
        fail(text)


def run(*command, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=900, check=False, **more)


def build(name):
    done = run(os.path.join(BUILD, "bin", "plait-cc"), "-g", "-O1", "-o", name,
               os.path.join(HERE, name + ".c"))
    check(done.returncode == 0, f"{name} was not built: {done.stdout}")


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


RANDOM = ("--record-input", "-s", "random", "-n", "400")
NOISE = ("-s", "noise", "-n", "2000", "--files", "real")  # which always records


def record(*program, options=RANDOM, **more):
    """The schedule of the finding."""
    shutil.rmtree("results", ignore_errors=True)
    done = run(PLAIT, "test", "-o", "results", *options, *program, **more)
    check(done.returncode == 1, f"nothing was found: exit {done.returncode}: {done.stdout}")
    found = glob.glob("results/latest/finding-*.plait")
    check(len(found) == 1, f"there are {len(found)} schedules: {done.stdout}")
    return found[0]


def replay(schedule, **more):
    for carrier in ("fiber", "thread"):
        for _ in range(TIMES):
            done = run(PLAIT, "replay", "--carrier", carrier, schedule, **more)
            check(done.returncode == 1 and "the same finding, as recorded" in done.stdout,
                  f"no replay on {carrier}: exit {done.returncode}: {done.stdout}")


def shown(schedule):
    for line in run(PLAIT, "show", schedule).stdout.splitlines():
        if line.startswith("recorded input: "):
            return line
    return fail("plait show says nothing about inputs")


def make_files():
    write("first.txt", "1\n")
    write("second.txt", "20\n")
    write("expected.txt", "40\n")
    write("written.txt", "what was there before\n")


def case_files():
    build("files")
    environment = dict(os.environ, MORE="1")
    for options in (RANDOM, RANDOM + ("--restart", "fork"), RANDOM + ("--restart", "exec"), NOISE):
        make_files()
        schedule = record("./files", options=options, env=environment)
        check("4 opened files" not in shown(schedule) and "environment variable" in shown(schedule),
              shown(schedule))
        write("first.txt", "77\n")
        os.remove("second.txt")
        os.remove("expected.txt")
        write("written.txt", "mine\n")
        replay(schedule)
        check(read("written.txt") == "mine\n", "a replay has written to a file")
        check(not os.path.exists("second.txt"), "a replay has made a file")
        replay(schedule, env=dict(os.environ, MORE="1000"))
        for passing in glob.glob("results/latest/passing-*.plait"):
            done = run(PLAIT, "replay", passing)
            check(done.returncode == 0, f"what passed does not: {done.stdout}")
        if options == NOISE:
            continue
        done = run(PLAIT, "minimize", "-o", "again.plait", schedule)
        check(done.returncode == 0, f"it cannot be minimised again: {done.stdout}")
        replay("again.plait")


def case_divergence():
    """Another file than the recorded one is asked for."""
    build("files")
    make_files()
    environment = dict(os.environ, MORE="1")
    schedule = record("./files", env=environment)
    write("other.txt", "40\n")
    done = run(PLAIT, "replay", schedule, "--", "./files", "other.txt")
    wanted = "the program asks for input that the recording does not have: open of other.txt"
    check(done.returncode == 3 and wanted in done.stdout, done.stdout)


def case_equal():
    """The same campaign twice gives the same bytes."""
    build("files")
    environment = dict(os.environ, MORE="1")
    make_files()
    now = time.time()
    for name in glob.glob("*.txt"):
        os.utime(name, (now + 1000, now - 1000))  # so that reading them changes no time
    first = read(record("./files", env=environment))
    check(read(record("./files", env=environment)) == first, "two recordings are not the same")


def case_strategies():
    """Every kind of search records, with several workers, too."""
    build("files")
    environment = dict(os.environ, MORE="1", SHARED="1")
    for strategy in ("auto", "dfs", "dpor", "pct", "pos"):
        for jobs in ("1", "2"):
            make_files()
            schedule = record("./files", options=("--record-input", "-s", strategy, "-n", "3000",
                                                  "-j", jobs), env=environment)
            for name in ("first.txt", "second.txt", "expected.txt"):
                os.remove(name)
            done = run(PLAIT, "replay", schedule)
            check(done.returncode == 1, f"{strategy} with {jobs} jobs: {done.stdout}")


def case_stdin():
    build("streams")
    write("lines.txt", "00017\n00018\n00019\n")
    with open("lines.txt", encoding="utf-8") as lines:
        schedule = record("./streams", "stdin", stdin=lines)
    check("standard input (18 bytes)" in shown(schedule), shown(schedule))
    os.remove("lines.txt")
    replay(schedule)
    write("lines.txt", "00001\n00002\n00003\n00004\n")
    with open("lines.txt", encoding="utf-8") as lines:
        replay(schedule, stdin=lines)
    out, into = os.pipe()  # with everything in it: one that is silent for too long counts as empty
    os.write(into, b"00017\n00018\n00019\n")
    os.close(into)
    schedule = record("./streams", "stdin", stdin=out, options=NOISE)
    os.close(out)
    replay(schedule)


def feed(path, stop):
    """One writer after the other, as long as somebody reads."""
    while not stop.is_set():
        try:
            fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.001)
            continue
        os.set_blocking(fd, True)
        try:
            os.write(fd, b"00017\n00018\n00019\n" * 10)
        except OSError:
            pass
        os.close(fd)


def case_pipe():
    """Descriptor 3 is a pipe that a shell fills."""
    build("streams")
    for options in (RANDOM, NOISE):
        source = subprocess.Popen(["sh", "-c", "while printf '%05d\\n' 17; do :; done 2>/dev/null"],
                                  stdout=subprocess.PIPE)
        end = source.stdout.fileno()
        words = " ".join(options)
        done = run("sh", "-c", f'exec 3<&{end}; exec "{PLAIT}" test -o results {words} ./streams pipe',
                   pass_fds=(end,))
        source.stdout.close()
        source.wait()
        check(done.returncode == 1, done.stdout)
        schedule = glob.glob("results/latest/finding-*.plait")[0]
        check("1 inherited descriptor" in shown(schedule), shown(schedule))
        replay(schedule)


def case_waits():
    """Nothing comes: poll() times out, or everybody waits."""
    build("waits")
    for way, options in itertools.product(("poll", "stuck"), (RANDOM, NOISE)):
        out, into = os.pipe()
        # What waits under noise is a hang when the time is over; whatever else is slow, is not.
        patience = "3s" if options == NOISE and way == "stuck" else "60s"
        words = " ".join(options + ("--hang-time", patience))
        done = run("sh", "-c", f'exec 3<&{out}; exec "{PLAIT}" test -o results {words} ./waits {way}',
                   pass_fds=(out,))
        check(done.returncode == 1, f"{way}: {done.stdout}")
        schedule = glob.glob("results/latest/finding-*.plait")[0]
        os.close(out)
        os.close(into)
        replay(schedule)
        shutil.rmtree("results", ignore_errors=True)


def case_examined():
    """Detectors look at recordings of free threads without reading the pipe once more."""
    build("streams")
    source = subprocess.Popen(["sh", "-c", "while printf '%05d\\n' 17; do :; done 2>/dev/null"],
                              stdout=subprocess.PIPE)
    end = source.stdout.fileno()
    options = "-s noise -n 50 -k --detect +race,+lock-order --json result.json"
    done = run("sh", "-c", f'exec 3<&{end}; exec "{PLAIT}" test -o results {options} ./streams pipe',
               pass_fds=(end,))
    source.stdout.close()
    source.wait()
    text = read("result.json")
    check('"examined": 0,' not in text and '"unexamined": 0' in text, f"{done.stdout}\n{text}")


def case_fifo():
    build("streams")
    for options in (RANDOM, NOISE):
        os.mkfifo("fifo")
        stop = threading.Event()
        feeder = threading.Thread(target=feed, args=("fifo", stop))
        feeder.start()
        try:
            schedule = record("./streams", "fifo", options=options)
        finally:
            stop.set()
            feeder.join()
        os.remove("fifo")
        replay(schedule)


class Server:
    """Answers one with 100 and two with 200."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(client,), daemon=True).start()

    @staticmethod
    def answer(client):
        with client:
            try:
                asked = client.recv(4)
                time.sleep(0.002)
                client.sendall(b"100\n" if asked == b"one\n" else b"200\n")
                client.recv(1)
            except OSError:
                pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def case_client():
    build("client")
    for way, options in itertools.product(("read", "poll", "select", "epoll"), (RANDOM, NOISE)):
        server = Server()
        schedule = record("./client", str(server.port), way, options=options)
        server.close()
        check("2 sockets" in shown(schedule) and "2 host names" in shown(schedule), shown(schedule))
        replay(schedule)


def serve_clients(stop):
    """Clients of the server under test, each time that it says where it is."""
    while not stop.is_set():
        try:
            ports = [int(word) for word in read("ports.txt").split()]
            os.remove("ports.txt")
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.sendto(b"00400", ("127.0.0.1", ports[1]))
            clients = [socket.create_connection(("127.0.0.1", ports[0])) for _ in range(2)]
            for c in clients:
                c.sendall(b"0200")
            for c in clients:
                c.settimeout(60)
                c.recv(4)
                c.close()
        except (OSError, ValueError, IndexError):
            time.sleep(0.001)


def case_server():
    build("server")
    for options in (RANDOM, NOISE):
        stop = threading.Event()
        clients = threading.Thread(target=serve_clients, args=(stop,))
        clients.start()
        try:
            schedule = record("./server", options=options + ("--restart", "exec"))
        finally:
            stop.set()
            clients.join()
        check("2 connections" in shown(schedule), shown(schedule))
        replay(schedule)
        check(not os.path.exists("ports.txt"), "a replay has made a file")


def case_clocks():
    """Times and random numbers are real under noise, and choose how the program fails."""
    build("clocks")
    for _ in range(3):
        schedule = record("./clocks", options=NOISE)
        check("4 times" in shown(schedule) and "1 random number" in shown(schedule), shown(schedule))
        replay(schedule)


def case_process():
    """Names that are made of the number of the process are the same in a replay, and so is what has that name."""
    build("process")
    for options in (RANDOM, NOISE):
        schedule = record("./process", options=options)
        replay(schedule)
        numbers = [line for _ in range(2) for line in run(PLAIT, "replay", schedule).stdout.splitlines()
                   if line.startswith("process ")]
        check(len(numbers) == 2 and numbers[0] == numbers[1], f"the number of the process is {numbers}")
    told_as_long()


def told_as_long():
    """Without any inputs a schedule says how long the number was, since names made of it are."""
    options = ("-s", "random", "-n", "400", "--restart")
    for restart in ("fork", "exec"):
        schedule = record("./process", options=(*options, restart, "--process-digits", "7"))
        check("option process-digits 7\n" in read(schedule), read(schedule))
        replay(schedule)
        check(re.search(r"^process \d{7}$", run(PLAIT, "replay", schedule).stdout, re.MULTILINE), "another number is told")
        done = run(PLAIT, "replay", "--process-digits", "2", schedule)
        check(done.returncode == 3 and "did not replay" in done.stdout, done.stdout)
    schedule = record("./process", options=(*options, "fork"))
    check(re.search(r"^option process-digits [2-7]$", read(schedule), re.MULTILINE), read(schedule))
    done = run(PLAIT, "test", "--process-digits", "8", "./process")
    check(done.returncode == 2 and "have up to 7" in done.stdout, done.stdout)


def refused(schedule, wanted):
    for command in ("replay", "show", "minimize"):
        done = run(PLAIT, command, schedule)
        check(done.returncode == 2 and wanted in done.stdout,
              f"plait {command}: exit {done.returncode}, not '{wanted}': {done.stdout}")


def case_bad():
    build("files")
    make_files()
    write("second.txt", "20\n" + "x" * 9000)
    program = os.path.join(os.getcwd(), "files")
    source = read(os.path.join(HERE, "files.c")).replace("char all[32]", "char all[9100]")
    write("files_large.c", source)
    done = run(os.path.join(BUILD, "bin", "plait-cc"), "-g", "-O1", "-o", program, "files_large.c")
    check(done.returncode == 0, done.stdout)
    schedule = record("./files", env=dict(os.environ, MORE="1"))
    beside = glob.glob("results/latest/*.inputs")
    check(len(beside) == 1, f"{len(beside)} files of inputs")
    for name in ("first.txt", "second.txt", "expected.txt"):
        os.remove(name)
    replay(schedule)
    with open(beside[0], "rb") as f:
        good = f.read()

    def put(data):
        with open(beside[0], "wb") as f:
            f.write(data)

    put(good[:-100])
    refused(schedule, f"it has {len(good) - 100} bytes instead of {len(good)}")
    put(good[:200] + bytes([good[200] ^ 1]) + good[201:])
    refused(schedule, "its checksum is another one")
    put(b"x" * len(good))
    refused(schedule, "its checksum is another one")
    os.remove(beside[0])
    refused(schedule, "which cannot be opened: No such file")
    os.mkdir(beside[0])
    refused(schedule, "it is no regular file")
    os.rmdir(beside[0])
    put(good)
    replay(schedule)
    text = read(schedule)
    name = os.path.basename(beside[0])
    write("results/bad.plait", text.replace(f'"{name}"', '"../x"'))
    refused("results/bad.plait", "inputs are in a file of the same folder")


def case_bad_inside():
    build("files")
    make_files()
    schedule = record("./files", env=dict(os.environ, MORE="1"))
    check(not glob.glob("results/latest/*.inputs"), "small inputs are beside the schedule")
    lines = read(schedule).splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if line.startswith("inputs-data ")]

    def refused_with(changed, wanted):
        write("bad.plait", "".join(changed))
        refused("bad.plait", wanted)

    refused_with(lines[:at[0]] + lines[at[0] + 1:], "some of them are missing")
    swapped = lines[:]
    swapped[at[0]], swapped[at[1]] = lines[at[1]], lines[at[0]]
    refused_with(swapped, "its checksum is another one")
    refused_with(lines[:at[0]] + ["inputs-data !!!!\n"] + lines[at[0]:], "this is no base64")
    refused_with(lines[:at[-1]] + [lines[at[0]]] + lines[at[-1]:], "more of it than there should be")


def main():
    with tempfile.TemporaryDirectory(prefix="plait-inputs-") as folder:
        os.chdir(folder)
        globals()["case_" + sys.argv[2]]()
        os.chdir("/")
    print(f"{sys.argv[2]}: recorded and replayed")


main()
