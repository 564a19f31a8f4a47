# SPDX-License-Identifier: MIT
"""left.py BIN [EXECUTIONS]: a program that changes files is killed at random moments, and nothing is left.

The program writes, renames, links, truncates, maps and locks files, makes folders, sockets and shared memory,
and looks at its beginning whether anything of another execution is there.  The tool, a keeper or a runner
is killed by SIGKILL again and again.  Afterwards the working folder, /tmp and /dev/shm are as they were,
in all of the campaigns together there were so many executions, and none has seen another.
"""
import filecmp
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = r"""
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const made[] = {"new", "renamed", "folder/inside", "folder", "socket",
                                   "/tmp/plait-left-file", "/dev/shm/plait-left"};

static void put(const char *path, int flags, const char *text)
{
    int fd = open(path, O_WRONLY | flags, 0644);

    assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

static void *change(void *unused)
{
    put("new", O_CREAT | O_EXCL, "new");
    put("given", 0, "GIVEN");
    assert(rename("given", "renamed") == 0);
    assert(mkdir("folder", 0755) == 0);
    put("folder/inside", O_CREAT | O_EXCL, "inside");
    put("/tmp/plait-left-file", O_CREAT | O_EXCL, "there");
    return unused;
}

static void *map(void *unused)
{
    int fd = open("mapped", O_RDWR);
    char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    assert(p != MAP_FAILED && flock(fd, LOCK_EX) == 0);
    p[0] = 'M';
    int shared = shm_open("/plait-left", O_CREAT | O_EXCL | O_RDWR, 0644);

    assert(shared >= 0 && ftruncate(shared, 4096) == 0);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "socket"};

    assert(bind(s, (struct sockaddr *)&a, sizeof(a)) == 0 && listen(s, 1) == 0);
    assert(truncate("cut", 1) == 0 && unlink("removed") == 0);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    char text[16] = "";

    for (unsigned i = 0; i < sizeof(made) / sizeof(made[0]); i++)
        assert(access(made[i], F_OK) != 0);
    int fd = open("given", O_RDONLY);

    assert(read(fd, text, sizeof(text)) == 5 && strcmp(text, "given") == 0);
    close(fd);
    fd = open("mapped", O_RDONLY);
    assert(read(fd, text, 1) == 1 && text[0] == 'm');
    close(fd);
    assert(access("removed", F_OK) == 0);
    pthread_create(&t[0], NULL, change, NULL);
    pthread_create(&t[1], NULL, map, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
"""


def children(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def listed(place):
    return {p.name for p in pathlib.Path(place).iterdir() if "plait" in p.name}


def everybody(tool):
    found = [tool]
    for pid in found:
        found += children(pid)
    return found


def campaign(plait, number, rng):
    """One campaign, in which somebody is killed; how many executions it has made, and kills."""
    options = ["-j", "2"] if number % 3 == 2 else []
    restart = [[], ["--restart", "fork"], ["--restart", "exec"]][number // 3 % 3]
    tool = subprocess.Popen([plait, "test", "-s", "random", "--seed", str(number), "-n", "400", "-t", "20s", "--files",
                             "overlay", *options, *restart, "--json", "../result.json", "-o", "../out", "./left"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    time.sleep(rng.uniform(0.1, 0.6))
    alone = number % 2 == 0
    victims = [tool.pid] if alone else everybody(tool.pid)[1:]
    kills = 0
    if victims and tool.poll() is None:
        try:
            os.kill(rng.choice(victims), signal.SIGKILL)
            kills = 1
        except ProcessLookupError:
            pass
    said, _ = tool.communicate(timeout=600)
    if tool.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"campaign {number}: exit status {tool.returncode}\n{said}")
    result = pathlib.Path("../result.json")
    made = json.loads(result.read_text())["executions"] if tool.returncode == 0 else 0
    result.unlink(missing_ok=True)
    return made, kills


def main():
    plait, wanted = os.path.abspath(sys.argv[1]) + "/plait", int(sys.argv[2]) if len(sys.argv) > 2 else 800
    rng = random.Random(1)
    base = tempfile.mkdtemp(prefix="plait-robust-")
    work = pathlib.Path(base) / "work"
    before = {place: listed(place) for place in ("/tmp", "/dev/shm")}
    try:
        work.mkdir()
        os.chdir(work)
        pathlib.Path("../left.c").write_text(PROGRAM)
        subprocess.run([plait, "cc", "-g", "../left.c", "-o", "left", "-lpthread", "-lrt"], check=True)
        for name, text in (("given", "given"), ("mapped", "m" * 4096), ("cut", "cut"), ("removed", "removed")):
            pathlib.Path(name).write_text(text)
        shutil.copytree(work, "../copy")
        executions = number = kills = 0
        while executions < wanted or kills < wanted // 100:
            made, killed = campaign(plait, number, rng)
            executions += made
            kills += killed
            number += 1
            compared = filecmp.dircmp(work, "../copy", ignore=[])
            changed = compared.left_only + compared.right_only + compared.diff_files
            if changed:
                sys.exit(f"campaign {number} has left {changed}")
        for _ in range(50):  # what is dying ends
            left = {place: listed(place) - before[place] for place in before}
            if not any(left.values()):
                break
            time.sleep(0.1)
        left["/tmp"].discard(pathlib.Path(base).name)
        mine = {name for place in left for name in left[place] if name.startswith("plait-left")}
        if mine:
            sys.exit(f"left: {mine}")
        print(f"{executions} executions in {number} campaigns with {kills} kills; nothing is left")
    finally:
        os.chdir("/")
        shutil.rmtree(base)


main()
