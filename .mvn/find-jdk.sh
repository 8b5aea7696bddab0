# Sourced by mvnw and evenkeel (POSIX sh). Exports JAVA_HOME so that it names a JDK 25 or newer, taking the first of: JAVA_HOME,
# JDK25_HOME, the javac on PATH, and the places where systems and version managers put JDKs. Where there is none it says
# so in one line and exits with 1. It reads each candidate's `release` file and starts no process where one is found early.

is_new_jdk() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r release_line; do
    case "$release_line" in
    JAVA_VERSION=\"[1-9]*)
      release_line=${release_line#*\"}
      [ "${release_line%%[!0-9]*}" -ge 25 ]
      return
      ;;
    esac
  done <"$1/release"
  return 1
}

new_jdk_among() {
  for jdk_candidate in "$@"; do
    if is_new_jdk "$jdk_candidate"; then
      JAVA_HOME=$jdk_candidate
      return 0
    fi
  done
  return 1
}

new_jdk_on_path() {
  jdk_javac=$(command -v javac) || return 1
  jdk_javac=$(readlink -f "$jdk_javac" 2>/dev/null) || return 1
  new_jdk_among "${jdk_javac%/bin/javac}"
}

new_jdk_installed() {
  new_jdk_among \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* /opt/jdk/* /opt/jdks/* \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* "${HOME-}"/.asdf/installs/java/* \
    "${HOME-}"/.local/share/mise/installs/java/* "${HOME-}"/.jabba/jdk/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home
}

find_jdk() {
  new_jdk_among "${JAVA_HOME:-/nonexistent}" "${JDK25_HOME:-/nonexistent}" || new_jdk_on_path && return 0
  case $- in
  *f*) # mvnw switches globbing off; the list above needs it
    set +f
    new_jdk_installed && jdk_found=0 || jdk_found=1
    set -f
    return $jdk_found
    ;;
  *) new_jdk_installed ;;
  esac
}

if find_jdk; then
  export JAVA_HOME
else
  echo "Evenkeel needs a JDK 25 or newer and found none: install one (Debian/Ubuntu: openjdk-25-jdk or temurin-25-jdk, macOS: brew install openjdk@25, any: https://adoptium.net) or set JAVA_HOME to it." >&2
  exit 1
fi
