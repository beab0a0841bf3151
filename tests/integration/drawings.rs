//! Drawings of a tree of a hundred nodes, rendered: DOT by graphviz, if it is there; the SVG is looked at by the tests of the inspector's page.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use bt_core::observe::{Statistics, Statuses};
use bt_core::prelude::*;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the context is a number")]
fn near(sees: &u64) -> bool {
    sees.is_multiple_of(2)
}

fn act(sees: &mut u64) -> Status {
    *sees ^= *sees << 13;
    *sees ^= *sees >> 7;
    *sees ^= *sees << 17;
    match *sees % 5 {
        0 => Status::Running,
        1 | 2 => Status::Failure,
        _ => Status::Success,
    }
}

#[action]
fn look(sees: &mut u64, time: f32) -> bool {
    act(sees) == Status::Success && time > 0.0
}

fn hundred() -> impl Node<u64> {
    tree! {
        for u64: mem_sequence {
            sequence {
                sequence {
                    mem_sequence {
                        act,
                        selector { look(2.5), near }
                        |sees: &u64| *sees > 3 && "<&>".len() == 3,
                        selector { |sees: &u64| *sees > 3 && "<&>".len() == 3 }
                    }
                    mem_sequence "errand 7" {
                        mem_selector { look(2.5), |sees: &u64| *sees > 3 && "<&>".len() == 3, act }
                        mem_sequence { look(2.5), |sees: &u64| *sees > 3 && "<&>".len() == 3 }
                        selector { look(2.5) }
                    }
                }
                mem_selector {
                    sequence { near, act }
                    mem_sequence { mem_selector "errand 14" { |sees: &u64| *sees > 3 && "<&>".len() == 3 } act }
                    selector { act }
                    mem_selector { |sees: &u64| *sees > 3 && "<&>".len() == 3, selector { near } }
                }
                selector {
                    mem_sequence { near, near, |sees: &u64| *sees > 3 && "<&>".len() == 3 }
                    sequence { look(2.5) }
                    sequence "errand 21" {
                        |sees: &u64| *sees > 3 && "<&>".len() == 3,
                        |sees: &u64| *sees > 3 && "<&>".len() == 3,
                    }
                    selector { near }
                }
            }
            selector {
                mem_sequence {
                    near,
                    sequence { look(2.5), mem_sequence { look(2.5) } }
                    mem_sequence { near, near }
                    near,
                }
                selector "errand 28" {
                    mem_sequence { mem_selector { act } sequence { look(2.5) } }
                    sequence { look(2.5) }
                    mem_selector {
                        |sees: &u64| *sees > 3 && "<&>".len() == 3,
                        |sees: &u64| *sees > 3 && "<&>".len() == 3,
                        look(2.5),
                    }
                }
                mem_sequence {
                    mem_selector "errand 35" { near, act }
                    selector { |sees: &u64| *sees > 3 && "<&>".len() == 3, look(2.5), look(2.5), near }
                    mem_selector { selector { act } selector { look(2.5) } act }
                }
                mem_sequence {
                    selector {
                        sequence "errand 42" { |sees: &u64| *sees > 3 && "<&>".len() == 3, act, act, look(2.5) }
                        selector { |sees: &u64| *sees > 3 && "<&>".len() == 3, act, act }
                    }
                    mem_selector { look(2.5), |sees: &u64| *sees > 3 && "<&>".len() == 3, look(2.5) }
                }
            }
        }
    }
}

#[test]
fn a_hundred_nodes_are_drawn() {
    let tree = hundred();
    assert_eq!(tree.count(), 100);
    let (mut statuses, mut statistics) = (Statuses::default(), Statistics::default());
    let (mut sees, mut memory) = (12345, tree.memory());
    for _ in 0..60 {
        tree.tick_with(&mut sees, &mut memory, &mut (&mut statuses, &mut statistics));
    }
    let description = tree.description();
    let plain = description.draw();
    let drawing = plain.with(&statuses).counting(&statistics);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("drawings");
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    for (name, text) in [
        ("plain.svg", plain.svg()),
        ("statuses.svg", plain.with(&statuses).svg()),
        ("counts.svg", drawing.svg()),
        ("counts.dot", drawing.dot()),
        ("counts.mmd", drawing.mermaid()),
        ("counts.txt", drawing.to_string()),
    ] {
        std::fs::write(folder.join(name), text).expect("the target folder can be written");
    }
    assert_eq!(drawing.to_string().lines().count(), 100);
    assert_eq!(drawing.mermaid().matches(" --- ").count(), 99);

    let rendered = Command::new("dot").arg("-Tsvg").arg(folder.join("counts.dot")).output();
    match rendered {
        Err(error) if error.kind() == ErrorKind::NotFound => eprintln!("there is no graphviz to look at the drawing"),
        rendered => {
            let rendered = rendered.expect("it can be run");
            assert!(rendered.status.success(), "{}", String::from_utf8_lossy(&rendered.stderr));
            assert_eq!(String::from_utf8_lossy(&rendered.stderr), "");
            let svg = String::from_utf8_lossy(&rendered.stdout).into_owned();
            assert_eq!((svg.matches("class=\"node\"").count(), svg.matches("class=\"edge\"").count()), (100, 99));
            // From left to right, so that a hundred nodes are legible on a page. Before, they were several times as wide as high.
            let size = |name: &str| -> Option<f64> {
                svg.split_once(&format!("{name}=\""))?.1.split_once("pt\"")?.0.parse().ok()
            };
            let (width, height) = (size("width").expect("a width"), size("height").expect("a height"));
            assert!(width < 2500.0 && height < 4000.0, "{width} x {height}");
        }
    }
}
