#!/usr/bin/env bash
# Installs what `npm run test:all` needs besides npm packages: Chromium without a window, in which VS Code is opened, Neovim, Emacs, OpenSSL, clingo, with which answers
# are compared, the library of tree-sitter, and the servers of databases, which tests start in folders of their own.
set -eu
missing=()
[ -x "${CHROMIUM:-/usr/bin/chromium-headless-shell}" ] || missing+=(chromium-headless-shell)
command -v nvim > /dev/null || missing+=(neovim)
command -v emacs > /dev/null || missing+=(emacs-nox elpa-eglot)
[ -e /usr/include/tree_sitter/api.h ] || missing+=(gcc libc6-dev libtree-sitter-dev)
command -v kate-syntax-highlighter > /dev/null || missing+=(libkf5syntaxhighlighting-tools)
command -v openssl > /dev/null || missing+=(openssl)
command -v clingo > /dev/null || missing+=(gringo)
[ -d /usr/lib/postgresql ] || missing+=(postgresql)
[ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
[ ${#missing[@]} -eq 0 ] && exit 0
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}"
