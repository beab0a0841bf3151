//! Whether an expression can be evaluated again in a closure: it mentions no local variable, and does not leave the surrounding function.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Ident, Local, Pat};

/// Returns `true` if an expression can mention no local variable of the surrounding function.
pub(super) fn is_free(expression: &Expr) -> bool {
    let mut names = Names { bound: Vec::new(), is_free: true, closures: 0 };
    names.visit_expr_mut(&mut expression.clone());
    names.is_free
}

/// The names that are bound around an expression, and whether all others can be items.
struct Names {
    bound: Vec<Ident>,
    is_free: bool,
    /// The number of closures and `async` blocks around, which `return` and `?` leave.
    closures: usize,
}

impl Names {
    /// Visits something whose patterns bind names in it only.
    fn scope(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.bound.len();
        visit(self);
        self.bound.truncate(outer);
    }

    fn name(&mut self, name: &Ident) {
        let plain = name.unraw().to_string();
        let is_item = plain.trim_start_matches('_').starts_with(char::is_uppercase);
        if !is_item && !self.bound.contains(name) {
            self.is_free = false;
        }
    }

    fn leave(&mut self) {
        self.is_free &= self.closures > 0;
    }
}

impl VisitMut for Names {
    fn visit_expr_mut(&mut self, node: &mut Expr) {
        match node {
            Expr::Path(path) if path.qself.is_none() => {
                if let [segment] = path.path.segments.iter().collect::<Vec<_>>().as_slice()
                    && path.path.leading_colon.is_none()
                {
                    self.name(&segment.ident);
                }
            }
            Expr::Call(call) => {
                if !matches!(&*call.func, Expr::Path(_)) {
                    self.visit_expr_mut(&mut call.func);
                }
                call.args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
            }
            Expr::Closure(closure) => self.scope(|names| {
                closure.inputs.iter_mut().for_each(|input| names.visit_pat_mut(input));
                names.closures += 1;
                names.visit_expr_mut(&mut closure.body);
                names.closures -= 1;
            }),
            Expr::Async(block) => {
                self.closures += 1;
                self.visit_block_mut(&mut block.block);
                self.closures -= 1;
            }
            Expr::If(branch) => {
                self.scope(|names| {
                    names.visit_expr_mut(&mut branch.cond);
                    names.visit_block_mut(&mut branch.then_branch);
                });
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::While(repeated) => self.scope(|names| {
                names.visit_expr_mut(&mut repeated.cond);
                names.visit_block_mut(&mut repeated.body);
            }),
            Expr::ForLoop(repeated) => {
                self.visit_expr_mut(&mut repeated.expr);
                self.scope(|names| {
                    names.visit_pat_mut(&mut repeated.pat);
                    names.visit_block_mut(&mut repeated.body);
                });
            }
            // The names of a pattern hold after the value.
            Expr::Let(binding) => {
                self.visit_expr_mut(&mut binding.expr);
                self.visit_pat_mut(&mut binding.pat);
            }
            Expr::Return(_) | Expr::Try(_) | Expr::Await(_) | Expr::Yield(_) => {
                self.leave();
                visit_mut::visit_expr_mut(self, node);
            }
            // Possibly of a loop inside; then it is one too many.
            Expr::Break(_) | Expr::Continue(_) => {
                self.leave();
                visit_mut::visit_expr_mut(self, node);
            }
            Expr::Verbatim(tokens) => self.is_free &= !mentions_name(tokens.clone()),
            _ => visit_mut::visit_expr_mut(self, node),
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scope(|names| visit_mut::visit_arm_mut(names, arm));
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scope(|names| visit_mut::visit_block_mut(names, block));
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init {
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, otherwise)) = &mut init.diverge {
                self.visit_expr_mut(otherwise);
            }
        }
        self.visit_pat_mut(&mut local.pat);
    }

    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Ident(name) = pat {
            self.bound.push(name.ident.clone());
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.is_free &= !mentions_name(call.tokens.clone());
    }

    // They see no locals.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

/// Returns `true` if the tokens of a macro may mention a variable, possibly in a text to be formatted.
fn mentions_name(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let mentions = match token {
            TokenTree::Group(group) => mentions_name(group.stream()),
            TokenTree::Ident(word) => {
                let is_called = matches!(tokens.peek(), Some(TokenTree::Group(_)));
                !is_called && !word.to_string().starts_with(char::is_uppercase)
            }
            TokenTree::Literal(literal) => literal.to_string().contains('{'),
            TokenTree::Punct(_) => false,
        };
        if mentions {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_are_names_that_nothing_inside_binds() {
        for text in [
            "goto(50.0)",
            "a::b::goto(HOME, 5)",
            "Goto { at: HOME, x: 5 }",
            "goto(5).named(\"x\")",
            "f(|x: &T| x.y > 5)",
            "f({ let x = 5; x + 1 })",
            "f(match a() { Some(x) if x > 1 => x, _ => 5 })",
            "f(if let Some(x) = a() { x } else { 5 })",
            "vec![1, 2]",
            "f(|| g()?)",
            "f({ for x in a() { x.f() } 1 })",
            "f(|x| move |y: u8| x + y)",
            "f(vec![a(1), B])",
            "f(Foo { x: 1, ..Foo::new() })",
            "f(async { g()?; 5 })",
            "f(|Foo { x, y: (z, _) }| x + z)",
        ] {
            assert!(is_free(&syn::parse_str(text).expect(text)), "{text}");
        }
        for text in [
            "goto(x, 50.0)",
            "goto(5 + x)",
            "self.goto(5)",
            "f(self)",
            "f(x.y)",
            "Foo { x }",
            "f(|y: &T| x > 5)",
            "f(x, |x| x)",
            "f({ let x = x; x })",
            "f(format!(\"{x}\"))",
            "f(vec![x])",
            "f(g()?)",
            "f(return)",
            "f(a().await)",
            "x",
            "_x",
            "f({ { let x = 5; } x })",
            "f(match a() { Some(x) => 1, _ => x })",
            "r#type",
            "f(if let Some(x) = a() { 1 } else { x })",
            "f(&x)",
            "f(Foo { ..x })",
            "(x)(5)",
            "f(while let Some(x) = x {})",
        ] {
            assert!(!is_free(&syn::parse_str(text).expect(text)), "{text}");
        }
    }
}
