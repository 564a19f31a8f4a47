#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files and folders from somebody who means harm: nothing runs, nothing is written elsewhere, and nothing reaches
the terminal raw.  The files are real ones of another user, changed, with checksums that fit.

argument: the folder with plait and plait-cc.
"""
import glob
import itertools
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

BIN = os.path.abspath(sys.argv[1])
PLAIT = os.path.join(BIN, "plait")
RAW = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")
EVIL = r"\033]0;owned\007\033[2J\302\233\342\200\256"
problems = []

SOURCE = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int count;
static void *add(void *arg) { count++; return arg; }
int main(int argc, char **argv)
{
    pthread_t t;
    FILE *f = fopen("ran.txt", "a");
    if (f != NULL)
        fclose(f);
    if (getenv("ANSWER") != NULL)
        printf("%s\n", getenv("ANSWER"));
    printf("\033[2Jwiped \033]0;owned\007 \302\2332J \342\200\256txt.exe \377\n");
    fprintf(stderr, "\033[31mred\n");
    fflush(stdout);
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return count != 2;
}
"""


def check(fine, what):
    if not fine:
        problems.append(what)
        print("FAILED", what)


def run(*words, code=None, **environment):
    if words[0] in ("test", "replay", "minimize"):
        words = (words[0], "--files", "real", *words[1:])  # what a program leaves must be seen here
    done = subprocess.run([PLAIT, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=120, check=False,
                          env={**os.environ, "XDG_STATE_HOME": os.path.abspath("mine"), **environment})
    shown = f"plait {' '.join(words)}: {done.stdout!r}"
    check(code is None or done.returncode == code, f"{done.returncode}, not {code}: {shown}")
    check(done.returncode >= 0 and done.returncode != 70, f"it crashed: {shown}")
    check(not RAW.search(done.stdout), f"raw characters: {shown}")
    return done.stdout.decode("utf-8", "replace")


def seal(lines):
    """The file with a checksum that fits."""
    value, n = 0xcbf29ce484222325, 0
    kept = []
    for line in lines:
        if line.startswith("end "):
            break
        counted = re.sub(r"\s+#.*", "", line) if re.match(r"[.>] ", line) else line
        for byte in counted.encode() + b"\n":
            value = (value ^ byte) * 0x100000001b3 & (1 << 64) - 1
        n += line.startswith("> ")
        kept.append(line)
    old = [line for line in lines if line.startswith("end ")][0].split()
    return "\n".join(kept + [" ".join(old[:-1] + [f"{value:016x}"])]) + "\n"


def change(text, *pairs):
    lines = text.rstrip("\n").split("\n")
    for pattern, replacement in pairs:
        new = []
        for line in lines:
            new += re.sub(pattern, lambda _: replacement, line).split("\n")
        check(new != lines, f"nothing fits {pattern}")
        lines = new
    return seal(lines)


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def nothing_ran(what):
    for name in ("ran.txt", "pwned", "checked.txt"):
        check(not os.path.exists(name), f"{what}: {name} is there")
        if os.path.exists(name):
            os.remove(name)


def schedules():
    """Somebody else's: shown, and not run unless the user says so."""
    run("test", "-s", "random", "-o", "theirs", "--check", "cat >/dev/null; touch checked.txt", "./prog", code=1,
        XDG_STATE_HOME=os.path.abspath("other"))
    path = glob.glob("theirs/finding-*.plait")[0]
    text = open(path, encoding="utf-8").read()
    for name in ("ran.txt", "checked.txt"):
        os.remove(name)
    shown = run("replay", path, code=2)
    check("./prog" in shown and "touch checked.txt" in shown and "--run-recorded" in shown, shown)
    run("minimize", path, code=2)
    nothing_ran("a file of somebody else")
    # The program is named, the check is not.
    check("--check" in run("replay", path, "--", "./prog", code=2), "the check is not asked for")
    nothing_ran("a check of somebody else")
    run("replay", "--check", "true", path, "--", "./prog")
    check(os.path.exists("ran.txt") and not os.path.exists("checked.txt"), "what was named does not run")
    os.remove("ran.txt")
    run("replay", "--run-recorded", path, code=1)
    check(os.path.exists("ran.txt"), "--run-recorded does not run it")
    os.remove("ran.txt")
    # Other commands, with checksums that fit.
    for number, pairs in enumerate([
            [(r'^program ".*"', 'program "/bin/sh"\nargument "-c"\nargument "touch pwned"')],
            [(r'^program ".*"', 'program "sh"\nargument "-c"\nargument "touch pwned"')],
            [(r"^option check .*", 'option check "touch pwned"')],
            [(r"^seal .*", "seal " + "0" * 32), (r"^option check .*", 'option check "touch pwned"')],
            [(r'^program ".*"', 'program "./pro\\033[2Jg"')],
            [(r'^message ".*"', f'message "{EVIL}"')]]):
        evil = f"evil-{number}.plait"
        write(evil, change(text, *pairs))
        check("checksum" not in run("replay", evil), f"{evil} was not made well")
        run("minimize", evil)
        run("show", evil, code=0)
        run("list", "findings", ".")
        nothing_ran(evil)
    # Sealed by this user, then changed: the seal does not fit any more.
    run("test", "-q", "-s", "random", "-o", "mine-results", "./prog", code=1)
    own = glob.glob("mine-results/finding-*.plait")[0]
    text = open(own, encoding="utf-8").read()
    os.remove("ran.txt")
    run("replay", own, code=1)
    check(os.path.exists("ran.txt"), "the user's own does not run")
    os.remove("ran.txt")
    write("changed.plait", change(text, (r'^program ".*"', 'program "./prog"\nargument "more"')))
    run("replay", "changed.plait", code=2)
    write("changed.plait", change(text, (r"^finding ", 'option check "touch pwned"\nfinding ')))
    check("--run-recorded" in run("replay", "changed.plait", code=2), "a check that was put in is not asked for")
    nothing_ran("a changed file")
    # Without a place for a key nothing can be known again, and that is said with the finding.
    said = run("test", "-s", "random", "-o", "homeless", "./prog", code=1, XDG_STATE_HOME="/proc/none", HOME="/proc/none")
    check("name the program behind --" in said, said)
    run("replay", "homeless/finding-001-exit.plait", code=2, XDG_STATE_HOME="/proc/none")
    os.remove("ran.txt")
    run("replay", "homeless/finding-001-exit.plait", "--", "./prog", code=1, XDG_STATE_HOME="/proc/none")
    os.remove("ran.txt")
    # A copied key is as good as the user's; one that others can read is none.
    shutil.copytree("mine", "copied")
    run("replay", own, code=1, XDG_STATE_HOME=os.path.abspath("copied"))
    os.remove("ran.txt")
    os.chmod("copied/plait/key", 0o644)
    run("replay", own, code=2, XDG_STATE_HOME=os.path.abspath("copied"))
    os.remove("copied/plait/key")
    os.symlink(os.path.abspath("mine/plait/key"), "copied/plait/key")
    run("replay", own, code=2, XDG_STATE_HOME=os.path.abspath("copied"))
    nothing_ran("a key that others can read, or a link to one")
    # The same name elsewhere is another program.
    os.mkdir("elsewhere")
    shutil.copy("prog", "elsewhere/prog")
    here = os.getcwd()
    shutil.copy(own, "elsewhere/own.plait")
    os.chdir("elsewhere")
    run("replay", "own.plait", code=2, XDG_STATE_HOME=os.path.join(here, "mine"))
    nothing_ran("a program elsewhere")
    os.chdir(here)


def recordings():
    """What a program reads can do harm, too: variables that its loader obeys."""
    run("test", "-s", "random", "-o", "recorded", "--record-input", "./prog", code=1, ANSWER="x" * 40,
        XDG_STATE_HOME=os.path.abspath("other"))
    os.remove("ran.txt")
    path = glob.glob("recorded/finding-*.plait")[0]
    run("replay", path, "--", "./prog", code=2)
    nothing_ran("a recording of somebody else")
    text = open(path, encoding="utf-8").read()
    if "inputs-file" not in text:
        lines = [line for line in text.split("\n") if not line.startswith("inputs-data")]
        text = "\n".join(lines).replace("\nfinding ", '\ninputs-file "../../etc/passwd"\nfinding ', 1)
        write("outside.plait", seal(text.split("\n")))
        check("same folder" in run("replay", "outside.plait", code=2), "inputs of another folder are read")


def folders():
    """Links do not lead anywhere."""
    away = os.path.abspath("away")
    os.mkdir(away)
    write("away/finding-001-exit.plait", "precious")
    write("away/coverage.json", "precious")
    os.makedirs("link/.plait")
    here = os.getcwd()
    shutil.copy("prog", "link/prog")
    os.chdir("link")
    os.symlink(away, ".plait/prog")
    run("test", "-q", "./prog", code=1, XDG_STATE_HOME=os.path.join(here, "mine"))
    check(os.path.isdir(".plait/prog-2/001"), "the link was taken for the program's folder")
    os.chdir(here)
    os.mkdir("o")
    os.symlink(away, "o/001")
    os.symlink(away, "o/latest")
    run("test", "-q", "-o", "o", "./prog", code=1)
    check(os.path.isdir("o/002") and os.readlink("o/latest") == "002", f"{os.listdir('o')}")
    os.mkdir("c")
    os.symlink(os.path.join(away, "coverage.json"), "c/coverage.json")
    run("test", "-q", "-o", "c", "./prog", code=2)
    os.mkdir("s")
    write("list.txt", "./prog\n")
    os.mkdir("s/prog")
    for name in ("prog/report.txt", "prog/result.json", ".state.tmp"):
        os.symlink(os.path.join(away, "coverage.json"), f"s/{name}")
    run("suite", "-q", "-o", "s", "list.txt", code=1)
    check(stat.S_IMODE(os.lstat("s/.lock").st_mode) == 0o600, "others may read what a suite keeps")
    os.mkdir("s2")
    os.symlink(os.path.join(away, "new"), "s2/.lock")
    run("suite", "-q", "-o", "s2", "list.txt", code=2)
    run("clean", "--coverage", "o", "c", "link")
    for name in ("finding-001-exit.plait", "coverage.json"):
        check(open(f"away/{name}", encoding="utf-8").read() == "precious", f"{name} was written through a link")
    check(sorted(os.listdir(away)) == ["coverage.json", "finding-001-exit.plait"], f"new files: {os.listdir(away)}")
    for path in glob.glob("o/002/*"):
        check(not stat.S_IMODE(os.lstat(path).st_mode) & 0o077, f"others may read {path}")


def coverage():
    """Names in a coverage file: HTML and escapes."""
    run("test", "-q", "-k", "-n", "20", "-s", "random", "-o", "cov", "./prog", code=1)
    text = open("cov/coverage.json", encoding="utf-8").read()
    evil = "<script>alert(1)</script>\\u001b[2J"
    check('"add"' in text, text[:300])
    write("cov/coverage.json", text.replace('"add"', f'"{evil}"').replace('"prog.c', '"/etc/passwd'))
    run("coverage", "-v", "cov")
    run("coverage", "--html", "page.html", "cov")
    if os.path.exists("page.html"):
        check("<script>alert" not in open("page.html", encoding="utf-8").read(), "HTML of a file is in the page")
    write("cov/coverage.json", text[:200])
    run("coverage", "cov", code=2)


def unusual():
    """What is no file, has no end or is too large: an answer at once, and not after all of it was read."""
    os.mkfifo("fifo")
    os.symlink("loop", "loop")
    with open("sparse", "w", encoding="ascii") as f:
        f.truncate(1 << 30)
    write("deep", "[" * 5000000)
    text = open(glob.glob("mine-results/finding-*.plait")[0], encoding="utf-8").read()
    write("tail.plait", text)
    os.truncate("tail.plait", 1 << 30)
    resource = "ulimit -v 4000000; exec timeout -s KILL 60 \"$@\""
    for name in ("fifo", "loop", "sparse", "deep", "/dev/zero", "tail.plait", ".", "prog/nothing"):
        for command in (["show", name], ["replay", name], ["minimize", name], ["coverage", name], ["suite", "-n", "1", "-o", "u", name],
                        ["test", "-s", "hapset", "--coverage", name, "./none"], ["test", "--suppressions", name, "./none"],
                        ["test", "--expect-output", name, "./none"], ["test", "--trust", "@" + name, "./none"],
                        ["suite", "--meson", name], ["suite", "--ctest", name], ["list", "findings", name + "/none"]):
            if name == "." and command[0] == "suite":
                continue
            done = subprocess.run(["sh", "-c", resource, "sh", PLAIT, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=120, check=False)
            check(done.returncode in (2, 3), f"{command}: {done.returncode} {done.stdout[:300]!r}")
            check(len(done.stdout) < 2000, f"{command}: {len(done.stdout)} bytes are printed")
    # A pattern that is longer than any name fits nothing, and does not take for ever to say so.
    run("test", "-q", "-s", "exitblock", "--trust", "@deep", "./prog", code=2)
    # A pipe that somebody writes to is a file like others.
    done = subprocess.run(["sh", "-c", f"echo '# none' | '{PLAIT}' test -q -o u --suppressions /dev/stdin ./prog"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120, check=False)
    check(done.returncode == 1, f"suppressions from a pipe: {done}")


def words():
    """What a program prints, everywhere where it is printed; JSON and the files have it as it was."""
    printed = run("test", "-k", "-n", "20", "-s", "random", "--outputs", "--show-output", "-o", "w", "--json", "w.json", "./prog",
                  code=1)
    check("\\x1b[2Jwiped" in printed and "\\x1b[31mred" in printed, printed)
    json.load(open("w.json", encoding="utf-8"))
    data = open(glob.glob("w/finding-*.stdout")[0], "rb").read()
    check(b"\x1b[2Jwiped" in data and data.endswith(b"\xff\n"), f"{data!r}")
    run("test", "-k", "-n", "20", "-s", "random", "--outputs", "--json", "-", "./prog", code=1)
    printed = run("replay", glob.glob("w/finding-*.plait")[0], code=1)
    check("\\x1b[2Jwiped" in printed, printed)
    # A line break in somebody's words makes no line that looks like one of plait's.
    forged = re.compile(r"^finding 7: |^  replay: plait replay evil", re.M)
    line = "x\\nfinding 7: forged\\n  replay: plait replay evil"
    text = open(glob.glob("w/finding-*.plait")[0], encoding="utf-8").read()
    os.mkdir("broken")
    write("broken/finding-001-exit.plait", change(text, (r'^message ".*"', f'message "{line}"'), (r"^finding ", f'location "{line}"\nfinding ')
                                                  if "\nlocation " not in text else (r'^location ".*"', f'location "{line}"')))
    name = "pro\nfinding 7: forged\n  replay: plait replay evil"
    shutil.copy("prog", name)
    for printed in (run("list", "findings", "broken", code=0), run("show", "broken/finding-001-exit.plait", code=0),
                    run("replay", "broken/finding-001-exit.plait"), run("test", "-o", "w2", "--junit", "w2.xml", "./" + name, code=1),
                    run("replay", "w2/finding-001-exit.plait", code=1), run("list", "findings", "w2"), run("suite", "./" + name),
                    run("coverage", "-v", "w2")):
        check(not forged.search(printed), f"a forged line: {printed}")
    check(xml.etree.ElementTree.parse("w2.xml").getroot()[0][0].get("name") == "./" + name, "JUnit has another name")
    os.remove(name)
    os.rename("prog", "pro\033[2Jg")
    run("test", "./pro\033[2Jg", code=1)
    run("list", "findings")
    run("test", "--check", "printf '\\033[2J'; exit 1", "./pro\033[2Jg", code=1)
    run("test", "./no\033[2Jprogram", code=3)
    run("suite", "./pro\033[2Jg", code=1)


def below(top):
    """The folder, and all that is in it; links are not followed."""
    return [os.path.join(folder, f) for folder, folders, files in os.walk(top) for f in (".", *folders, *files)]


def masks():
    """Whatever the umask, what plait makes is the user's to read and nobody else's; the program has the umask as it is."""
    words = f"umask 0777; '{PLAIT}' test -q -s random -n 50 -o masked --check 'umask >&2; exit 1' ./prog; umask 022; '{PLAIT}' replay masked/finding-001-output.plait"
    done = subprocess.run(["sh", "-c", words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
                          check=False, env={**os.environ, "XDG_STATE_HOME": os.path.abspath("masked-key")})
    check("saying '0777'" in done.stdout, f"another umask: {done.stdout}")
    modes = {stat.S_IMODE(os.stat(f).st_mode) for top in ("masked", "masked-key") for f in below(top) if not os.path.islink(f)}
    check(modes == {0o600, 0o700}, f"modes: {[oct(m) for m in modes]}")


def users():
    """Two users and one folder: neither runs nor spoils what is the other's.  As root only, who can be two."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        print("note: not root, so there is one user only")
        return
    os.chmod(".", 0o777)
    here = os.getcwd()
    os.makedirs("shared", exist_ok=True)
    os.chmod("shared", 0o777)
    shutil.copy("prog", "shared/prog")

    def other(*words):
        done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", PLAIT, *words], cwd=os.path.join(here, "shared"), stdout=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, text=True, timeout=120, check=False,
                              env={**os.environ, "HOME": os.path.join(here, "shared/home"), "XDG_STATE_HOME": ""})
        return done.returncode, done.stdout

    folders = itertools.accumulate(os.path.dirname(os.path.realpath(PLAIT)).split(os.sep), lambda a, b: a + os.sep + b)
    if other("--version")[0] != 0 or any(os.stat(f or os.sep).st_mode & stat.S_IXOTH == 0 for f in folders):
        print("note: another user cannot start plait here")
        return
    os.chdir("shared")
    own = {"XDG_STATE_HOME": os.path.join(here, "mine")}
    run("test", "-q", "-s", "random", "./prog", code=1, **own)
    mine = sorted(below(".plait"))
    code, said = other("test", "-q", "-s", "random", "./prog")
    check(code == 2 and "--output" in said, f"the folder of another user: {code} {said}")
    code, said = other("test", "-q", "-s", "random", "-o", "theirs", "./prog")
    check(code == 1, f"a folder of one's own: {code} {said}")
    code, said = other("replay", ".plait/prog/latest/finding-001-exit.plait")
    check(code == 2 and "Permission denied" in said, f"a schedule of another user: {code} {said}")
    code, said = other("clean")
    check(sorted(below(".plait")) == mine, f"cleaned by another user: {code} {said}")
    os.remove("ran.txt")
    said = run("replay", "theirs/latest/finding-001-exit.plait" if os.path.exists("theirs/latest") else "theirs/finding-001-exit.plait",
               code=2, **own)
    check("--run-recorded" in said and not os.path.exists("ran.txt"), f"what another user recorded ran: {said}")
    os.chdir(here)


def main():
    write("prog.c", SOURCE)
    subprocess.run([os.path.join(BIN, "plait-cc"), "-g", "-O0", "-o", "prog", "prog.c"], check=True)
    schedules()
    recordings()
    folders()
    coverage()
    unusual()
    masks()
    users()
    words()
    print("nothing ran, nothing was written elsewhere, nothing was raw")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
        os.chdir("/")
    sys.exit(1 if problems else 0)
