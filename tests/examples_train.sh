#!/bin/sh
# Trains the example on MNIST twice: tests/examples_train.sh TRAIN FOLDER EPOCHS
#
# The losses of all steps have to be the same in both runs, bit for bit, and at least 97 % of the
# images that were held out read right. Where FOLDER has no MNIST test set the test is skipped.
set -eu
train=$1 folder=$2 epochs=$3
for name in t10k-images-idx3-ubyte t10k-labels-idx1-ubyte; do
  if [ ! -e "$folder/$name" ] && [ ! -e "$folder/$name.gz" ]; then
    echo "skipped: $folder has no $name"
    exit 77
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Programs that were built without zlib read no .gz.
for file in "$folder"/t10k-images-idx3-ubyte* "$folder"/t10k-labels-idx1-ubyte*; do
  name=$(basename "$file" .gz)
  case $file in
    *.gz) gzip -dc "$file" >"$work/$name" ;;
    *) cp "$file" "$work/$name" ;;
  esac
done
for run in 1 2; do
  "$train" "$work" --epochs "$epochs" --seed 1 --device builtin --out "$work/curve.ppm" \
    --losses "$work/losses$run" >"$work/said$run"
  cat "$work/said$run"
done
steps=$((epochs * 125))
bytes=$(wc -c <"$work/losses1")
if [ "$bytes" -ne $((steps * 4)) ]; then
  echo "$bytes bytes of losses for $steps steps"
  exit 1
fi
if ! cmp "$work/losses1" "$work/losses2"; then
  echo "the losses differ"
  exit 1
fi
share=$(sed -n "s/^epoch *$epochs: .* \\([0-9.]*\\) % of the held-out.*/\\1/p" "$work/said2")
if ! awk -v share="${share:-0}" 'BEGIN { exit !(share >= 97) }'; then
  echo "$share % of the held-out images are read right; at least 97 have to be"
  exit 1
fi
