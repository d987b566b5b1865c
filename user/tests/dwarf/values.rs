// SPDX-License-Identifier: GPL-2.0
// Enums with data, as debug_values_test says them.
pub enum Shape {
    Unit,
    Circle(f64),
    Rect { w: u32, h: u32 },
    Tail(Option<u8>),
}

#[no_mangle]
pub static UNIT: Shape = Shape::Unit;
#[no_mangle]
pub static CIRCLE: Shape = Shape::Circle(1.5);
#[no_mangle]
pub static RECT: Shape = Shape::Rect { w: 3, h: 4 };
#[no_mangle]
pub static TAIL: Shape = Shape::Tail(Some(7));
#[no_mangle]
pub static NO_TAIL: Shape = Shape::Tail(None);
#[no_mangle]
pub static NICHE: Option<&'static u32> = None;
#[no_mangle]
pub static FLAG: Option<bool> = Some(true);
#[no_mangle]
pub static LARGE: Option<u64> = Some(1 << 63);
#[no_mangle]
pub static ALONE: Result<u16, std::convert::Infallible> = Ok(9);
#[no_mangle]
pub static SIGNED: Option<i32> = Some(-5);

fn main() {
    std::hint::black_box((&UNIT, &CIRCLE, &RECT, &TAIL, &NO_TAIL));
    std::hint::black_box((&NICHE, &FLAG, &LARGE, &ALONE, &SIGNED));
}
