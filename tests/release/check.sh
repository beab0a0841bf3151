#!/usr/bin/env bash
# Does a release refuse what it has to refuse? In a repository that contains the manifests and scripts of this one, and with commands that only log that they
# were called: cargo, `.ci/run`, `.ci/long`. Prints a line per question and fails if an answer is not the expected one.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export LOG=$folder/log PUBLISHED=$folder/published INSTALLED=$folder/installed

# The commands that are called. `cargo build` makes what `.ci/dist` takes, and `cargo info` knows the published packages.
mkdir -p "$folder/bin" "$INSTALLED/x86_64-unknown-linux-gnu"
cat >"$folder/bin/cargo" <<'END'
#!/usr/bin/env bash
echo "cargo $*" >>"$LOG"
case $1 in
    info) grep -qxF "${*: -1}" "$PUBLISHED" ;;
    build)
        while [ "$1" != --target ]; do shift; done
        mkdir -p "target/dist/build/$2/release"
        case $2 in *windows*) suffix=.exe ;; *) suffix= ;; esac
        for name in bt bt-inspector; do echo "$name" >"target/dist/build/$2/release/$name$suffix"; done
        ;;
esac
END
cat >"$folder/bin/rustc" <<'END'
#!/usr/bin/env bash
case $1 in
    -vV) echo "host: x86_64-unknown-linux-gnu" ;;
    *) echo "$INSTALLED/${*: -1}" ;;
esac
END
for name in cargo-semver-checks x86_64-w64-mingw32-gcc; do echo '#!/bin/sh' >"$folder/bin/$name"; done
chmod +x "$folder/bin/"*
export PATH=$folder/bin:$PATH

# A repository that is ready for a release, with the version 1.2.3.
mkdir "$folder/ready"
git ls-files -z .ci '*Cargo.toml' 'bt-*/src/lib.rs' 'crates/*/src/lib.rs' '*Cargo.lock' CHANGELOG.md 'LICENSE-*' .gitignore crates/inspector/page/dist/LICENSES.txt |
    tar -c --null -T - | tar -x -C "$folder/ready"
(
    cd "$folder/ready"
    git init -q -b main
    for name in run long; do
        mv ".ci/$name" ".ci/real-$name"
        printf '#!/bin/sh\necho ".ci/%s $*" >>"$LOG"\n' "$name" >".ci/$name"
        chmod +x ".ci/$name"
    done
    sed -i 's|^repository = ""$|repository = "https://example.com/bt"|' Cargo.toml
    grep -q '^## Unreleased' CHANGELOG.md || sed -i '0,/^## /s/^## /## Unreleased\n\n&/' CHANGELOG.md
    : >"$LOG"
    git add .
    .ci/release prepare 1.2.3 >/dev/null
    git add .
    git commit -q -m ready
)

failed=0
# Runs a command in a copy of the repository after a change. It has to succeed, `+`, or fail, `-`, with this text in what it prints.
asks() {
    local name=$1 change=$2 command=$3 expected=$4 text=$5 status=+ said
    rm -rf "$folder/copy"
    cp -R "$folder/ready" "$folder/copy"
    : >"$LOG"
    : >"$PUBLISHED"
    said=$(cd "$folder/copy" && eval "$change" >/dev/null && eval "$command" 2>&1) || status=-
    if [ "$status" = "$expected" ] && grep -qF -- "$text" <<<"$said"; then
        echo "ok: $name"
    else
        printf 'FAILED: %s\n%s\n' "$name" "$said"
        failed=1
    fi
}
# A release has to refuse this, before it runs or publishes anything.
refuses() {
    asks "refuses $1" "$2" ".ci/release --publish" - "$3"
    ! grep -qE 'publish|\.ci' "$LOG" || { echo "FAILED: $1: something was run"; failed=1; }
    [ -z "$(git -C "$folder/copy" tag --points-at HEAD --format='%(objecttype)' | grep -x tag)" ] || { echo "FAILED: $1: a tag was made"; failed=1; }
}
logged() { grep -qxF -- "$1" "$LOG" && echo "ok: $1" || { printf 'FAILED: not run: %s\n' "$1"; cat "$LOG"; failed=1; }; }
silent() { ! grep -qE -- "$1" "$LOG" && echo "ok: without $1" || { printf 'FAILED: run: %s\n' "$1"; cat "$LOG"; failed=1; }; }

