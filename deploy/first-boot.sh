#!/usr/bin/env bash
# At the first start of a prepared card: install, with Debian packages where there is internet; then never again.
set -euo pipefail

HERE="$(cd "$(dirname "$0")" && pwd)"
APT=""
if ! timeout 120 apt-get update -qq >/dev/null 2>&1; then
  echo "companion: no internet; voice and pins need their packages later: sudo $HERE/install.sh"
  APT="--no-apt"
fi
# shellcheck disable=SC2086  # an option or nothing
"$HERE/install.sh" --yes $APT "$@"
rm -f /etc/systemd/system/multi-user.target.wants/companion-setup.service /etc/systemd/system/companion-setup.service
echo "companion: installed"
