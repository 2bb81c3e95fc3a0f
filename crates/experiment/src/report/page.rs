//! A page, before it is rendered as HTML or Markdown.

/// A page: its title and what follows.
pub(super) struct Page {
    pub(super) title: String,
    pub(super) parts: Vec<PagePart>,
}

/// Part of a page.
pub(super) enum PagePart {
    Heading(String),
    Text(String),
    /// A command line.
    Command(String),
    /// A picture: the name of its files without their ends, what it shows, and the picture.
    Figure {
        name: String,
        caption: String,
        svg: String,
    },
    Table(Vec<Vec<Cell>>),
    List(Vec<String>),
    /// Links to data files.
    Files(Vec<String>),
}

/// A cell of a table.
pub(super) struct Cell {
    pub(super) text: String,
    /// The folder that the cell links to.
    pub(super) to: Option<String>,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), to: None }
    }
}

impl Page {
    pub(super) fn new(title: &str) -> Page {
        Page { title: title.into(), parts: Vec::new() }
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.parts.push(PagePart::Text(text.into()));
    }

    /// A table of plain cells, heading first, under a title if there is one.
    pub(super) fn table(&mut self, title: &str, rows: Vec<Vec<String>>) {
        if !title.is_empty() {
            self.parts.push(PagePart::Heading(title.into()));
        }
        let cells = |row: Vec<String>| row.into_iter().map(Cell::new).collect();
        self.parts.push(PagePart::Table(rows.into_iter().map(cells).collect()));
    }

    /// A list under its title, unless it is empty.
    pub(super) fn list(&mut self, title: &str, items: &[String]) {
        if !items.is_empty() {
            self.parts.push(PagePart::Heading(title.into()));
            self.parts.push(PagePart::List(items.to_vec()));
        }
    }
}
