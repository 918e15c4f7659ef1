# SPDX-License-Identifier: Apache-2.0
# What the scripts share: messages, folders, Debian package lists, and how this machine starts MPI programs.
# To be sourced by bash, not run.

tailrace_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
TAILRACE_DEPS=${TAILRACE_DEPS:-$HOME/.local/share/tailrace}
if [[ $TAILRACE_DEPS != /* ]]; then TAILRACE_DEPS=$PWD/$TAILRACE_DEPS; fi
export HOME TAILRACE_DEPS

# Needed to build, to run and to draw.
packages_build=(build-essential cmake openmpi-bin libopenmpi-dev libhdf5-openmpi-dev libyaml-cpp-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev libmetis-dev libgtest-dev libbenchmark-dev
  python3 python3-numpy python3-h5py python3-matplotlib)
# Needed by scripts/test besides. Newer releases have no clang-format 14; there the check of the layout is skipped.
packages_test=(hdf5-tools)
if grep -qxs 'VERSION_CODENAME=bookworm' /etc/os-release; then packages_test+=(clang-format-14); fi

# The system's Python has the packages above; another one may come first in PATH.
system_python=python3
if [[ -x /usr/bin/python3 ]]; then system_python=/usr/bin/python3; fi

script_name=$(basename "$0")
say() { printf '[%s] %s\n' "$script_name" "$*"; }
warn() { printf '[%s] warning: %s\n' "$script_name" "$*" >&2; }
die() {
  printf '[%s] error: %s\n' "$script_name" "$*" >&2
  exit 1
}

# How many processors this process may use, by affinity and by the quota of its container.
cores() {
  local count quota period
  count=$(nproc)
  if read -r quota period </sys/fs/cgroup/cpu.max && [[ $quota != max ]]; then
    quota=$(((quota + period - 1) / period))
    if ((quota < count)); then count=$quota; fi
  fi 2>/dev/null
  echo "$count"
}

# Configures and builds preset $1; further arguments go to `cmake --build`.
build_preset() {
  local preset=$1 folder=$tailrace_source/build/$1 started=$SECONDS
  shift
  mkdir -p "$folder" 2>/dev/null && [[ -w $folder ]] ||
    die "cannot write to $folder: run this in a clone of your own"
  # A build folder that was moved or copied together with its sources is of no use.
  if [[ -f $folder/CMakeCache.txt ]] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$tailrace_source" "$folder/CMakeCache.txt"; then
    rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
  fi
  say "building $preset in build/$preset"
  (
    cd "$tailrace_source"
    cmake --preset "$preset" >"$folder/configure.log" 2>&1 || {
      cat "$folder/configure.log" >&2
      exit 1
    }
    cmake --build --preset "$preset" -j "$(cores)" "$@"
  ) || die "the build of preset $preset failed"
  say "built $preset in $((SECONDS - started)) s"
}

is_open_mpi() { mpirun --version 2>/dev/null | grep -qiE 'open mpi|openrte|prte'; }

is_container() { [[ -e /.dockerenv || -e /run/.containerenv ]]; }

# Sets mpi_launch to the command that starts $1 ranks here; switches of Open MPI only where it needs them.
prepare_mpi() {
  local ranks=$1 physical
  command -v mpirun >/dev/null || die "mpirun is not in PATH; install the package openmpi-bin"
  mpi_launch=(mpirun -n "$ranks")
  is_open_mpi || return 0
  if [[ $(id -u) == 0 ]]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  if is_container; then
    # Containers commonly forbid one process to read another's memory.
    export OMPI_MCA_btl_vader_single_copy_mechanism=${OMPI_MCA_btl_vader_single_copy_mechanism:-none}
  fi
  # Open MPI counts physical cores, not the processors that the system shows.
  physical=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l) || true
  if ((ranks > $(nproc))); then
    mpi_launch+=(--oversubscribe)
  elif ((ranks > physical)); then
    mpi_launch+=(--use-hwthread-cpus)
  fi
}
