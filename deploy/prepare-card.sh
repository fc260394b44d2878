#!/usr/bin/env bash
# Put the companion on a freshly written card, so that the table opens by itself where the card is put in.
# prepare-card.sh ROOT [install.sh's options]   ROOT: where the card's second partition (rootfs) is mounted
set -euo pipefail

die() { printf 'prepare-card.sh: %s\n' "$*" >&2; exit 1; }
HERE="$(cd "$(dirname "$0")/.." && pwd)"
ROOT="${1:-}"
[ -n "$ROOT" ] || die "name where the card's second partition is mounted, e.g. /media/you/rootfs"
shift
[ -e "$ROOT/etc/os-release" ] || die "$ROOT: no system is there (etc/os-release is missing); write Raspberry Pi OS on the card first"
[ -w "$ROOT/etc" ] || die "$ROOT: may not be written; run it with sudo"
[ -d "$HERE/deploy/wheels" ] || printf 'note: no deploy/wheels: the first start needs internet (make wheels FOR=3.11-aarch64 or 3.13-aarch64)\n'
for option in "$@"; do
  case "$option" in
    --kiosk|--no-apt|--hotspot|--hotspot=*) ;;
    *) die "unknown option $option: --kiosk, --hotspot and --no-apt are for a card" ;;
  esac
done

rm -rf "$ROOT/opt/companion-setup"
mkdir -p "$ROOT/opt/companion-setup" "$ROOT/etc/systemd/system/multi-user.target.wants"
tar -C "$HERE" --exclude=./.git --exclude=./.venv --exclude=./build --exclude='__pycache__' -cf - . |
  tar -C "$ROOT/opt/companion-setup" -xf -
cat >"$ROOT/etc/systemd/system/companion-setup.service" <<UNIT
# Installs the companion at the first start, then takes itself away. Written by deploy/prepare-card.sh.
[Unit]
Description=companion: installation at the first start
After=network-online.target time-sync.target
Wants=network-online.target
ConditionPathExists=/opt/companion-setup/deploy/first-boot.sh

[Service]
Type=oneshot
ExecStart=/opt/companion-setup/deploy/first-boot.sh $*
TimeoutStartSec=1800
StandardOutput=journal+console

[Install]
WantedBy=multi-user.target
UNIT
ln -sfn ../companion-setup.service "$ROOT/etc/systemd/system/multi-user.target.wants/companion-setup.service"
printf 'The card is ready. At its first start it installs the table, which takes some minutes; then the table opens.\n'
