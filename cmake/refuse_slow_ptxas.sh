#!/bin/sh
# Runs a compiler and fails when ptxas reports what makes a WGMMA kernel slow without making it wrong. ptxas prints these
# as "info", so no warning option turns them into errors:
#   C7508           setmaxnreg ignored
#   C7510 to C7515  wgmma serialised: registers short, accumulators touched between issue and wait, calls
# usage: refuse_slow_ptxas.sh COMPILER ARGUMENTS...
report=$(mktemp) || exit 1
trap 'rm -f "$report"' EXIT
"$@" 2>"$report"
status=$?
cat "$report" >&2
[ "$status" -eq 0 ] || exit "$status"
if grep -q -E '\(C75(08|1[0-5])\)' "$report"; then
  echo "error: ptxas serialised wgmma or ignored setmaxnreg (above)" >&2
  exit 1
fi
