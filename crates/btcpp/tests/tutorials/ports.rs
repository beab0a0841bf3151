//! Tutorials 12, 13 and 19: ports with defaults, a variable that is changed in place, and ports with a trait object.

#![expect(non_snake_case, reason = "the parameters of a leaf are the ports")]

use std::fmt::Debug;
use std::sync::Arc;

use bt_btcpp::XmlRegistry;
use bt_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::robot::{Robot, load, registry, tick_while_running};

/// A point, which a file writes as `1,2`, `1;2` or `json:{"x":1,"y":2}`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Given")]
struct Point2D {
    x: i32,
    y: i32,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Fields { x: i32, y: i32 },
    List(i32, i32),
    Text(Comma),
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Comma(i32, i32);

impl TryFrom<String> for Comma {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse::<i32>().map_err(|error| error.to_string());
        let (x, y) = text.split_once(',').ok_or("expected `x,y`")?;
        Ok(Self(number(x)?, number(y)?))
    }
}

impl From<Given> for Point2D {
    fn from(given: Given) -> Self {
        match given {
            Given::Fields { x, y } | Given::List(x, y) | Given::Text(Comma(x, y)) => Self { x, y },
        }
    }
}

#[action]
fn node_with_default_points(
    robot: &mut Robot,
    #[input] input: Point2D,
    #[input]
    #[param(default = Point2D { x: 1, y: 2 })]
    pointA: Point2D,
    #[input]
    #[param(default = Key::new("point"))]
    pointB: Point2D,
    #[input]
    #[param(default = Key::new("pointD"))]
    pointD: Point2D,
    #[input]
    #[param(default = Point2D { x: 9, y: 10 })]
    pointE: Point2D,
) {
    robot.print(format!("{:?}", [input, pointA, pointB, pointD, pointE].map(|point| (point.x, point.y))));
}

/// Tutorial 12.
#[test]
fn default_ports() {
    let mut registry = registry();
    registry.add::<node_with_default_points>("NodeWithDefaultPoints");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree>
                <Sequence>
                    <NodeWithDefaultPoints input="-1,-2"/>
                    <NodeWithDefaultPoints input="-1;-2" pointA="5,6" pointB="{=}" pointE='json:{"x":3,"y":4}'/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    robot.board.set(&Key::new("point"), Point2D { x: 3, y: 4 });
    robot.board.set(&Key::new("pointB"), Point2D { x: 5, y: 5 });
    robot.board.set(&Key::new("pointD"), Point2D { x: 7, y: 8 });
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        ["[(-1, -2), (1, 2), (3, 4), (7, 8), (9, 10)]", "[(-1, -2), (5, 6), (5, 5), (7, 8), (3, 4)]"]
    );
    let missing = r#"<root BTCPP_format="4"><BehaviorTree><NodeWithDefaultPoints/></BehaviorTree></root>"#;
    assert_eq!(registry.load_xml(missing).err().unwrap().to_string(), "1:39: missing property `input`");
}

/// The properties of a leaf that changes a variable in place.
#[derive(Deserialize)]
struct Push {
    /// The name of the variable, in braces.
    vector: String,
    value: i32,
}

fn push_into_vector(push: &Push, robot: &mut Robot) -> Result<(), String> {
    let name = push.vector.trim_matches(['{', '}']);
    let key = robot.board.key::<Vec<i32>>(name).map_err(|error| error.to_string())?;
    match robot.board.get_mut(&key) {
        Some(vector) => {
            vector.push(push.value);
            let size = vector.len();
            robot.print(format!("Value [{}] pushed into the vector. New size: {size}", push.value));
        }
        None => {
            robot.board.set(&key, vec![push.value]);
            robot.print(format!("We created a new vector, containing value [{}]", push.value));
        }
    }
    Ok(())
}

#[action]
fn push_a_copy(
    _: &mut Robot,
    #[input] vector: Option<&[i32]>,
    #[input] value: i32,
    #[output] longer: &mut Option<Vec<i32>>,
) {
    *longer = Some(vector.into_iter().flatten().copied().chain([value]).collect());
}

const VECTOR: Key<Vec<i32>> = Key::new("vect");

