#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzz the schedule reader: tests/fuzz/run.sh [SECONDS [FOLDER]]
#
# Builds with clang's libFuzzer and sanitizers in FOLDER (default build/fuzz),
# starts from tests/fuzz/corpus and keeps new inputs and crashers in FOLDER.
# `run.sh merge [FOLDER]` then adds the inputs that reach new code to the corpus.
# Needs clang and libclang-rt-dev.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-600}
folder=${2:-$root/build/fuzz}
corpus=$root/tests/fuzz/corpus
src=$root/src
mkdir -p "$folder/found"

clang -std=gnu17 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined \
    -fno-sanitize-recover=undefined -I"$src" -o "$folder/fuzz_schedule" \
    "$root/tests/fuzz/fuzz_schedule.c" \
    "$src"/trace/*.c "$src/report/fit.c" "$src/report/source.c" "$src/report/table.c" \
    "$src/report/table_text.c" "$src/base/err.c" "$src/base/text.c" "$src/model/choice.c" \
    "$src/model/finding.c" "$src/model/name.c" "$src/model/operation.c"

cd "$folder"
if [ "$seconds" = merge ]; then
    exec ./fuzz_schedule -merge=1 -use_counters=0 -max_len=4096 "$corpus" found
fi
exec ./fuzz_schedule -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 \
    -dict="$root/tests/fuzz/schedule.dict" -print_final_stats=1 found "$corpus"