commit="git commit -q -a -m change"
refuses "a changed file" "echo >>Cargo.toml" "the working tree is dirty"
refuses "an unknown file" "echo >new" "the working tree is dirty"
refuses "another branch" "git switch -q -c work" "the branch is \`work\`, not \`main\`"
refuses "a missing repository" "sed -i '/^repository = /d' Cargo.toml; $commit" 'write `repository = "https://…"` in `[workspace.package]`'
refuses "an empty repository" "sed -i 's/^repository = .*/repository = \"\"/' Cargo.toml; $commit" "Cargo.toml states no address of the repository"
refuses "a package without the repository" "sed -i '/^repository/d' bt-core/Cargo.toml; $commit" "bt-core/Cargo.toml does not inherit the repository"
refuses "another repository of bt-bevy" "sed -i 's/^repository = .*/repository = \"\"/' integrations/bevy/Cargo.toml; $commit" "integrations/bevy/Cargo.toml does not have \`repository"
refuses "another version of bt-bevy" "sed -i 's/^version = .*/version = \"1.2.2\"/' integrations/bevy/Cargo.toml; $commit" "integrations/bevy/Cargo.toml does not have \`version"
refuses "a dependency on another version" "sed -i '/^bt-core = /s/1\.2\.3/1.2.2/' Cargo.toml; $commit" "has the version 1.2.2, not 1.2.3"
refuses "a version without a date" "sed -i 's/^## 1\.2\.3 .*/## 1.2.3/' CHANGELOG.md; $commit" "CHANGELOG.md has no section \`## 1.2.3 (YYYY-MM-DD)\`"
refuses "unreleased changes" "sed -i 's/^## 1\.2\.3/## Unreleased\n\n&/' CHANGELOG.md; $commit" "CHANGELOG.md has a section \`## Unreleased\`"
refuses "a version that has a tag" "git tag v1.2.3" "the tag v1.2.3 exists"

asks "a dry run is ready" : .ci/release + "bt-bevy 1.2.3"
logged ".ci/run "
logged ".ci/long packages licenses documentation semver"
silent "cargo publish"
asks "a dry run makes no tag" : ".ci/release && git tag | wc -l | grep -qx 0" + ready
asks "failed checks are an error" "echo 'exit 1' >>.ci/run; $commit" ".ci/release --publish" - .ci/run
silent "cargo publish"
asks "checks that change files are an error" "echo 'echo >>Cargo.toml' >>.ci/run; $commit" ".ci/release --publish" - "the checks have changed the working tree"
silent "cargo publish"
asks "a release has a tag" : ".ci/release --publish && git describe --exact-match" + "published 1.2.3"
members="bt-behavior3 bt-btcpp bt-cli bt-core bt-dynamic bt-explore bt-files bt-groot2 bt-inspector bt-live bt-macros bt-syntax bt-words"
logged "cargo publish $(printf -- '-p %s ' $members | sed 's/ $//')"
logged "cargo publish --manifest-path integrations/bevy/Cargo.toml"
asks "an interrupted release goes on" 'git tag v1.2.3; for name in bt-words bt-core; do echo "$name@1.2.3" >>"$PUBLISHED"; done' ".ci/release --resume" + "published 1.2.3"
logged "cargo publish $(printf -- '-p %s ' ${members//bt-core /} | sed 's/ -p bt-words $//')"
asks "what has no tag does not go on" : ".ci/release --resume" - "the tag v1.2.3 is not at this commit"
asks "preparing needs a version" : ".ci/release prepare 1.2" - "not a version: \`1.2\`"
asks "preparing needs changes" : ".ci/release prepare 1.3.0" - "has no section \`## Unreleased\`"
asks "what is prepared can be prepared again" "sed -i 's|https://example.com/bt|https://example.com/other|' Cargo.toml" ".ci/release prepare 1.2.3 && $commit && .ci/release" + "bt-bevy 1.2.3"
asks "an unknown option shows the options" : ".ci/release --help" - ".ci/release --publish"

