//! Trees of a source as functions.

use super::super::*;

const SOURCE: &str = "\
impl Guard {
    /// The tree.
    #[subtree]
    pub fn tree(radius: f32) -> impl Node<Guard> {
        let step = 3.0;
        tree! {
            selector {
                // fights
                sequence \"fight\" { near(10.0), attack } // hard
                sequence \"flee\" { near(radius), run }
                walk(step),
            }
        }
    }
}

fn rest() -> impl Node<Guard> {
    tree! { sequence { sit, sleep } }
}

fn any() {
    let x = tree! { for Guard: selector { a { b } } };
}

fn generic<T>() -> impl Node<T> { tree! { selector { a, b } } }
";

fn read() -> Document {
    Document::read(Notation::RUST, SOURCE).expect("a source")
}

fn id(document: &Document, name: &str) -> u32 {
    let mut nodes = document.trees.iter().flat_map(Tree::nodes);
    nodes.find(|node| node.head == name || node.label.as_deref() == Some(name)).expect(name).id
}

fn extract(document: &mut Document, node: &str) -> Result<String, String> {
    let node = id(document, node);
    document.apply(&Operation::Extract { node, name: "part".to_owned() })?;
    let text = document.write()?;
    let again = Document::read(Notation::RUST, &text).map_err(|error| error.to_string())?;
    let names = |document: &Document| document.trees.iter().map(|tree| tree.nodes().len()).collect::<Vec<_>>();
    assert_eq!(names(&again), names(document), "{text}");
    Ok(text)
}

#[test]
fn a_subtree_becomes_a_function_and_back() {
    let mut document = read();
    let text = extract(&mut document, "fight").expect("it uses no variable");
    let function = "        }\n    }\n\n    #[subtree]\n    fn part() -> impl Node<Guard> {\n        tree! { sequence \"fight\" { near(10.0), attack } }\n    }\n}\n";
    assert!(text.contains(function), "{text}");
    assert!(text.contains("                // fights\n                Self::part(), // hard\n"), "{text}");
    let node = id(&document, "Self::part()");
    assert!(document.view(&text, &[])[0].root.as_ref().expect("a root").lists[0].children[0].can.contains(&"inline"));
    document.apply(&Operation::Inline { node }).expect("it is a function without parameters");
    let tree = document.trees[1].id;
    document.apply(&Operation::Remove { tree }).expect("it is not in the file yet");
    assert_eq!(document.write().as_deref(), Ok(SOURCE));
    let mut document = Document::read(Notation::RUST, &text).expect("a source");
    let node = id(&document, "Self::part()");
    document.apply(&Operation::Inline { node }).expect("it is a function without parameters");
    assert!(
        document
            .write()
            .expect("a source")
            .contains("                sequence \"fight\" { near(10.0), attack } // hard\n")
    );
}

#[test]
fn a_function_gets_the_type_that_is_known() {
    let mut document = read();
    let text = extract(&mut document, "a { b }".split(' ').next().expect("a name")).expect("the context is written");
    assert!(
        text.contains(
            "selector { part() } };\n}\n\nfn part() -> impl ::bt_core::Node<Guard> {\n    tree! { a { b } }\n}\n"
        ),
        "{text}"
    );
    let mut document = read();
    document.apply(&Operation::Create { name: "more".to_owned(), text: None }).expect("the first function is known");
    let text = document.write().expect("a source");
    assert!(text.contains("    fn more() -> impl Node<Guard> {\n        tree! {}\n    }\n"), "{text}");
}

#[test]
fn a_tree_of_a_file_moves_into_a_source() {
    let mut document = read();
    let text = Some("selector { goto(3.0, \"x\"), wait(secs(1)) }\n".to_owned());
    let selected = document.apply(&Operation::Create { name: "settler".to_owned(), text }).expect("it is a node");
    assert_eq!(document.node(selected[0]).map(|node| &*node.head), Ok("selector"));
    let text = document.write().expect("a source");
    let function = "    fn settler() -> impl Node<Guard> {\n        tree! { selector { goto(3.0, \"x\"), wait(secs(1)) } }\n    }\n";
    assert!(text.contains(function), "{text}");
}

#[test]
fn nodes_that_depend_on_their_function_stay() {
    let mut document = read();
    let error = extract(&mut document, "flee").expect_err("it uses a parameter");
    assert_eq!(error, "the nodes use `radius`, a variable of `tree`");
    assert!(extract(&mut document, "walk(step)").expect_err("it uses a variable").contains("use `step`"));
    let generic = document.trees.last().expect("a tree").nodes()[1].id;
    let error = document.apply(&Operation::Extract { node: generic, name: "part".to_owned() });
    assert!(error.expect_err("it is generic").contains("is generic"));
    let fight = id(&document, "fight");
    for (name, reason) in [("attack", "already the name of a node"), ("rest", "already"), ("tree", "already")] {
        let error =
            document.apply(&Operation::Extract { node: fight, name: name.to_owned() }).expect_err("it is taken");
        assert!(error.contains(reason), "{name}: {error}");
    }
    let rename = Operation::Rename { tree: document.trees[0].id, name: "other".to_owned() };
    assert!(document.apply(&rename).expect_err("it is a function").contains("rename the function"));
    assert_eq!(document.write().as_deref(), Ok(SOURCE));
}
