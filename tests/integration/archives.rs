//! What the archives of published packages contain.

use std::fs;
use std::path::Path;

#[test]
fn each_published_package_has_a_readme_and_its_licenses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for entry in fs::read_dir(&root).expect("the repository can be read") {
        let folder = entry.expect("an entry").path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        if !folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with("bt-"))
            || manifest.contains("\npublish = false\n")
        {
            continue;
        }
        count += 1;
        for (name, begin) in [
            ("README.md", format!("# {}\n", folder.file_name().expect("a name").to_string_lossy())),
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