/// Tutorial 13.
#[test]
fn access_by_reference() {
    let mut registry = registry();
    registry.add_with("PushIntoVector", |push: Push| move |robot: &mut Robot| push_into_vector(&push, robot).is_ok());
    registry.add::<push_a_copy>("PushACopy");
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="TreeA">
                <Sequence>
                    <PushIntoVector vector="{vect}" value="3"/>
                    <PushIntoVector vector="{vect}" value="5"/>
                    <PushIntoVector vector="{vect}" value="7"/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(
        robot.printed,
        [
            "We created a new vector, containing value [3]",
            "Value [5] pushed into the vector. New size: 2",
            "Value [7] pushed into the vector. New size: 3"
        ]
    );
    assert_eq!(robot.board.get(&VECTOR), Some(&vec![3, 5, 7]));

    // A nested tree passes the name of its parent's variable.
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4" main_tree_to_execute="Main">
            <BehaviorTree ID="Main">
                <Sequence>
                    <SubTree ID="TreeA" v="{vect}"/>
                    <SubTree ID="TreeA" v="{vect}"/>
                </Sequence>
            </BehaviorTree>
            <BehaviorTree ID="TreeA">
                <PushIntoVector vector="{v}" value="3"/>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.board.get(&VECTOR), Some(&vec![3, 3]));

    // An input and an output with one variable: its value is copied.
    let tree = load(
        &registry,
        r#"<root BTCPP_format="4">
            <BehaviorTree ID="TreeA">
                <Sequence>
                    <PushACopy vector="{vect}" value="3" longer="{vect}"/>
                    <PushACopy vector="{vect}" value="5" longer="{vect}"/>
                </Sequence>
            </BehaviorTree>
        </root>"#,
    );
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&tree, &mut robot), Status::Success);
    assert_eq!(robot.board.get(&VECTOR), Some(&vec![3, 5]));
}

trait Animal: Debug + Send + Sync {
    fn name(&self) -> &'static str;
}

#[derive(Debug)]
struct Cat;

#[derive(Debug)]
struct Sphynx;

impl Animal for Cat {
    fn name(&self) -> &'static str {
        "Cat"
    }
}

impl Animal for Sphynx {
    fn name(&self) -> &'static str {
        "Sphynx"
    }
}

#[action]
fn create_cat(_: &mut Robot, #[output] animal: &mut Option<Arc<dyn Animal>>) {
    *animal = Some(Arc::new(Cat));
}

#[action]
fn create_sphynx(_: &mut Robot, #[output] animal: &mut Option<Arc<dyn Animal>>) {
    *animal = Some(Arc::new(Sphynx));
}

#[action]
fn create_only_a_cat(_: &mut Robot, #[output] animal: &mut Option<Arc<Cat>>) {
    *animal = Some(Arc::new(Cat));
}

#[action]
fn say_hi(robot: &mut Robot, #[input] animal: Arc<dyn Animal>) {
    robot.print(format!("Hi! I am a {}", animal.name()));
}

/// Tutorial 19. The port of a derived type has the type of the base.
#[test]
fn polymorphic_ports() {
    let mut registry = registry();
    registry.add::<create_cat>("CreateCat").add::<create_sphynx>("CreateSphynx").add::<say_hi>("SayHi");
    registry.add::<create_only_a_cat>("CreateOnlyACat");
    let xml = r#"<root BTCPP_format="4">
        <BehaviorTree ID="MainTree">
            <Sequence>
                <CreateCat animal="{pet}"/>
                <SayHi animal="{pet}"/>
                <CreateSphynx animal="{pet2}"/>
                <SayHi animal="{pet2}"/>
            </Sequence>
        </BehaviorTree>
    </root>"#;
    let mut robot = Robot::default();
    assert_eq!(tick_while_running(&load(&registry, xml), &mut robot), Status::Success);
    assert_eq!(robot.printed, ["Hi! I am a Cat", "Hi! I am a Sphynx"]);

    let error = registry.load_xml(&xml.replace("CreateCat", "CreateOnlyACat")).err().unwrap();
    assert_eq!(
        error.to_string(),
        "5:32: variable `{pet}` has type `Arc<Cat>` as `animal` of \"CreateOnlyACat\", not `Arc<dyn Animal>`"
    );
}
