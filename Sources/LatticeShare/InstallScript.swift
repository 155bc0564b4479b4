/// What `curl -fsSL URL | sh` runs: it fetches the program, checks it, puts it in its place, and starts it.
struct InstallScript {
    let text: String

    /// - Parameter base: the address by which the client reached this machine, without a slash at the end.
    init(_ offer: Offer, _ base: String) {
        let values = [
            ("base", base), ("size", "\(offer.program.bytes)"), ("sum", offer.program.sum),
            ("machine", offer.machine), ("sources", offer.source == nil ? "" : base + SharedFile.Kind.source.path),
        ]
        let next = offer.next()
        text =
            Self.head + values.map { "    \($0)=\(ShellWords.quoted($1))\n" }.joined()
            + "    next=\(ShellWords.quoted(ShellWords.text(next)))\n" + Self.body
            + "    set -- \(next.map(ShellWords.quoted).joined(separator: " "))\n" + Self.end
    }

    private static let head = """
        #!/bin/sh
        # Installs lattice for the person who runs this, and starts it. Options: sh -s -- [--dir DIR] [--no-start]
        # All of it is one function, which the last line calls: half a script does nothing.
        lattice_install() {

        """

    private static let body = #"""
            folder=''
            start=yes
            say() { printf '%s\n' "$*"; }
            fail() {
                printf 'lattice: %s\n' "$*" >&2
                exit 1
            }
            has() { command -v "$1" >/dev/null 2>&1; }
            # The first word that the tool prints.
            sum_of() {
                if has sha256sum; then
                    set -- "$(sha256sum <"$1")"
                elif has busybox && busybox sha256sum </dev/null >/dev/null 2>&1; then
                    set -- "$(busybox sha256sum <"$1")"
                elif has shasum; then
                    set -- "$(shasum -a 256 <"$1")"
                elif has openssl; then
                    set -- "$(openssl dgst -sha256 -r <"$1")"
                else
                    set -- ''
                fi
                printf '%s\n' "${1%% *}"
            }
            length_of() { if [ -f "$1" ]; then echo $(($(wc -c <"$1"))); else echo 0; fi; }
            megabytes() { echo "$(($1 / 1000000)).$(($1 / 100000 % 10)) MB"; }
            # Goes on where an earlier download ended.
            fetch() {
                if has curl; then
                    meter=--silent
                    if [ -t 2 ]; then meter=--progress-bar; fi
                    curl --fail $meter --show-error --connect-timeout 10 --speed-limit 1 --speed-time 30 \
                        --continue-at - --output "$part" "$base/lattice"
                elif wget --version 2>/dev/null | grep -q GNU; then
                    meter=
                    if [ -t 2 ]; then meter=--show-progress; fi
                    wget -q $meter --tries=1 --timeout=30 -c -O "$part" "$base/lattice"
                else
                    # The timeout of busybox crashes in some builds.
                    wget -q -c -O "$part" "$base/lattice"
                fi
            }

