// SPDX-License-Identifier: GPL-2.0
// The same of Rust.
mod shapes {
    pub struct Point {
        pub x: i32,
    }

    pub trait Area {
        fn area(&self) -> i32;
    }

    impl Point {
        #[inline(never)]
        pub fn grow(&mut self, by: i32) -> i32 {
            self.x += by;
            self.x
        }
    }

    impl Area for Point {
        #[inline(never)]
        fn area(&self) -> i32 {
            self.x * 3
        }
    }

    #[inline(never)]
    pub fn twice<T: Copy + std::ops::Add<Output = T>>(t: T) -> T {
        t + t
    }
}

use shapes::Area;

fn main() {
    let mut p = shapes::Point { x: std::env::args().count() as i32 };
    p.grow(2);
    std::process::exit(p.area() + shapes::twice(p.x));
}
