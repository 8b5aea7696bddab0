# Prints the commit that this checkout is at, with -dirty where files were changed since, and its date; nothing where it is no git
# repository itself, though it may lie in one. Run by scheduler-app's build and by evenkeel (POSIX sh).
cd "$(dirname "$0")/.." || exit
GIT_CEILING_DIRECTORIES=$(cd .. && pwd -P)
GIT_OPTIONAL_LOCKS=0 # others have them
export GIT_CEILING_DIRECTORIES GIT_OPTIONAL_LOCKS
unset GIT_DIR GIT_WORK_TREE
commit=$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null) || exit 0
echo "$commit $(git log -1 --format=%cs)"
