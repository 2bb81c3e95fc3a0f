//! The tree that Monte Carlo search grows, in two arrays.

use ludens_core::{Move, Rng, Turn};
use std::num::NonZeroU32;

/// The index of an edge.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct EdgeId(u32);

/// The statistics of one move or event at the root.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct EdgeStatistics {
    pub(super) id: u32,
    pub(super) mean: f32,
    pub(super) visits: u32,
    /// Whether the mean is the proven return.
    pub(super) proven: bool,
}

/// Nodes, each with a run of edges. Edges hold all results; states are played again instead.
#[derive(Default)]
pub(super) struct Tree {
    nodes: Vec<TreeNode>,
    edges: Vec<TreeEdge>,
}

#[derive(Copy, Clone)]
struct TreeNode {
    first: u32,
    count: u32,
    untried: u32,
    visits: u32,
    turn: Turn,
}

#[derive(Copy, Clone)]
struct TreeEdge {
    mean: f32,
    /// The factor of the exploration term.
    bonus: f32,
    visits: u32,
    /// The move or event.
    id: u32,
    /// The child node; never the root, which is node 0.
    child: Option<NonZeroU32>,
    /// Whether the mean is the proven return.
    proven: bool,
}

impl TreeEdge {
    fn result(&self) -> EdgeStatistics {
        let TreeEdge { id, mean, visits, proven, .. } = *self;
        EdgeStatistics { id, mean, visits, proven }
    }
}

/// Most edges: 24 bytes each make 1.2 gigabytes.
const MOST_EDGES: usize = 50_000_000;

