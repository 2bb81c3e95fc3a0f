//! Games given as a text of their whole tree, for tests of search.

use ludens_core::{Event, Game, Invalid, Move, Player, Rewards, Rng, Turn};
use std::collections::HashMap;

/// A game given as a text of its whole tree.
///
/// A state is `.` (the end), a player with its moves, `A(. .)`, or chance with its events,
/// `?(0.25*. 0.75*.)`. The rewards of a move or event may precede it: `1,-1:`.
/// Equal subtrees are one state, so that there are transpositions.
///
/// ```
/// use ludens_core::Game;
/// let tree = ludens_games::TextTree::parse("A(B(1,-1:. -1,1:.) ?(0.5*2,-2:. 0.5*.))").unwrap();
/// assert_eq!((tree.num_players(), tree.num_moves(), tree.has_chance()), (2, 2, true));
/// ```
#[derive(Clone, Debug)]
pub struct TextTree {
    nodes: Vec<TextTreeNode>,
    start: State,
    players: usize,
}

/// A place in the tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(u32);

/// The shape of random trees.
#[derive(Copy, Clone, Debug)]
pub struct TextTreeShape {
    /// The number of players.
    pub players: usize,
    /// The most turns of a game.
    pub depth: u32,
    /// The most branches of one node.
    pub branches: usize,
    /// The share of chance nodes.
    pub chance: f32,
    /// Whether the rewards of two players sum to zero.
    pub zero_sum: bool,
}

#[derive(Clone, Debug)]
struct TextTreeNode {
    turn: Turn,
    branches: Vec<Branch>,
}

#[derive(Clone, Debug)]
struct Branch {
    probability: f32,
    rewards: Rewards,
    to: State,
}

impl TextTree {
    /// The game that `text` describes.
    ///
    /// # Errors
    ///
    /// If `text` is not a tree, with the position of the first fault.
    pub fn parse(text: &str) -> Result<TextTree, Invalid> {
        let mut reader = Reader { text, at: 0, nodes: Vec::new(), known: HashMap::new() };
        let start = reader.node()?;
        reader.skip_spaces();
        if reader.at < text.len() {
            return Err(reader.expected("the end of the text"));
        }
        let mut tree = TextTree { nodes: reader.nodes, start, players: 1 };
        tree.players = tree.count_players();
        Ok(tree)
    }

    /// A random tree of this shape.
    pub fn random(shape: &TextTreeShape, rng: &mut Rng) -> TextTree {
        let text = random_node(shape, shape.depth, rng);
        let mut tree = TextTree::parse(&text).expect("random trees are well formed");
        tree.players = shape.players;
        tree
    }

    fn count_players(&self) -> usize {
        let in_node = |node: &TextTreeNode| {
            let gains = node.branches.iter().map(|b| b.rewards.0);
            let gaining = gains.filter_map(|r| r.iter().rposition(|x| *x != 0.0)).max();
            let moving = if let Turn::Player(p) = node.turn { p.index() } else { 0 };
            gaining.unwrap_or(0).max(moving) + 1
        };
        self.nodes.iter().map(in_node).max().expect("a tree has a node")
    }

    fn node(&self, state: State) -> &TextTreeNode {
        &self.nodes[state.0 as usize]
    }

    fn follow(&self, state: &mut State, branch: u32) -> Rewards {
        let branch = &self.node(*state).branches[branch as usize];
        *state = branch.to;
        branch.rewards
    }
}

impl Game for TextTree {
    type State = State;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_moves(&self) -> usize {
        self.nodes.iter().map(|node| node.branches.len()).max().expect("a tree has a node")
    }

    fn start(&self) -> State {
        self.start
    }

    fn turn(&self, state: &State) -> Turn {
        self.node(*state).turn
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        let node = self.node(*state);
        if matches!(node.turn, Turn::Player(_)) {
            out.extend((0..node.branches.len() as u32).map(Move));
        }
    }

    fn play(&self, state: &mut State, mv: Move) -> Rewards {
        self.follow(state, mv.0)
    }

    fn has_chance(&self) -> bool {
        self.nodes.iter().any(|node| node.turn == Turn::Chance)
    }

    fn events(&self, state: &State, out: &mut Vec<(Event, f32)>) {
        let node = self.node(*state);
        if node.turn == Turn::Chance {
            out.extend((0..).map(Event).zip(node.branches.iter().map(|b| b.probability)));
        }
    }

    fn resolve(&self, state: &mut State, event: Event) -> Rewards {
        self.follow(state, event.0)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<TextTreeNode>,
    known: HashMap<String, State>,
}

impl Reader<'_> {
    fn node(&mut self) -> Result<State, Invalid> {
        self.skip_spaces();
        let turn = match self.peek() {
            Some('.') => Turn::Over,
            Some('?') => Turn::Chance,
            Some(letter @ 'A'..='D') => Turn::Player(Player(letter as u8 - b'A')),
            _ => return Err(self.expected("\".\", \"?\" or a player from A to D")),
        };
        self.at += 1;
        let branches = if turn == Turn::Over { Vec::new() } else { self.branches(turn)? };
        let node = TextTreeNode { turn, branches };
        let key = format!("{node:?}");
        let next = State(self.nodes.len() as u32);
        let state = *self.known.entry(key).or_insert(next);
        if state == next {
            self.nodes.push(node);
        }
        Ok(state)
    }

