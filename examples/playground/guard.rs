tree! {
    selector { sequence "fight" { sees_enemy, attack } mem_sequence "patrol" { walk_to(1), wait(secs(2)), walk_to(2) } }
}
