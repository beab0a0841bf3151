//! The user's module may call its constants as it likes: no expansion takes them for its own variables.

use bt_core::prelude::*;

mod constants {
    use bt_core::prelude::*;

    macro_rules! constants {
    ($($name:ident)*) => {$(
        #[allow(clippy::allow_attributes, dead_code, non_upper_case_globals)]
        const $name: u64 = 3;
    )*};
}

    constants! {
        all answer answered transition at board child children context ctx default each end enter exit facts field fields first flags
        fresh generics guard held hook index it key kept label last leaf list log machine member memory name names next node
        number observer one open or order outcome own param params path place placed pause properties property read remembers rest
        result root see set show site slot spot start state status step table text this tick to tree unset value values variable visitor
        weight weights what
    }

    #[derive(Default)]
    pub(super) struct Npc {
        now: Duration,
        board: Board,
        pub(super) mind: Mind,
    }

    #[derive(Default, Blackboard)]
    pub(super) struct Mind {
        #[board(default = at)]
        pub(super) steps: u64,
        goal: Option<u64>,
    }

    impl Clock for Npc {
        fn now(&self) -> Duration {
            self.now
        }
    }

    impl HasBoard for Npc {
        fn board(&self) -> &Board {
            &self.board
        }
        fn board_mut(&mut self) -> &mut Board {
            &mut self.board
        }
    }

    #[action]
    fn go(npc: &mut Npc, by: u64, #[open(ctx + by)] steps_left: &mut u64, #[open] taken: &mut u64) -> Status {
        *steps_left -= 1;
        *taken += 1;
        npc.mind.steps += by;
        if *steps_left > 0 { Status::Running } else { Status::Success }
    }

    #[condition]
    fn gone(
        npc: &Npc,
        #[input]
        #[param(default = ctx)]
        far: u64,
    ) -> bool {
        npc.mind.steps >= far
    }

    struct Wait2;

    #[leaf]
    impl Leaf<Npc> for Wait2 {
        type Open = u64;
        fn open(&self, _: &mut Npc) -> u64 {
            at
        }
        fn tick(&self, ticks: &mut u64, _: &mut Npc) -> Status {
            *ticks -= 1;
            if *ticks > 1 { Status::Running } else { Status::Success }
        }
    }

    #[subtree]
    fn walk(by: u64) -> impl Node<Npc> {
        tree! { mem_sequence { !gone(9), go(by), Wait2 } }
    }

    pub(super) fn day() -> impl Node<Npc> {
        tree! {
            for Npc: machine {
                state walking { timeout(secs(100)) { walk(1) } gone::with_defaults() -> arrived }
                state arrived { run, |npc: &Npc| npc.mind.steps == 0 -> walking }
            }
        }
    }
}

#[test]
fn constants_of_the_users_are_not_in_the_way() {
    let (day, mut npc) = (constants::day(), constants::Npc::default());
    let mut memory = day.memory();
    let statuses: Vec<_> = (0..3).map(|_| day.tick(&mut npc, &mut memory)).collect();
    assert_eq!((npc.mind.steps, statuses), (3, vec![Status::Running; 3]));
}
