#!/bin/sh
# SPDX-License-Identifier: MIT
# Looks at the sources without running them.
# usage: tools/lint.sh BUILD
# The layout check is the rule; cppcheck and shellcheck are used when they are there.
set -eu
build=$1

python3 -B tests/project/format.py .
python3 -B tests/project/includes.py .
python3 -B tests/project/spdx.py .
python3 -B tests/project/words.py .
if command -v cppcheck >/dev/null 2>&1; then
    cppcheck --quiet --enable=warning,portability --inline-suppr --error-exitcode=1 \
        --suppress=missingIncludeSystem --suppress='*:*/tests/*' \
        --project="$build/compile_commands.json"
fi
if command -v shellcheck >/dev/null 2>&1; then
    find tools tests .ci \( -name '*.sh' -o -path tools/setup -o -path .ci/run \) -type f \
        -exec shellcheck -x -S warning {} +
fi
