#!/bin/sh
# The main job from training to C: run by `make demo` with the environment's programs first in PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-build/digits}

python "$here/train.py" --out "$out"
echo
cc -O2 "$here/digits.c" -o "$out/digits" $(python -m tsm config --cflags --libs)
"$out/digits" "$out/digits.tsm" "$out/digits.bin" "$out/predictions.txt"
python "$here/compare.py" "$out"