            while [ $# -gt 0 ]; do
                case $1 in
                --dir)
                    if [ $# -lt 2 ]; then fail "--dir needs a folder"; fi
                    folder=$2
                    shift
                    ;;
                --dir=?*) folder=${1#*=} ;;
                --no-start) start=no ;;
                *)
                    printf 'lattice: unknown option %s; there are --dir DIR and --no-start\n' "$1" >&2
                    exit 2
                    ;;
                esac
                shift
            done

            system=$(uname -s)
            if [ "$system" != Linux ]; then fail "the program runs on Linux, and this is $system"; fi
            here=$(uname -m)
            case $here in
            amd64) here=x86_64 ;;
            arm64) here=aarch64 ;;
            esac
            if [ "$here" != "$machine" ]; then
                way="ask for a program for $here"
                if [ -n "$sources" ]; then way="build it from the sources: $sources"; fi
                fail "the program is for $machine, and this machine is $here; $way"
            fi
            if ! has curl && ! has wget; then fail "this needs curl or wget"; fi
            if [ -z "$(sum_of /dev/null)" ]; then
                fail "nothing here can check SHA-256; install sha256sum, busybox or openssl"
            fi

            if [ -z "$folder" ]; then
                if [ -z "${HOME:-}" ]; then
                    fail "HOME is not set; name a folder: curl -fsSL $base/ | sh -s -- --dir DIR"
                fi
                folder=$HOME/.local/bin
            fi
            case $folder in
            /*) ;;
            *) folder=$(pwd)/$folder ;;
            esac
            mkdir -p "$folder" 2>/dev/null || fail "cannot make the folder $folder; name another with --dir DIR"
            if [ ! -w "$folder" ]; then fail "cannot write to $folder; name another folder with --dir DIR"; fi

            target=$folder/lattice
            part=$folder/.lattice-$(printf '%.12s' "$sum").part
            old=
            present=no
            if [ -d "$target" ]; then fail "$target is a folder; move it away, or name another folder with --dir DIR"; fi
            if [ -e "$target" ]; then
                if [ "$(sum_of "$target")" = "$sum" ]; then
                    present=yes
                else
                    old=$("$target" --version </dev/null 2>/dev/null | sed -n 1p)
                    case $old in
                    'lattice '*) ;;
                    *) fail "$target is another program; move it away, or name another folder with --dir DIR" ;;
                    esac
                fi
            fi

            trap 'printf "\nlattice: stopped; the same command goes on from here\n" >&2; exit 130' INT TERM
            if [ $present = no ]; then
                say "Fetching lattice, $(megabytes "$size"), from $base"
                idle=0
                while
                    have=$(length_of "$part")
                    if [ "$have" -gt "$size" ]; then
                        rm -f "$part"
                        have=0
                    fi
                    [ "$have" -lt "$size" ]
                do
                    free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print $4 }' 2>/dev/null)
                    if [ -n "$free" ] && [ "$free" -lt $(((size - have + 1023) / 1024)) ]; then
                        fail "no room on the disk: $folder has $(megabytes $((free * 1024))) free, and" \
                            "$(megabytes $((size - have))) are needed; free some, or name another folder with --dir DIR"
                    fi
                    if [ $idle -ge 4 ]; then
                        fail "the download broke off after $have of $size bytes; the same command goes on from there"
                    fi
                    if [ $idle -gt 0 ]; then sleep 1; fi
                    fetch || true
                    if [ "$(length_of "$part")" -gt "$have" ]; then idle=0; else idle=$((idle + 1)); fi
                done
                got=$(sum_of "$part")
                if [ "$got" != "$sum" ]; then
                    rm -f "$part"
                    fail "the download is damaged and was removed; its SHA-256 is $got" \
                        "and should be $sum; try again"
                fi
                chmod 755 "$part" || fail "cannot make $part executable"
                new=$("$part" --version </dev/null 2>&1) || {
                    rm -f "$part"
                    fail "the program does not start on this system ($(printf '%s\n' "$new" | sed -n 1p));" \
                        "it needs glibc, and a folder from which programs may run"
                }
                mv -f "$part" "$target" || fail "cannot replace $target"
            fi
            trap - INT TERM

            new=$("$target" --version </dev/null 2>/dev/null | sed -n 1p)
            if [ $present = yes ]; then
                say "$target is there already: $new"
            elif [ -n "$old" ]; then
                say "Replaced $old in $target with $new"
            else
                say "Installed $new as $target"
            fi
            say "SHA-256 $sum"
            call=lattice
            case :$PATH: in
            *:"$folder":*) if [ "$(command -v lattice)" != "$target" ]; then call=$target; fi ;;
            *)
                call=$target
                say "To call it by its name: export PATH=\"$folder:\$PATH\""
                ;;
            esac

        """#

    private static let end = #"""
            if [ $start = yes ] && [ -t 1 ] && (exec </dev/tty) 2>/dev/null; then
                say "Starting: $call $next"
                exec "$target" "$@" </dev/tty
            fi
            say "Next: $call $next"
        }
        { lattice_install "$@"; }

        """#
}
