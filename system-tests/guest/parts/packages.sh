# shellcheck shell=bash
# Sourced by rdma-guest: the Debian packages the guest needs on this machine.
: "${cache:?}"

# Prints the packages that are missing, one a line.
missing_packages() {
  local pair
  # Administrators' folders: an ordinary user has the programs there, but not on the PATH.
  local PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
  for pair in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio depmod:kmod xz:xz-utils \
              ip:iproute2 rdma:iproute2 flock:util-linux rping:rdmacm-utils ibv_devinfo:ibverbs-utils \
              tshark:tshark tcpdump:tcpdump ib_send_bw:perftest; do
    command -v "${pair%%:*}" >/dev/null || echo "${pair#*:}"
  done
  # Only the x86-64 guest is supported, hence the fixed folder.
  [ -e /usr/lib/x86_64-linux-gnu/librdmacm.so.1 ] || echo librdmacm1
  compgen -G '/usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav*.so' >/dev/null || echo ibverbs-providers
}

# Installs packages when that is possible, else ends with one line that names them.
require_packages() {
  (($#)) || return 0
  local names
  names=$(printf '%s\n' "$@" | sort -u | paste -sd ' ')
  command -v apt-get >/dev/null || die "missing: $names (Debian package names; no apt-get here to install them)"
  ((EUID == 0)) || die "missing packages: please run as root: apt-get install --no-install-recommends $names"
  say "installing $names"
  # Two starts at once would fight over dpkg's lock.
  (
    flock 9
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # a list of package names
    quietly apt-get install -y -qq --no-install-recommends $names \
      || { quietly apt-get update -qq && quietly apt-get install -y -qq --no-install-recommends $names; } \
      || { sed 's/^/  /' "$cache/log" >&2; exit 1; }
  ) 9> "$cache/packages.lock" || die "apt-get couldn't install $names"
}

# Runs a command with its output kept in a log that is shown only when all has failed.
quietly() {
  "$@" < /dev/null > "$cache/log" 2>&1
}
