//! All routes.

use crate::routes::RouteTable;
use crate::{
    agents, app_state, contests, games, openapi, play, reading, review, runs, study, tuples,
};
use axum::http::StatusCode;

/// All routes. A new one adds its line here.
pub(crate) fn table() -> RouteTable {
    reading_routes(contest_routes(run_routes(game_routes(RouteTable::default()))))
}

fn game_routes(table: RouteTable) -> RouteTable {
    table
        .get("/api/openapi.json", "This description.", openapi::openapi)
        .get("/api/about", "What this server is, and how much it does.", app_state::about)
        .get("/api/games", "All games, with pictures of their boards.", games::list)
        .get("/api/games/{name}", "One game.", games::one)
        .get("/api/agents", "Who may sit down to a game.", agents::list)
        .post("/api/position", "A position: what was played, what can be.", play::position)
        .post("/api/play", "Plays a move, and what chance replies.", play::play)
        .post("/api/choose", "Lets an agent move.", play::choose)
        .deep()
        .post("/api/study", "What an agent thinks of a position.", study::study)
        .deep()
        .post("/api/opinions", "What several agents think of a position.", study::opinions)
        .deep()
        .post("/api/review", "How a game went, and its mistakes.", review::review)
        .deep()
        .post("/api/tuples", "Which n-tuples make up a learned value.", tuples::tuples)
        .deep()
}

fn run_routes(table: RouteTable) -> RouteTable {
    table
        .get("/api/runs", "All runs, the newest first.", runs::list)
        .post("/api/runs", "Begins a run.", runs::start)
        .status(StatusCode::CREATED)
        .events("/api/runs/events", "All runs, whenever something changes.", runs::list_events)
        .get("/api/runs/{id}", "Everything about a run.", runs::one)
        .events("/api/runs/{id}/events", "A run while it learns.", runs::events)
        .get("/api/runs/{id}/games", "Sample games of a run.", runs::games)
        .get("/api/runs/{id}/weights", "What the weights of a run are like.", runs::weights)
        .post("/api/runs/{id}/stop", "Lets a run save and stop.", runs::stop)
        .status(StatusCode::ACCEPTED)
        .post("/api/runs/{id}/resume", "Lets a run go on.", runs::resume)
        .status(StatusCode::ACCEPTED)
        .get("/api/settings", "The settings of runs side by side.", runs::settings)
        .get("/api/curves", "Learning curves with bands over seeds.", runs::curves)
        .picture("/api/curves.svg", "The same, drawn as in reports.", runs::curves_picture)
        .get("/api/presets", "Settings for learning that have a name.", runs::presets)
        .get("/api/schema", "Everything that can be set about a run.", runs::schema)
}

fn contest_routes(table: RouteTable) -> RouteTable {
    table
        .get("/api/contests", "All matches and tournaments, the newest first.", contests::all)
        .post("/api/contests", "Begins a match or tournament.", contests::start)
        .status(StatusCode::CREATED)
        .get("/api/contests/{number}", "A match or tournament.", contests::one)
        .delete("/api/contests/{number}", "Stops and forgets one.", contests::remove)
        .events("/api/contests/{number}/events", "One while it is played.", contests::events)
        .picture("/api/contests/{number}/table.svg", "Its cross table, drawn.", contests::picture)
        .post("/api/contests/{number}/stop", "Stops one.", contests::stop)
        .status(StatusCode::ACCEPTED)
}

fn reading_routes(table: RouteTable) -> RouteTable {
    table
        .get("/api/pages", "Everything to read.", reading::list)
        .get("/api/pages/{*id}", "A page to read.", reading::page)
        .picture("/api/pictures/{*name}", "A picture on such a page.", reading::picture)
}
