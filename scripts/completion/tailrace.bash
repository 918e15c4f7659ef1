# SPDX-License-Identifier: Apache-2.0
# Completion of tailrace's commands, options and files in bash.

_tailrace() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command= word extensions options=--help
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then
      command=$word
      break
    fi
  done

  case $command in
    "")
      mapfile -t COMPREPLY < <(compgen -W "run topo diff params --version --help" -- "$current")
      return
      ;;
    run) options+=" -o --set --dry-run --json --quiet" extensions='yaml|yml' ;;
    topo) options+=" --set" extensions='yaml|yml' ;;
    diff) options+=" --tolerance" extensions='h5' ;;
    params)
      options+=" --markdown"
      # The keys themselves, as the program lists them.
      mapfile -t COMPREPLY < <(compgen -W "$options $("${COMP_WORDS[0]}" params 2>/dev/null | grep -oE '^[a-z_]+(\.[a-z_]+)+')" -- "$current")
      return
      ;;
    *) return ;;
  esac
  case $previous in
    -o | --output) options= extensions='h5' ;;
    --json) options= extensions='json' ;;
    --set | --tolerance) return ;;
  esac

  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(
    compgen -W "$options" -- "$current"
    compgen -d -- "$current"
    shopt -s extglob
    compgen -f -X "!*.@($extensions)" -- "$current"
  )
}
complete -F _tailrace tailrace
