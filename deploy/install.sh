#!/usr/bin/env bash
# Install, update or remove the companion on Raspberry Pi OS (Bookworm, Trixie; 64 bit) or plain Debian 12 and 13.
# Run it from the downloaded folder; again without harm. With a folder deploy/wheels it needs no internet.
set -euo pipefail

HERE="$(cd "$(dirname "$0")/.." && pwd)"
APP=/opt/companion
STATE=/var/lib/companion
CONFIG=/etc/companion
UNITS=/etc/systemd/system
HOTSPOT=companion-hotspot # the name of the connection
DRY=0 KIOSK=0 REMOVE=0 KEEP=0 YES=0 APT=1 SSID=""

usage() {
  cat <<TEXT
sudo deploy/install.sh [OPTION]...
  --kiosk        also show the table screen on HDMI (cage and Chromium)
  --hotspot[=NAME]  a Wi-Fi of its own (companion) where no known one is; takes 7 to 10 phones, no class
  --dry-run      say what would be done, change nothing
  --no-apt       install no Debian packages (they are there, or there is no internet)
  --uninstall    remove everything; asks before games are deleted
  --keep-games   with --uninstall: leave $STATE with journal and history
  --yes          ask nothing
Examples:
  sudo deploy/install.sh --dry-run
  sudo deploy/install.sh --kiosk
  sudo deploy/install.sh --uninstall --keep-games
TEXT
}

say() { printf '%s\n' "$*"; }
die() { say "install.sh: $*" >&2; exit 1; }
# Everything that changes the system goes through here, so that --dry-run shows all of it.
do_() {
  if [ "$DRY" = 1 ]; then say "would: $*"; else "$@"; fi
}
has() { command -v "$1" >/dev/null 2>&1; }
systemd_runs() { [ -d /run/systemd/system ]; }
on_a_pi() { [ -e /proc/device-tree/model ] && grep -aqi raspberry /proc/device-tree/model; }

for option in "$@"; do
  case "$option" in
    --hotspot) SSID=companion ;;
    --hotspot=*) SSID="${option#--hotspot=}" ;;
    --dry-run) DRY=1 ;;
    --kiosk) KIOSK=1 ;;
    --no-apt) APT=0 ;;
    --uninstall) REMOVE=1 ;;
    --keep-games) KEEP=1 ;;
    --yes) YES=1 ;;
    -h|--help) usage; exit 0 ;;
    *) usage >&2; die "unknown option $option" ;;
  esac
done
case "$SSID" in
  *[!A-Za-z0-9_-]*) die "--hotspot=$SSID: letters, figures, - and _ only" ;;
esac
[ "$DRY" = 1 ] || [ "$(id -u)" = 0 ] || die "run it as root: sudo $0 $*"

packages() {
  local wanted="python3 python3-venv espeak-ng libportaudio2"
  if on_a_pi; then wanted="$wanted python3-lgpio python3-picamera2"; fi
  if [ "$KIOSK" = 1 ]; then wanted="$wanted cage chromium"; fi
  printf '%s' "$wanted"
}

missing() {
  local package
  for package in $(packages); do
    dpkg -s "$package" >/dev/null 2>&1 || printf '%s ' "$package"
  done
}

check() {
  has apt-get || die "this is no Debian: apt-get is missing"
  # shellcheck source=/dev/null  # the system's own file
  . /etc/os-release
  case "${VERSION_CODENAME:-}" in
    bookworm|trixie) ;;
    *) say "note: tested on Debian 12 and 13, not on ${PRETTY_NAME:-this system}" ;;
  esac
  case "$(uname -m)" in
    aarch64|x86_64) ;;
    *) die "a 64-bit system is needed (this is $(uname -m)): install Raspberry Pi OS 64 bit" ;;
  esac
  [ -f "$HERE/pyproject.toml" ] || die "$HERE is not the companion's folder: run deploy/install.sh from it"
}

