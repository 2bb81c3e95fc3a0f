//! Packed boards, as several are looked at together.

use crate::bank::add_lanes;

/// The windows of one board, the last ones empty so that three bits name one.
pub(super) type Windows = [u64; 8];

/// Windows that are not empty, and where each begins.
pub(super) const WINDOWS: u32 = 5;
pub(super) const STEP: u32 = 16;

/// The window that is the second word.
pub(super) const SECOND: usize = 4;

/// Images that are summed up side by side.
pub(super) const SIDE_BY_SIDE: usize = 8;

/// For each window, what is seen of each of `N` images through it.
pub(super) type Views<const N: usize> = [[u64; N]; 8];

/// The sum of each image.
pub(super) type Sums<const N: usize> = [f32; N];

/// Boards that are summed up together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Boards {
    /// For each board, each window of each image.
    views: Vec<Views<SIDE_BY_SIDE>>,
    /// For each board, the sum of each image.
    sums: Vec<Sums<SIDE_BY_SIDE>>,
}

impl Boards {
    /// Adds a board; tells whether there are as many images as are summed up together.
    #[inline]
    pub(super) fn push(&mut self, images: &[[u64; 2]]) -> bool {
        let Ok(images) = <&[[u64; 2]; SIDE_BY_SIDE]>::try_from(images) else { return false };
        self.views.push(views(images));
        self.sums.push([0.0; SIDE_BY_SIDE]);
        true
    }

    /// The views of the images of each board, and their sums.
    #[inline(always)]
    pub(super) fn each(
        &mut self,
    ) -> impl Iterator<Item = (&Views<SIDE_BY_SIDE>, &mut Sums<SIDE_BY_SIDE>)> {
        self.views.iter().zip(&mut self.sums)
    }

    /// Forgets all boards.
    pub(super) fn clear(&mut self) {
        self.views.clear();
        self.sums.clear();
    }

    /// The sum of each board.
    #[inline]
    pub(super) fn sums(&self) -> impl Iterator<Item = f32> {
        self.sums.iter().map(|sums| add_lanes(*sums))
    }
}

/// Each window of each image.
#[inline(always)]
pub(super) fn views<const N: usize>(images: &[[u64; 2]; N]) -> Views<N> {
    let mut views = [[0; N]; 8];
    for (lane, image) in images.iter().enumerate() {
        for (view, window) in views.iter_mut().zip(windows(image)) {
            view[lane] = window;
        }
    }
    views
}

#[inline(always)]
pub(super) fn windows(&[first, second]: &[u64; 2]) -> Windows {
    let at = |bits: u32| first >> bits | second << (64 - bits);
    [first, at(STEP), at(2 * STEP), at(3 * STEP), second, 0, 0, 0]
}
