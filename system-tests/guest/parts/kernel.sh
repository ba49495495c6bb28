# shellcheck shell=bash
# Sourced by rdma-guest: fetches and unpacks a Debian kernel and makes the initrd, both kept in $cache.
# Every piece is made under a scratch name, under a lock, and renamed when complete: a reader sees all of it or nothing.
: "${cache:?}" "${here:?}"

# What must be there, and what only some kernels have as a module (a newer kernel has crc32 built in).
required_modules=(virtio_pci 9p 9pnet_virtio overlay rdma_rxe ib_uverbs rdma_ucm veth)
optional_modules=(crc32_generic virtio_console ib_umad dummy sch_netem)

# The package a Debian machine of this release would install: linux-image-amd64 depends on it.
default_kernel() {
  local name
  name=$(apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image-/ {print $2; exit}')
  if [ -z "$name" ] && ((EUID == 0)) && command -v apt-get >/dev/null; then
    apt-get update -qq >/dev/null 2>&1 || true
    name=$(apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image-/ {print $2; exit}')
  fi
  # Without package lists (no network, not Debian) a kernel from an earlier run does as well.
  [ -n "$name" ] || name=$(find "$cache/kernels" -mindepth 1 -maxdepth 1 ! -name '*.making' -printf '%T@ %f\n' | sort -rn | awk 'NR == 1 {print $2}')
  [ -n "$name" ] || die "no kernel to boot: apt knows no linux-image-amd64 (try apt-get update, or name one with --kernel)"
  echo "$name"
}

# unpack_kernel PACKAGE|FILE.deb: leaves it in $cache/kernels/NAME and prints that folder.
unpack_kernel() {
  local package=$1 name folder making deb
  name=$(basename "$package" .deb)
  folder=$cache/kernels/$name
  if [ ! -d "$folder" ]; then
    making=$folder.making
    rm -rf "$making"
    mkdir -p "$making/root"
    if [ -f "$package" ]; then
      deb=$package
    else
      say "fetching the kernel $package"
      download "$package" "$making"
      deb=$(compgen -G "$making/*.deb") || die "apt-get couldn't fetch $package (stale lists? apt-get update; other names: apt-cache search linux-image)"
    fi
    dpkg-deb -x "$deb" "$making/root" || die "can't unpack $deb"
    # Debian 13 ships /usr/lib/modules, Debian 12 /lib/modules, and depmod of either looks in one place only.
    if [ -d "$making/root/usr/lib/modules" ]; then
      mkdir -p "$making/root/lib"
      ln -s ../usr/lib/modules "$making/root/lib/modules"
    elif [ -d "$making/root/lib/modules" ]; then
      mkdir -p "$making/root/usr/lib"
      ln -s ../../lib/modules "$making/root/usr/lib/modules"
    fi
    compgen -G "$making/root/boot/vmlinuz-*" >/dev/null || die "$package holds no kernel (a meta package? name the one it depends on)"
    depmod -b "$making/root" "$(kernel_version "$making")" || die "depmod failed on $package"
    rm -f "$making"/*.deb
    mv "$making" "$folder"
  fi
  echo "$folder"
}

# As root, apt would rather download as user _apt, who can't write here, and says so: there is nothing to sandbox
# in a file whose signature apt has checked.
download() {
  (
    cd "$2"
    quietly apt-get -o APT::Sandbox::User=root download -qq "$1" && exit
    ((EUID == 0)) && quietly apt-get update -qq && quietly apt-get -o APT::Sandbox::User=root download -qq "$1" && exit
    sed 's/^/  /' "$cache/log" >&2
  ) || true
}

kernel_version() {
  local image
  image=$(compgen -G "$1/root/boot/vmlinuz-*" | head -n 1)
  echo "${image##*/vmlinuz-}"
}

# make_initrd KERNEL_FOLDER: prints the path of an initrd with our init, busybox and the modules.
make_initrd() {
  local folder=$1 version hash initrd tree
  version=$(kernel_version "$folder")
  hash=$(cat "$here/inside/init" "$here/parts/kernel.sh" "$(command -v busybox)" | sha256sum | cut -c 1-12)
  initrd=$cache/initrd-$(basename "$folder")-$hash
  if [ ! -f "$initrd" ]; then
    rm -rf "$cache"/tree.??????
    tree=$(mktemp -d "$cache/tree.XXXXXX")
    mkdir -p "$tree/bin" "$tree/modules"
    install -m 755 "$here/inside/init" "$tree/init"
    install -m 755 "$(command -v busybox)" "$tree/bin/busybox"
    copy_libraries "$tree"
    copy_modules "$folder" "$version" "$tree/modules"
    (cd "$tree" && find . -print0 | cpio --null -o -H newc -R 0:0 --quiet | gzip -1) > "$initrd.making" || die "can't pack the initrd"
    rm -rf "$tree"
    # Older ones for this kernel came from earlier versions of these scripts.
    rm -f "$cache/initrd-$(basename "$folder")"-????????????
    mv "$initrd.making" "$initrd"
  fi
  echo "$initrd"
}

# busybox-static needs none; with the package "busybox" installed instead, take its shared libraries along.
copy_libraries() {
  local library
  { ldd "$1/bin/busybox" 2>/dev/null || true; } | awk '{for (i = 1; i <= NF; i++) if ($i ~ /^\//) print $i}' | while read -r library; do
    case $library in *:) continue ;; esac
    install -D "$library" "$1$library"
  done
}

# copy_modules KERNEL_FOLDER VERSION TARGET: unpacked modules, and their order of loading in TARGET/order.
copy_modules() {
  local folder=$1 version=$2 target=$3 module path name
  for module in "${required_modules[@]}" "${optional_modules[@]}"; do
    if ! modprobe -d "$folder/root" -S "$version" --show-depends "$module" > "$target/depends" 2>/dev/null; then
      case " ${required_modules[*]} " in
        *" $module "*) die "kernel $version has no module $module: choose another kernel with --kernel" ;;
      esac
      continue
    fi
    # "insmod PATH [OPTION ...]", or "builtin NAME" for what needs no loading.
    awk '$1 == "insmod" {print $2}' "$target/depends" >> "$target/paths"
  done
  awk '!seen[$0]++' "$target/paths" | while read -r path; do
    name=$(basename "$path")
    name=${name%.ko*}.ko
    case $path in
      *.xz) xz -dc "$path" > "$target/$name" ;;
      *.zst)
        command -v zstd >/dev/null || require_packages zstd
        zstd -qdc "$path" > "$target/$name" ;;
      *.gz) gzip -dc "$path" > "$target/$name" ;;
      *) cp "$path" "$target/$name" ;;
    esac || die "can't unpack $path"
    echo "$name" >> "$target/order"
  done
  rm -f "$target/depends" "$target/paths"
}
