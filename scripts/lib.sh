# SPDX-License-Identifier: Apache-2.0
# What the scripts share: messages, folders, Debian package lists, and how this machine starts MPI programs.
# To be sourced by bash, not run.

tailrace_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
TAILRACE_DEPS=${TAILRACE_DEPS:-$HOME/.local/share/tailrace}
export HOME TAILRACE_DEPS

# Needed to build, to run and to draw.
packages_build=(build-essential cmake openmpi-bin libopenmpi-dev libhdf5-openmpi-dev libyaml-cpp-dev
  libcli11-dev libfmt-dev libmetis-dev libgtest-dev libbenchmark-dev
  python3 python3-numpy python3-h5py python3-matplotlib)
# Needed by scripts/test besides.
packages_test=(clang-format-14 hdf5-tools)

script_name=$(basename "$0")
say() { printf '[%s] %s\n' "$script_name" "$*"; }
warn() { printf '[%s] warning: %s\n' "$script_name" "$*" >&2; }
die() {
  printf '[%s] error: %s\n' "$script_name" "$*" >&2
  exit 1
}

# The processors that this process may use.
cores() { nproc; }

is_open_mpi() { mpirun --version 2>/dev/null | grep -qiE 'open mpi|openrte|prte'; }

# Sets mpi_launch to the command that starts $1 ranks here; switches of Open MPI only where it needs them.
prepare_mpi() {
  local ranks=$1 physical
  command -v mpirun >/dev/null || die "mpirun is not in PATH; install the package openmpi-bin"
  mpi_launch=(mpirun -n "$ranks")
  is_open_mpi || return 0
  if [[ $(id -u) == 0 ]]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  # Open MPI counts physical cores as slots, and containers may show fewer than there are processors.
  physical=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l)
  if ((ranks > physical)); then
    mpi_launch+=(--oversubscribe --bind-to none)
  fi
}