install_packages() {
  local need
  need="$(missing)"
  [ -n "$need" ] || return 0
  if [ "$APT" = 0 ]; then
    python3 -c 'import ensurepip' 2>/dev/null || die "python3-venv is missing: install it, or leave --no-apt away"
    say "note: not installed, as --no-apt asks: $need"
    return 0
  fi
  do_ apt-get update -qq
  # shellcheck disable=SC2086  # a list of package names
  do_ env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need
}

make_user() {
  getent group companion >/dev/null || do_ groupadd --system companion
  id companion >/dev/null 2>&1 ||
    do_ useradd --system --gid companion --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin companion
  if [ "$KIOSK" = 1 ] && ! id companion-kiosk >/dev/null 2>&1; then
    do_ useradd --system --home-dir /run/companion-kiosk --no-create-home --groups video,render,input companion-kiosk
  fi
}

groups_here() {
  local group found=""
  for group in gpio video audio dialout plugdev render; do
    if getent group "$group" >/dev/null; then found="$found $group"; fi
  done
  printf '%s' "${found# }"
}

install_app() {
  local site=""
  if on_a_pi; then site="--system-site-packages"; fi
  do_ mkdir -p "$APP" "$CONFIG"
  do_ rm -rf "$APP/app.new"
  do_ mkdir -p "$APP/app.new"
  if [ "$DRY" = 0 ]; then
    tar -C "$HERE" --exclude=./.git --exclude=./.venv --exclude=./build --exclude='__pycache__' -cf - . | tar -C "$APP/app.new" -xf -
  else
    say "would: copy $HERE to $APP/app"
  fi
  # shellcheck disable=SC2086  # an option or nothing
  [ -x "$APP/venv/bin/python" ] || do_ python3 -m venv $site "$APP/venv"
  if [ -d "$HERE/deploy/wheels" ]; then # made by `make wheels`, for a table without internet
    do_ "$APP/venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps \
      --no-index --find-links "$HERE/deploy/wheels" companion
    do_ "$APP/venv/bin/pip" install --quiet --disable-pip-version-check \
      --no-index --find-links "$HERE/deploy/wheels" companion
  else
    do_ "$APP/venv/bin/pip" install --quiet --disable-pip-version-check "$APP/app.new"
  fi
  do_ rm -rf "$APP/app"
  do_ mv "$APP/app.new" "$APP/app"
  do_ ln -sfn "$APP/app/deploy" "$APP/deploy"
  do_ ln -sfn "$APP/app/README.md" "$APP/README.md"
  do_ ln -sfn "$APP/venv/bin/companion" /usr/local/bin/companion
  [ -e "$CONFIG/companion.toml" ] || do_ install -m 0644 "$HERE/deploy/companion.toml" "$CONFIG/companion.toml"
}

install_units() {
  if [ "$DRY" = 0 ]; then
    sed "s/@GROUPS@/$(groups_here)/" "$HERE/deploy/companion.service" >"$UNITS/companion.service"
  else
    say "would: write $UNITS/companion.service"
  fi
  do_ mkdir -p /etc/udev/rules.d
  do_ install -m 0644 "$HERE/deploy/70-companion.rules" /etc/udev/rules.d/70-companion.rules
  if [ "$KIOSK" = 1 ]; then
    do_ install -m 0644 "$HERE/deploy/companion-kiosk.service" "$UNITS/companion-kiosk.service"
  fi
  if systemd_runs; then
    do_ systemctl daemon-reload
    if has udevadm; then do_ udevadm control --reload || true; fi
    do_ systemctl enable --quiet companion.service
    do_ systemctl restart companion.service || unopened
    if [ "$KIOSK" = 1 ]; then do_ systemctl enable --quiet --now companion-kiosk.service; fi
  else
    do_ systemctl enable --quiet companion.service
    say "note: systemd does not run here; the table opens at the next boot"
  fi
}

# Everything is installed, and yet the table does not open: the reason is in its own words in the system's journal.
unopened() {
  local why
  why="$(journalctl -u companion.service -n 20 -o cat --no-pager 2>/dev/null | grep '^Error: ' | tail -1 || true)"
  die "all is installed, but the table does not open. ${why:-See: journalctl -u companion}
  What is wrong: sudo companion doctor --config $CONFIG/companion.toml --journal $STATE/journal.db"
}