impl Tree {
    pub(super) const ROOT: usize = 0;

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.edges.len() >= MOST_EDGES
    }

    /// Adds a node with an edge for each id and prior. Unvisited edges have the value `mean`.
    pub(super) fn add(
        &mut self,
        turn: Turn,
        edges: impl Iterator<Item = (u32, f32)>,
        mean: f32,
    ) -> usize {
        let first = self.edges.len();
        let edge =
            |(id, bonus)| TreeEdge { mean, bonus, visits: 0, id, child: None, proven: false };
        self.edges.extend(edges.map(edge));
        let count = (self.edges.len() - first) as u32;
        self.nodes.push(TreeNode { first: first as u32, count, untried: count, visits: 0, turn });
        self.nodes.len() - 1
    }

    #[inline]
    pub(super) fn turn(&self, node: usize) -> Turn {
        self.nodes[node].turn
    }

    #[inline]
    pub(super) fn untried(&self, node: usize) -> u32 {
        self.nodes[node].untried
    }

    /// Counts a visit and returns how many there were before.
    #[inline]
    pub(super) fn visit(&mut self, node: usize) -> u32 {
        let visits = &mut self.nodes[node].visits;
        *visits += 1;
        *visits - 1
    }

    #[inline]
    pub(super) fn id(&self, edge: EdgeId) -> u32 {
        self.edges[edge.0 as usize].id
    }

    #[inline]
    pub(super) fn visits(&self, edge: EdgeId) -> u32 {
        self.edges[edge.0 as usize].visits
    }

    #[inline]
    pub(super) fn child(&self, edge: EdgeId) -> Option<usize> {
        self.edges[edge.0 as usize].child.map(|child| child.get() as usize)
    }

    pub(super) fn set_child(&mut self, edge: EdgeId, child: usize) {
        self.edges[edge.0 as usize].child = NonZeroU32::new(child as u32);
    }

    /// The edge whose mean plus `weight` times its bonus is largest.
    #[inline]
    pub(super) fn select(&self, node: usize, weight: f32) -> EdgeId {
        let first = self.nodes[node].first;
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        for (i, edge) in self.edges_of(node).iter().enumerate() {
            let merit = edge.mean + weight * edge.bonus;
            if merit > most {
                (best, most) = (i as u32, merit);
            }
        }
        EdgeId(first + best)
    }

    /// An edge that was never tried, any of them.
    #[inline]
    pub(super) fn select_untried(&mut self, node: usize, rng: &mut Rng) -> EdgeId {
        let mut skip = rng.below(self.nodes[node].untried as usize);
        self.nodes[node].untried -= 1;
        let untried = |edge: &TreeEdge| {
            let found = edge.visits == 0 && skip == 0;
            skip -= usize::from(edge.visits == 0 && !found);
            found
        };
        let at = self.edges_of(node).iter().position(untried);
        EdgeId(self.nodes[node].first + at.expect("an untried edge is left") as u32)
    }

    /// The edge of a drawn event, and whether it was drawn before.
    pub(super) fn draw(&mut self, node: usize, event: u32) -> (EdgeId, bool) {
        let at = self.edges_of(node).iter().position(|edge| edge.id == event);
        let at = self.nodes[node].first + at.expect("chance draws what it lists") as u32;
        let visits = &mut self.edges[at as usize].visits;
        *visits += 1;
        (EdgeId(at), *visits > 1)
    }

    /// Makes the mean of an edge its proven return.
    pub(super) fn prove(&mut self, edge: EdgeId, gained: f32) {
        let edge = &mut self.edges[edge.0 as usize];
        (edge.mean, edge.bonus, edge.proven) = (gained, 0.0, true);
    }

    #[inline]
    pub(super) fn proven(&self, edge: EdgeId) -> Option<f32> {
        let TreeEdge { mean, proven, .. } = self.edges[edge.0 as usize];
        proven.then_some(mean)
    }

    /// What the player to move gains at a node, if that is proven: a move brings a `win`, or the
    /// returns of all moves are known.
    pub(super) fn proven_best(&self, node: usize, win: f32) -> Option<f32> {
        let edges = self.edges_of(node);
        let proven = edges.iter().filter(|edge| edge.proven).map(|edge| edge.mean);
        let best = proven.reduce(f32::max)?;
        (best >= win || edges.iter().all(|edge| edge.proven)).then_some(best)
    }

    /// The edges of a node.
    pub(super) fn edge_ids(&self, node: usize) -> impl Iterator<Item = EdgeId> + use<> {
        let TreeNode { first, count, .. } = self.nodes[node];
        (first..first + count).map(EdgeId)
    }

    /// Adds what one line brought to what is known of an edge.
    #[inline]
    pub(super) fn learn(&mut self, edge: EdgeId, gained: f32, guided: bool) {
        let edge = &mut self.edges[edge.0 as usize];
        edge.visits += 1;
        if edge.proven {
            return;
        }
        let visits = edge.visits as f32;
        edge.mean += (gained - edge.mean) / visits;
        // P / (1 + n) for PUCT, kept up from P / n; sqrt(1 / n) for UCT.
        edge.bonus =
            if guided { edge.bonus * visits / (visits + 1.0) } else { visits.sqrt().recip() };
    }

    pub(super) fn root_results(&self) -> impl Iterator<Item = EdgeStatistics> {
        self.edges_of(Tree::ROOT).iter().map(TreeEdge::result)
    }

    /// The moves of most merit one after the other, up to chance or what was never tried.
    pub(super) fn line(&self, merit: impl Fn(EdgeStatistics) -> f32) -> Vec<Move> {
        let (mut line, mut next) = (Vec::new(), Some(Tree::ROOT));
        while let Some(node) = next.filter(|node| matches!(self.turn(*node), Turn::Player(_))) {
            let tried = self.edges_of(node).iter().filter(|edge| edge.visits > 0);
            let of_merit =
                |a: &&TreeEdge, b: &&TreeEdge| merit(a.result()).total_cmp(&merit(b.result()));
            let Some(best) = tried.max_by(of_merit) else { break };
            line.push(Move(best.id));
            next = best.child.map(|child| child.get() as usize);
        }
        line
    }

    /// Makes the child of the root over this move or event the root. False if it has no node.
    pub(super) fn descend(&mut self, id: u32) -> bool {
        let edge = self.edges_of(Tree::ROOT).iter().find(|edge| edge.id == id);
        let Some(top) = edge.and_then(|edge| edge.child) else { return false };
        let mut kept = Tree::default();
        let mut queue = vec![top.get() as usize];
        let mut next = 0;
        while next < queue.len() {
            let node = self.nodes[queue[next]];
            let first = kept.edges.len() as u32;
            kept.nodes.push(TreeNode { first, ..node });
            for edge in self.edges_of(queue[next]) {
                let child = edge.child.and_then(|_| NonZeroU32::new(queue.len() as u32));
                kept.edges.push(TreeEdge { child, ..*edge });
                queue.extend(edge.child.map(|child| child.get() as usize));
            }
            next += 1;
        }
        *self = kept;
        true
    }

    #[inline]
    fn edges_of(&self, node: usize) -> &[TreeEdge] {
        let TreeNode { first, count, .. } = self.nodes[node];
        &self.edges[first as usize..][..count as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludens_core::Player;

    #[test]
    fn the_subtree_below_a_move_keeps_its_results() {
        let mut tree = Tree::default();
        let mover = |p| Turn::Player(Player(p));
        let edges = || [(3, 0.0), (5, 0.0)].into_iter();
        tree.add(mover(0), edges(), 0.0);
        let child = tree.add(mover(1), edges(), 0.0);
        tree.set_child(EdgeId(1), child);
        let grandchild = tree.add(Turn::Chance, edges(), 0.0);
        tree.set_child(EdgeId(2), grandchild);
        tree.learn(EdgeId(2), 1.0, false);
        tree.draw(grandchild, 5);
        assert!(!tree.descend(3));
        assert!(tree.descend(5));
        let results: Vec<_> = tree.root_results().map(|r| (r.id, r.mean, r.visits)).collect();
        assert_eq!(results, [(3, 1.0, 1), (5, 0.0, 0)]);
        assert_eq!((tree.turn(0), tree.turn(1)), (mover(1), Turn::Chance));
        assert_eq!(tree.child(EdgeId(0)), Some(1));
        assert_eq!(tree.line(|result| result.mean), [Move(3)], "chance has no merit");
        assert_eq!(tree.draw(1, 5), (EdgeId(3), true));
    }

    #[test]
    fn bonuses_follow_their_formulas() {
        let mut tree = Tree::default();
        tree.add(Turn::Player(Player(0)), [(0, 0.6), (1, 0.6)].into_iter(), 0.0);
        for gained in [1.0, 0.0, 0.5] {
            tree.learn(EdgeId(0), gained, true);
            tree.learn(EdgeId(1), gained, false);
        }
        let [puct, uct] = [tree.edges[0], tree.edges[1]];
        assert!((puct.bonus - 0.6 / 4.0).abs() < 1e-6 && (puct.mean - 0.5).abs() < 1e-6);
        assert!((uct.bonus - (1.0f32 / 3.0).sqrt()).abs() < 1e-6 && uct.visits == 3);
    }
}
