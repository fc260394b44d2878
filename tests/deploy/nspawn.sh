#!/usr/bin/env bash
# Install, boot, play, hang, kill, install again and uninstall inside a Debian of its own (systemd-nspawn).
# nspawn.sh bookworm|trixie [FOLDER]   prints one line of JSON; exit status 77: it cannot be done here.
set -euo pipefail

SUITE="${1:?bookworm or trixie}"
HERE="$(cd "$(dirname "$0")/../.." && pwd)"
CACHE="${2:-$HERE/build/nspawn}"
BASE="$CACHE/$SUITE"
TABLE="$CACHE/$SUITE-table"
case "$SUITE" in bookworm) PYTHON=3.11 ;; trixie) PYTHON=3.13 ;; *) echo "unknown suite $SUITE" >&2; exit 2 ;; esac

skip() { echo "skipped: $*" >&2; exit 77; }
[ "$(id -u)" = 0 ] || skip "root is needed"
command -v systemd-nspawn >/dev/null || skip "systemd-nspawn is missing; apt install systemd-container"
command -v debootstrap >/dev/null || skip "debootstrap is missing; apt install debootstrap"

boot() { # boots once; what inside.py prints is in result.json; the table switches itself off
  # Its own network, a loopback only: no internet, and no table of the machine around it that holds the port.
  rm -f "$TABLE/root/result.json"
  timeout 900 systemd-nspawn -q -D "$TABLE" -b --private-network --console=pipe --register=no --keep-unit \
    </dev/null >"$CACHE/$SUITE.$1.log" 2>&1 || true
  [ -s "$TABLE/root/result.json" ] || { tail -30 "$CACHE/$SUITE.$1.log" >&2; echo "$1: no result" >&2; exit 1; }
}

mkdir -p "$CACHE"
if [ ! -e "$BASE/.whole" ]; then
  rm -rf "$BASE"
  mirror="$(apt-cache policy 2>/dev/null | grep -oE 'https?://[^ ]*/debian' | head -1)"
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,udev,python3,python3-venv,make \
    "$SUITE" "$BASE" ${mirror:+"$mirror"} >"$CACHE/$SUITE.debootstrap.log" 2>&1 || skip "debootstrap failed"
  touch "$BASE/.whole"
fi
systemd-nspawn -q -D "$BASE" --private-network --register=no --keep-unit /bin/true 2>/dev/null || skip "nspawn cannot run here"

FOLDER="$CACHE/$SUITE-folder" # what a maker has downloaded, with its wheels
rm -rf "$FOLDER"
mkdir -p "$FOLDER"
git -C "$HERE" archive HEAD | tar -C "$FOLDER" -xf -
mkdir -p "$FOLDER/deploy/wheels"
"${PYTHON_HERE:-python3}" -m pip wheel --quiet --no-deps --wheel-dir "$FOLDER/deploy/wheels" "$FOLDER" 2>/dev/null
"${PYTHON_HERE:-python3}" "$HERE/deploy/wheels.py" "$PYTHON-$(uname -m)" "$FOLDER/deploy/wheels" 2>/dev/null

fresh() { # a system as it is written on a card, with somebody inside who looks
  rm -rf "$TABLE"
  cp -a --reflink=auto "$BASE" "$TABLE"
  cp "$HERE/tests/deploy/inside.py" "$TABLE/root/inside.py"
  cat >"$TABLE/etc/systemd/system/inside.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/usr/bin/python3 /root/inside.py
ExecStopPost=/usr/bin/systemctl poweroff --no-block
[Install]
WantedBy=graphical.target
UNIT
  mkdir -p "$TABLE/etc/systemd/system/multi-user.target.wants"
  ln -sf /etc/systemd/system/inside.service "$TABLE/etc/systemd/system/multi-user.target.wants/inside.service"
}

fresh
cp -a "$FOLDER" "$TABLE/root/companion"
for phase in install after_reboot; do
  echo "$phase" >"$TABLE/root/phase"
  boot "$phase"
  cat "$TABLE/root/result.json"
done

fresh # a card that installs the table at its first start
"$FOLDER/deploy/prepare-card.sh" "$TABLE" --no-apt >/dev/null
echo card >"$TABLE/root/phase"
boot card
cat "$TABLE/root/result.json"
rm -rf "$TABLE" "$FOLDER"
