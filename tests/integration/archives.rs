//! What the archives of published packages contain.

use std::fs;
use std::path::Path;

#[test]
fn each_published_package_has_a_readme_and_its_licenses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    let entries = |folder: &str| fs::read_dir(root.join(folder)).expect("the folder can be read");
    for entry in [".", "crates", "integrations"].into_iter().flat_map(entries) {
        let folder = entry.expect("an entry").path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let Some(package) = manifest.lines().find_map(|line| line.strip_prefix("name = \"bt-")?.strip_suffix('"'))
        else {
            continue;
        };
        if manifest.contains("\npublish = false\n") {
            continue;
        }
        count += 1;
        for (name, begin) in [
            ("README.md", format!("# bt-{package}\n")),
            ("LICENSE-MIT", read(&root.join("LICENSE-MIT"))),
            ("LICENSE-APACHE", read(&root.join("LICENSE-APACHE"))),
        ] {
            let text = read(&folder.join(name));
            assert!(text.starts_with(&begin), "{} begins with another text", folder.join(name).display());
        }
    }
    assert!(count > 10, "{count} packages were found");
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