# A Wi-Fi of its own by NetworkManager, which Bookworm and Trixie have. A known network comes first.
make_hotspot() {
  [ -n "$SSID" ] || return 0
  say "note: a Pi's own Wi-Fi takes 7 to 10 phones, then refuses more. For a class: a router, the Pi on its cable"
  if ! has nmcli && [ "$DRY" = 0 ]; then
    die "nmcli is missing: the hotspot needs NetworkManager (sudo apt install network-manager); all else is installed"
  fi
  if [ "$DRY" = 0 ] && nmcli -t -f NAME connection show | grep -qx "$HOTSPOT"; then
    say "the hotspot is there already: sudo nmcli -s -g 802-11-wireless-security.psk connection show $HOTSPOT"
    return 0
  fi
  local word
  word="(made when it is installed)" # of a dry run: the real one is another
  [ "$DRY" = 1 ] || word="$(tr -dc 'abcdefghjkmnpqrstuvwxyz23456789' </dev/urandom 2>/dev/null | head -c 10 || true)"
  do_ nmcli connection add type wifi ifname '*' con-name "$HOTSPOT" ssid "$SSID" mode ap \
    connection.autoconnect yes connection.autoconnect-priority -10 ipv4.method shared \
    802-11-wireless.band bg 802-11-wireless-security.key-mgmt wpa-psk 802-11-wireless-security.psk "$word"
  if [ "$DRY" = 0 ]; then say "  hotspot        $SSID, password $word (where no known Wi-Fi is)"; fi
}

greet() {
  [ "$DRY" = 0 ] || return 0
  systemd_runs || return 0
  local address
  address="$(hostname -I 2>/dev/null | awk '{print $1}')"
  say ""
  say "The table is open:"
  say "  table screen   http://${address:-localhost}:8080/table"
  say "  operator       http://${address:-localhost}:8080/op     PIN: sudo companion pin --journal $STATE/journal.db"
  say "  settings       $CONFIG/companion.toml  (sudo companion setup writes them)"
  say "  what is wrong  sudo companion doctor --config $CONFIG/companion.toml --journal $STATE/journal.db"
}

uninstall() {
  if [ "$KEEP" = 0 ] && [ "$YES" = 0 ] && [ "$DRY" = 0 ] && [ -e "$STATE/journal.db" ]; then
    local answer=""
    read -r -p "Delete all games in $STATE? Type yes, or run it with --keep-games: " answer ||
      die "nobody is here to answer: nothing was removed. Say --keep-games, or --yes to delete all games"
    [ "$answer" = yes ] || die "nothing was removed"
  fi
  if has nmcli && nmcli -t -f NAME connection show 2>/dev/null | grep -qx "$HOTSPOT"; then
    do_ nmcli connection delete "$HOTSPOT"
  fi
  local unit
  for unit in companion-kiosk.service companion.service; do
    if [ -e "$UNITS/$unit" ]; then
      if systemd_runs; then do_ systemctl disable --quiet --now "$unit"; else do_ systemctl disable --quiet "$unit"; fi
      do_ rm -f "$UNITS/$unit"
    fi
  done
  if systemd_runs; then do_ systemctl daemon-reload; fi
  do_ rm -f /etc/udev/rules.d/70-companion.rules /usr/local/bin/companion
  do_ rm -rf "$APP" "$CONFIG"
  [ "$KEEP" = 1 ] || do_ rm -rf "$STATE"
  for unit in companion-kiosk companion; do
    if id "$unit" >/dev/null 2>&1; then do_ userdel "$unit"; fi
  done
  if getent group companion >/dev/null; then do_ groupdel companion; fi
  if [ "$DRY" = 1 ]; then
    say "Nothing was removed: this was a dry run. Debian packages would stay: apt knows whether others need them."
  else
    say "Removed. Debian packages stay: apt knows whether others need them."
  fi
}

if [ "$REMOVE" = 1 ]; then
  uninstall
  exit 0
fi
check
install_packages
make_user
install_app
install_units
make_hotspot
greet
