#!/bin/sh
# Tool Console @VERSION@ as one file: this script, with the program packed behind it.
#
# It is no AppImage: nothing is mounted. The first start unpacks the program into a folder of yours, and later starts
# run it from there. It needs sh, tar, gzip and tail, which every Linux has.
#
#   TOOL_CONSOLE_UNPACK=DIR    unpack into the new folder DIR and start nothing
#   TOOL_CONSOLE_UNPACK=remove remove what was unpacked, of every version, and start nothing
set -eu

fail() {
    printf 'tool-console: %s\n' "$*" >&2
    exit 1
}

unpack() {
    # A name of its own until it is whole: another start may look meanwhile, or this one may be killed.
    half=$(mktemp -d "$1.XXXXXX") || fail "$1 cannot be made; free some space, or name another folder in XDG_DATA_HOME"
    trap 'rm -rf "$half"' EXIT
    trap 'exit 1' HUP INT TERM
    tail -c +@OFFSET@ "$0" | tar -xzmf - -C "$half" --strip-components=1 --no-same-owner ||
        fail "it cannot be unpacked into $half: the disk is full, or this file is damaged and wants to be fetched anew"
    chmod 755 "$half"
    # Whoever came first has it; both are the same.
    mv -T "$half" "$1" 2>/dev/null || [ -x "$1/tool-console" ] || fail "$1 is in the way; move it"
    rm -rf "$half"
    trap - EXIT HUP INT TERM
}

unpacked=${XDG_DATA_HOME:-${HOME:?has to name your home folder}/.local/share}/tool-console-program
case ${TOOL_CONSOLE_UNPACK:-} in
    "") ;;
    remove)
        rm -rf "$unpacked"
        exit
        ;;
    *)
        [ ! -e "$TOOL_CONSOLE_UNPACK" ] || fail "TOOL_CONSOLE_UNPACK: expected a folder that is not there yet, got $TOOL_CONSOLE_UNPACK"
        unpack "$TOOL_CONSOLE_UNPACK"
        exit
        ;;
esac

program=$unpacked/@VERSION@-@DIGEST@
if [ ! -x "$program/tool-console" ]; then
    mkdir -p "$unpacked" || fail "$unpacked cannot be made; name another folder in XDG_DATA_HOME"
    printf 'tool-console: unpacking into %s, once\n' "$program" >&2
    unpack "$program"
fi
exec "$program/tool-console" "$@"
