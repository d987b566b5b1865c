// SPDX-License-Identifier: GPL-2.0
// Collections, closures, trait objects and panics without end. See backtrace.t.
use std::collections::BTreeMap;
use std::hint::black_box;

trait Shape {
    fn area(&self, n: u64) -> u64;
}

struct Square;
struct Nested(Box<dyn Shape>);

impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        if n % 17 == 0 {
            panic!("{}", n);
        }
        black_box(n * n)
    }
}

impl Shape for Nested {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        self.0.area(n) + 1
    }
}

#[inline(never)]
fn round(n: u64) -> u64 {
    let mut map = BTreeMap::new();
    let mut list: Vec<u64> = (0..20).map(|i| (n * (i + 3)) % 101).collect();
    list.sort_by_key(|x| black_box(x % 13));
    for x in &list {
        map.insert(format!("{:05}", x), *x);
    }
    let shape = Nested(Box::new(Nested(Box::new(Square))));
    let caught = std::panic::catch_unwind(|| black_box(&Square).area(n));
    list.iter().filter(|x| *x % 17 != 0).map(|x| shape.area(*x)).sum::<u64>()
        + map.len() as u64 + caught.unwrap_or(1)
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut n = 0;
    loop {
        n += black_box(round(n)) % 2 + 1;
    }
}
