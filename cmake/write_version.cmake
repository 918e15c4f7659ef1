# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, the header with version and git hash; at build time, so that the hash is that of what is built.
# Without git, or outside a clone, the hash is "unknown".

set(git_hash "unknown")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND described)
    set(git_hash "${described}")
  endif()
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/tailrace_version.hpp.in" "${OUTPUT}" @ONLY) # touches it only on change