asks "without a release, the API is not checked" : ".ci/real-long semver" + "NOT CHECKED: semver: no tag v*"
silent "cargo semver-checks"
asks "the API is compared with the last release" "git tag v1.2.2; git commit -q --allow-empty -m next" ".ci/real-long semver" + "against v1.2.2"
libraries=$(printf -- '-p %s ' ${members//bt-cli /} | sed 's/ -p bt-macros//; s/ $//')
logged "cargo semver-checks --baseline-rev v1.2.2 $libraries"
logged "cargo semver-checks --baseline-rev v1.2.2 --manifest-path integrations/bevy/Cargo.toml -p bt-bevy"
asks "a release is compared with the one before" "git tag v1.2.2; git commit -q --allow-empty -m next; git tag v1.2.3" ".ci/real-long semver" + "against v1.2.2"

dist="target/dist/bt-1.2.3"
asks "the host is built, the others are skipped" : .ci/dist + "aarch64-apple-darwin: not installed: rustup target add aarch64-apple-darwin"
asks "without any target, nothing is built" 'mv "$INSTALLED" "$INSTALLED-away"' ".ci/dist" - "built: 0"
mv "$INSTALLED-away" "$INSTALLED"
mkdir "$INSTALLED/"{aarch64-unknown-linux-musl,x86_64-apple-darwin,x86_64-pc-windows-gnu}
asks "a target that is named has to be built" : ".ci/dist x86_64-apple-darwin x86_64-unknown-linux-gnu" - "x86_64-apple-darwin: only macOS has its linker"
asks "archives have checksums" : ".ci/dist && cd target/dist && sha256sum -c *.sha256" + "bt-1.2.3-x86_64-pc-windows-gnu.zip: OK"
contents="bt bt-inspector LICENSE-APACHE LICENSE-MIT LICENSES-PAGE.txt"
listed() { sed 's|.*/||; /^$/d; s/\.exe$//' | LC_ALL=C sort | xargs; }
[ "$(tar -tf "$folder/copy/$dist-x86_64-unknown-linux-gnu.tar.gz" | listed)" = "$(tr ' ' '\n' <<<"$contents" | listed)" ] || { echo "FAILED: contents of the archive"; failed=1; }

# The addresses that `cargo binstall` makes of the metadata end in the names of the archives.
expand() { sed "s/.*= \"//; s/\"$//; s/{ version }/1.2.3/g; s/{ target }/$1/g; s/{ bin }/$2/g; s/{ binary-ext }/$3/g"; }
for package in bt-cli bt-inspector; do
    binary=${package/bt-cli/bt}
    manifest=crates/${package#bt-}/Cargo.toml
    for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-musl x86_64-pc-windows-gnu; do
        section="\[package\.metadata\.binstall\]"
        extension=
        case $target in *windows*) section="\[package\.metadata\.binstall\.overrides\.$target\]" extension=.exe ;; esac
        address=$(sed -n "/^$section/,/^$/s/^pkg-url/&/p" "$manifest" | expand $target "$binary" "$extension")
        path=$(grep '^bin-dir' "$manifest" | expand $target "$binary" "$extension")
        archive="$folder/copy/target/dist/${address##*/}"
        case $archive in *.zip) list="python3 -m zipfile -l" ;; *) list="tar -tf" ;; esac
        if [ "${address%/*}" = "{ repo }/releases/download/v1.2.3" ] && $list "$archive" | sed 's/ .*//' | grep -xF "$path" >/dev/null; then
            echo "ok: cargo binstall finds $package for $target"
        else
            printf 'FAILED: %s has no %s\n' "$address" "$path"
            failed=1
        fi
    done
done
exit $failed
