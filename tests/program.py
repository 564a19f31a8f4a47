# SPDX-License-Identifier: MIT
"""program.py FOLDER ARGUMENT...: run_program.py with these arguments; what Python makes of it is kept in the folder, once for
all tests.
"""
import argparse  # noqa: F401  # of these it has kept what it makes of them
import json  # noqa: F401
import os
import shlex  # noqa: F401
import subprocess  # noqa: F401
import sys

sys.pycache_prefix = sys.argv.pop(1)
sys.dont_write_bytecode = False

import run_program  # noqa: E402

status = run_program.main()
sys.stdout.flush()
os._exit(status)  # taking Python apart takes longer than many a program runs
