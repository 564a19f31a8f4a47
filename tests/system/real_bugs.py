# SPDX-License-Identifier: MIT
"""real_bugs.py BUILD SOURCES --package NAME [--find SECONDS] [--replays N]: bugs in programs of real_programs.py.

Each is one line of the source that is changed back, or away, before the program is built: the bug is found while the
program does its job, made simpler, explained, and replayed.  Exits with 77 when the sources cannot be had.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import packages
import real
from real_programs import PROGRAMS

# What went wrong; the file; words before the line; the line and what it becomes; which job shows it; what that comes
# to; options of plait.
Bug = collections.namedtuple("Bug", "what file before line becomes job kinds options", defaults=((),))

BUGS = {
    "pbzip2": [
        Bug("0.9.4: main does not wait for those who compress, and frees the queue with its mutex", "pbzip2.cpp",
            "fifo->consumers", "ret = pthread_join(fifo->consumers[i], NULL);",
            "ret = pthread_detach(fifo->consumers[i]);", 0, ["use-after-free", "misuse", "crash"])],
    "zstd": [
        Bug("pool: whoever has done a job does not say so", "lib/common/pool.c", "signal after finishing job",
            "ZSTD_pthread_cond_signal(&ctx->queuePushCond);", "", 1, ["deadlock"]),
        Bug("pool: at the end one of those who wait is woken, not all", "lib/common/pool.c", "static void POOL_join",
            "ZSTD_pthread_cond_broadcast(&ctx->queuePopCond);", "ZSTD_pthread_cond_signal(&ctx->queuePopCond);", 1,
            ["deadlock"]),
        Bug("pool: room in the queue is looked for once", "lib/common/pool.c", "Wait until there is space",
            "while (isQueueFull(ctx) && (!ctx->shutdown)) {", "if (isQueueFull(ctx) && (!ctx->shutdown)) {", 1,
            ["deadlock", "exit", "assertion", "misuse"])],
    "leveldb": [
        Bug("whoever writes does not wake the next one in the queue", "db/db_impl.cc", "Notify new head of write queue",
            "writers_.front()->cv.Signal();", ";", 0, ["deadlock"])],
    "libuv": [
        Bug("a sender is noted and not cleared: the next one wakes nobody", "src/unix/async.c",
            "fetch and clear pending flag", "if (atomic_exchange(pending, 0) == 0)", "if (atomic_load(pending) == 0)",
            0, ["deadlock"]),
        Bug("before \"fix race condition in uv_async_send()\": who closes a handle does not wait for a sender that is still at it",
            "src/unix/async.c", "void uv__async_close", "uv__async_spin(handle);", "", 1, ["use-after-free"])],
    "xz": [
        Bug("CVE-2025-31115: a thread that unpacks frees its input after an error, while more is written there",
            "src/liblzma/common/stream_decoder_mt.c", "threads_end() sets thr->state = THR_EXIT.",
            "if (ret == LZMA_STREAM_END) {", "{", 1, ["use-after-free"])],
    "libevent": [
        Bug("before 43d92a6d: the loop reads which event it was without the lock", "event.c", "static inline void\nevent_persist_closure",
            "(evcb_callback)(evcb_fd, evcb_res, evcb_arg);", "(evcb_callback)(evcb_fd, ev->ev_res, evcb_arg);", 1, ["deadlock"])],
    "liburcu": [
        Bug("the period does not change: nobody is waited for", "src/urcu.c", "Switch parity",
            "CMM_STORE_SHARED(rcu_gp.ctr, rcu_gp.ctr ^ URCU_GP_CTR_PHASE);", ";", 0, ["use-after-free"])],
}


def change(folder, bug):
    path = pathlib.Path(folder, bug.file)
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    at = text.find(bug.line, max(text.find(bug.before), 0))
    if at < 0:
        packages.fail("%s has no line %r" % (bug.file, bug.line))
    path.write_text(text[:at] + bug.becomes + text[at + len(bug.line):], encoding="utf-8", errors="surrogateescape")


def find(options, plait, folder, bug):
    """Found, made simpler and explained, then replayed."""
    job = PROGRAMS[options.package].jobs[bug.job]
    path = os.path.join(folder, "bug.json")
    begin = time.monotonic()
    done = subprocess.run([plait, "test", "-t", f"{options.find}s", "--hang-time", "10m", *bug.options, *job.options,
                           *real.more_options(job, plait, folder), "--json", path, "-o", "bug", "--", *job.command],
                          cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=options.find + packages.SLACK)
    took = time.monotonic() - begin
    if done.returncode != 1:
        packages.fail("%s: exit status %d\n%s" % (bug.what, done.returncode, done.stdout))
    finding = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["findings"][0]
    if finding["kind"] not in bug.kinds or not finding.get("replays", True):
        packages.fail("%s\n%s" % (bug.what, done.stdout))
    for number in range(options.replays):
        again = subprocess.run([plait, "replay", "--hang-time", "10m", finding["schedule"]], cwd=folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", timeout=packages.SLACK)
        if again.returncode != 1 or finding["kind"] + ":" not in again.stdout:
            packages.fail("%s: replay %d\n%s" % (bug.what, number + 1, again.stdout))
    print("| %s | %s | %s | %d | %.0f | %d of %d |" % (
        options.package, bug.what, finding["kind"], finding["execution"], took, options.replays, options.replays))
    print(done.stdout, flush=True)


def main():
    parser = packages.arguments(BUGS, "zstd", 0, 120, 20)
    parser.add_argument("--bug", type=int)
    parser.add_argument("--folder", help="a copy that has been built")
    options = parser.parse_args()
    program = PROGRAMS[options.package]
    bin_ = os.path.abspath(options.build) + "/bin"
    for number, bug in enumerate(BUGS[options.package]):
        if options.bug not in (None, number):
            continue
        work = tempfile.mkdtemp(prefix="plait-bugs-")
        folder = os.path.join(work, "source")
        try:
            if options.folder:
                shutil.copytree(options.folder, folder, symlinks=True)
            else:
                real.unpack(options, program, folder)
            change(folder, bug)
            real.build(program, bin_, folder)
            find(options, bin_ + "/plait", folder, bug)
        finally:
            shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
