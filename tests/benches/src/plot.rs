//! A line chart as SVG: nanoseconds per agent by the number of agents, on a logarithmic x axis.

use std::fmt::Write;

use crate::scale::LINES;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 600.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 270.0;
/// The maximum of the y axis is a multiple of this.
const AXIS_NS: f64 = 30.0;

/// Draws the measurements. The colors suit light and dark backgrounds.
pub fn svg(measured: &[(u32, [f64; LINES.len()])]) -> String {
    let powers = f64::from(measured.last().map_or(10, |(agents, _)| *agents)).log10();
    let x = |agents: u32| LEFT + (RIGHT - LEFT) * f64::from(agents).log10() / powers;
    let highest = measured.iter().flat_map(|(agents, times)| {
        LINES.iter().zip(times).filter(move |((_, _, from), _)| agents >= from).map(|(_, time)| *time)
    });
    let max = (highest.fold(1.0, f64::max) / AXIS_NS).ceil() * AXIS_NS;
    let y = |time: f64| BOTTOM - (BOTTOM - TOP) * time / max;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\" \
         fill=\"#777\">\n<text x=\"{LEFT}\" y=\"18\" font-size=\"14\">Nanoseconds per agent and tick, by the number of agents on one tree</text>\n"
    );
    for step in 0..=3 {
        let time = max / 3.0 * f64::from(step);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#999\" stroke-opacity=\"0.35\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{time:.0}</text>",
            y(time),
            LEFT - 8.0,
            y(time) + 4.0
        );
    }
    for (agents, _) in measured {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{agents}</text>",
            x(*agents),
            BOTTOM + 20.0
        );
    }
    for (line, (name, color, from)) in LINES.iter().enumerate() {
        let shown = measured.iter().filter(|(agents, _)| agents >= from);
        let points: Vec<_> = shown.map(|(agents, times)| format!("{:.1},{:.1}", x(*agents), y(times[line]))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for point in &points {
            if let Some((x, y)) = point.split_once(',') {
                let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{color}\"/>");
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "there are three lines")]
        let at = LEFT + 4.0 + 185.0 * line as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{at}\" y=\"300\" width=\"10\" height=\"10\" fill=\"{color}\"/><text x=\"{}\" y=\"310\">{name}</text>",
            at + 16.0
        );
    }
    svg + "</svg>\n"
}
