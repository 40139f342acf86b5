#!/bin/sh
# Makes a virtual environment with the PyPI package varlink, a Varlink client that the daemon is tested with.
#
#   make-python-client.sh DIRECTORY
#
# What is there already is kept. Exit code 1, and a sentence on standard error, where it cannot be made.
set -eu

version=31.0.0

if [ $# -ne 1 ]; then
    echo "usage: make-python-client.sh DIRECTORY" >&2
    exit 2
fi
directory=$1
python=$directory/bin/python3

fail() {
    echo "make-python-client.sh: $1" >&2
    exit 1
}

installed() {
    "$python" -c "import importlib.metadata, varlink
assert importlib.metadata.version('varlink') == '$version'" 2>/dev/null
}

if installed; then
    echo "varlink $version is in $directory"
    exit 0
fi

command -v python3 >/dev/null || fail "there is no python3 (Debian: apt-get install python3)"
echo "making a virtual environment in $directory"
# One that was left half made is begun anew.
python3 -m venv --clear "$directory" \
    || fail "python3 -m venv failed (Debian: apt-get install python3-venv)"
echo "installing varlink $version from PyPI"
"$python" -m pip install --quiet --disable-pip-version-check --no-input --retries 2 --timeout 20 \
    "varlink==$version" || fail "pip could not install varlink $version"
installed || fail "varlink $version was installed but cannot be used"
echo "varlink $version is in $directory"