    fn branches(&mut self, turn: Turn) -> Result<Vec<Branch>, Invalid> {
        if self.peek() != Some('(') {
            return Err(self.expected("\"(\""));
        }
        self.at += 1;
        let mut branches = Vec::new();
        loop {
            self.skip_spaces();
            if self.peek() == Some(')') && !branches.is_empty() {
                self.at += 1;
                return Ok(branches);
            }
            branches.push(self.branch(turn)?);
        }
    }

    fn branch(&mut self, turn: Turn) -> Result<Branch, Invalid> {
        let mut probability = 1.0;
        if turn == Turn::Chance {
            probability = self.number()?;
            if self.peek() != Some('*') {
                return Err(self.expected("\"*\" after a probability"));
            }
            self.at += 1;
        }
        let rewards = self.rewards()?;
        Ok(Branch { probability, rewards, to: self.node()? })
    }

    fn rewards(&mut self) -> Result<Rewards, Invalid> {
        let mut rewards = Rewards::NONE;
        if !self.peek().is_some_and(|c| c == '-' || c.is_ascii_digit()) {
            return Ok(rewards);
        }
        for gain in &mut rewards.0 {
            *gain = self.number()?;
            match self.peek() {
                Some(',') => self.at += 1,
                Some(':') => {
                    self.at += 1;
                    return Ok(rewards);
                }
                _ => break,
            }
        }
        Err(self.expected("\":\" after what each player gains"))
    }

    fn number(&mut self) -> Result<f32, Invalid> {
        let rest = &self.text[self.at..];
        let number = |c: char| c == '-' || c == '.' || c.is_ascii_digit();
        let length = rest.find(|c| !number(c)).unwrap_or(rest.len());
        let parsed = rest[..length].parse().map_err(|_| self.expected("a number"))?;
        self.at += length;
        Ok(parsed)
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    fn expected(&self, what: &str) -> Invalid {
        let rest = self.text.get(self.at..).unwrap_or_default();
        Invalid(format!("expected {what} at character {}, found {rest:?}", self.at + 1))
    }
}

fn random_node(shape: &TextTreeShape, depth: u32, rng: &mut Rng) -> String {
    if depth == 0 || (depth < shape.depth && rng.chance(0.1)) {
        return ".".into();
    }
    let by_chance = depth < shape.depth && rng.chance(shape.chance);
    let mover = char::from(b'A' + rng.below(shape.players) as u8);
    let moves = 1 + rng.below(shape.branches);
    let mut branch = |probability: &str| {
        let rewards = random_rewards(shape, rng);
        format!("{probability}{rewards}{}", random_node(shape, depth - 1, rng))
    };
    if by_chance {
        // Quarters, so that sums of values are exact.
        return format!("?({})", ["0.25*", "0.75*"].map(&mut branch).join(" "));
    }
    let moves: Vec<_> = (0..moves).map(|_| branch("")).collect();
    format!("{mover}({})", moves.join(" "))
}

fn random_rewards(shape: &TextTreeShape, rng: &mut Rng) -> String {
    if rng.chance(0.5) {
        return String::new();
    }
    let mut gains: Vec<i64> = (0..shape.players).map(|_| rng.below(5) as i64 - 2).collect();
    if shape.zero_sum {
        gains[1] = -gains[0];
    }
    let texts: Vec<_> = gains.iter().map(i64::to_string).collect();
    format!("{}:", texts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_subtrees_are_one_state() {
        let tree = TextTree::parse("A(B(. 1,-1:.) B(. 1,-1:.) B(. .))").unwrap();
        assert_eq!(tree.nodes.len(), 4);
        let after = |mv| {
            let mut state = tree.start();
            tree.play(&mut state, Move(mv));
            state
        };
        assert!(after(0) == after(1) && after(1) != after(2));
    }

    #[test]
    fn moves_and_events_pay_what_is_written_before_them() {
        let tree = TextTree::parse("A(0,0,2:?(0.25*-1:. 0.75*.))").unwrap();
        let (mut state, mut events) = (tree.start(), Vec::new());
        assert_eq!(tree.play(&mut state, Move(0)).first(3), [0.0, 0.0, 2.0]);
        assert_eq!(tree.turn(&state), Turn::Chance);
        tree.events(&state, &mut events);
        assert_eq!(events, [(Event(0), 0.25), (Event(1), 0.75)]);
        assert_eq!(tree.resolve(&mut state, Event(0)).first(3), [-1.0, 0.0, 0.0]);
        assert_eq!((tree.turn(&state), tree.num_players()), (Turn::Over, 3));
    }

    #[test]
    fn what_is_no_tree_is_refused_with_the_place() {
        let message = |text| TextTree::parse(text).unwrap_err().to_string();
        assert!(message("A()").ends_with("at character 3, found \")\""));
        assert!(message("A(. .").contains("expected \".\""));
        assert!(message("?(.)").starts_with("expected a number at character 3"));
        assert!(message("A(1,2)").contains("\":\" after what each player gains"));
        assert!(message(". .").contains("the end of the text"));
    }

    #[test]
    fn random_trees_have_the_shape_asked_for() {
        let shape =
            TextTreeShape { players: 3, depth: 5, branches: 3, chance: 0.3, zero_sum: false };
        let trees: Vec<_> =
            (0..50).map(|i| TextTree::random(&shape, &mut Rng::seeded(i))).collect();
        assert!(trees.iter().all(|tree| tree.num_players() == 3 && tree.num_moves() <= 3));
        assert!(trees.iter().any(Game::has_chance));
    }
}
