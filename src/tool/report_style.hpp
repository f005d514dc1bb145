// How the report looks.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_REPORT_STYLE_HPP
#define NETCL_TOOL_REPORT_STYLE_HPP

namespace netcl::tool {

inline constexpr char kReportStyle[] = R"(
:root { --paper: #fbfaf8; --ink: #1d2530; --soft: #667080; --rule: #e2dfd8; --panel: #fff;
  --blue: #2456a6; --good: #1f7a4d; --fair: #b7791f; --poor: #b4472e; --teal: #14808a;
  --h0: #0b3c6f; --h1: #1f5f9e; --h2: #3f87c0; --h3: #7db0d9; --h4: #b3cfe6; --h5: #d9e4ee;
  --h6: #efece5; --on: #fff; --off: #1d2530; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171c; --ink: #e6e8eb; --soft: #98a1ae; --rule: #2b313a; --panel: #1b1f26;
    --blue: #7aa7ee; --good: #53b583; --fair: #d9a441; --poor: #e07a5f; --teal: #4fb9c2;
    --h0: #cfe8ff; --h1: #9ccbf5; --h2: #6ba6dc; --h3: #3f7db3; --h4: #2b5986; --h5: #22405e;
    --h6: #22272f; --on: #14171c; --off: #e6e8eb; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width: 1060px; margin: 0 auto; padding: 48px 28px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 2px 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 19px; margin: 0 0 4px; }
p { margin: 0 0 14px; max-width: 46em; }
.over { text-transform: uppercase; letter-spacing: 0.12em; font-size: 12px; color: var(--blue);
  font-weight: 600; margin: 0; }
.sub, section > p { color: var(--soft); }
section { margin: 44px 0 0; }
.cards { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; margin-top: 28px; }
.card { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px;
  padding: 12px 16px 12px; }
.card .what { font-size: 12px; color: var(--soft); }
.card .value { font-size: 23px; letter-spacing: -0.01em; font-weight: 600; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.card .note { font-size: 12px; color: var(--soft); line-height: 1.35; }
svg { display: block; width: 100%; height: auto; background: var(--panel);
  border: 1px solid var(--rule); border-radius: 8px; }
svg text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--soft); }
svg .axis { fill: var(--ink); font-size: 13px; }
svg .mid { text-anchor: middle; } svg .end { text-anchor: end; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .roof { stroke: var(--ink); stroke-width: 2.2; }
svg .minor { stroke: var(--soft); stroke-width: 1.3; stroke-dasharray: 5 4; }
svg .roof-text { fill: var(--ink); paint-order: stroke; stroke: var(--panel); stroke-width: 4px; }
.point circle { fill: var(--panel); stroke-width: 2; }
.point text { text-anchor: middle; font-size: 10px; font-weight: 600; }
.point.good circle { stroke: var(--good); } .point.good text { fill: var(--good); }
.point.fair circle { stroke: var(--fair); } .point.fair text { fill: var(--fair); }
.point.poor circle { stroke: var(--poor); } .point.poor text { fill: var(--poor); }
.point:hover circle { stroke-width: 4; }
svg .line { fill: none; stroke-width: 2.2; }
svg .s0 { stroke: var(--blue); } svg .s1 { stroke: var(--fair); } svg .s2 { stroke: var(--teal); }
svg circle.s0 { fill: var(--blue); } svg circle.s1 { fill: var(--fair); }
svg circle.s2 { fill: var(--teal); }
svg .key { stroke: none; font-weight: 600; font-size: 13px; }
svg .key.s0 { fill: var(--blue); } svg .key.s1 { fill: var(--fair); }
svg .key.s2 { fill: var(--teal); }
.heat .h0 { fill: var(--h0); } .heat .h1 { fill: var(--h1); } .heat .h2 { fill: var(--h2); }
.heat .h3 { fill: var(--h3); } .heat .h4 { fill: var(--h4); } .heat .h5 { fill: var(--h5); }
.heat .h6 { fill: var(--h6); }
.heat .t-h0, .heat .t-h1, .heat .t-h2 { fill: var(--on); }
.heat .t-h3, .heat .t-h4, .heat .t-h5, .heat .t-h6 { fill: var(--off); }
.heat .fail { fill: none; stroke: var(--poor); stroke-dasharray: 4 3; }
.heat .t-fail { fill: var(--poor); } .heat .stripe { stroke: var(--poor); stroke-width: 1.2; }
.heat .key-chosen { fill: none; }
.heat .chosen, .heat .key-chosen { stroke: var(--fair); stroke-width: 3; }
.heat .none { fill: var(--rule); } .heat text { font-variant-numeric: tabular-nums; }
.heat .cell:hover rect { stroke: var(--ink); stroke-width: 2; }
h1, h3, td { overflow-wrap: anywhere; } .n, .bar b { overflow-wrap: normal; }
h3 { font-size: 15px; margin: 30px 0 2px; }
details { margin: 8px 0 0; } summary { cursor: pointer; color: var(--blue); font-size: 14px; }
code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
table.wide { width: 100%; }
th { text-align: left; font-weight: 600; font-size: 12px; color: var(--soft);
  border-bottom: 1px solid var(--ink); padding: 4px 10px 4px 0; }
td { border-bottom: 1px solid var(--rule); padding: 4px 10px 4px 0; vertical-align: middle; }
.n { text-align: right; white-space: nowrap; } td.number { color: var(--soft); }
.bar { display: flex; align-items: center; gap: 8px; min-width: 170px; }
.bar s { flex: 1; height: 12px; background: var(--rule); border-radius: 3px; overflow: hidden; }
.bar i { display: block; height: 100%; }
.bar b { width: 3.2em; text-align: right; font-size: 13px; font-weight: 600; }
.good i { background: var(--good); } .fair i { background: var(--fair); }
.poor i { background: var(--poor); } .plain i { background: var(--blue); opacity: 0.55; }
.tree .d0 td { font-weight: 600; } .tree .d1 td { color: var(--soft); }
.warnings { color: var(--poor); padding-left: 18px; font-size: 14px; }
.missing { color: var(--soft); padding-left: 18px; font-size: 14px; }
.chart { overflow-x: auto; } li { overflow-wrap: anywhere; }
.columns { display: flex; flex-wrap: wrap; gap: 16px 64px; margin-top: 22px;
  align-items: flex-start; }
.columns > * { flex: 1 1 340px; min-width: 0; }
.facts td:first-child { color: var(--soft); padding-right: 24px; }
footer { margin-top: 56px; color: var(--soft); font-size: 12px; }
@media print { main { padding: 0; } svg, .card { break-inside: avoid; } }
@media (max-width: 700px) { table { display: block; max-width: 100%; overflow-x: auto; }
  table.wide td { overflow-wrap: normal; }
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } main { padding: 28px 14px 40px; }
  .card .value { font-size: 19px; white-space: normal; } .columns > * { flex-basis: 100%; }
  .columns { gap: 16px 0; } .chart svg { min-width: 640px; border: 0; background: none; }
  .chart { --back: var(--panel); border: 1px solid var(--rule); border-radius: 8px; }
  .chart, table { background: linear-gradient(to right, var(--back, var(--paper)) 40%, transparent),
      linear-gradient(to left, var(--back, var(--paper)) 40%, transparent) 100% 0,
      linear-gradient(to right, var(--more), transparent),
      linear-gradient(to left, var(--more), transparent) 100% 0 var(--back, var(--paper));
    background-size: 48px 100%, 48px 100%, 16px 100%, 16px 100%; background-repeat: no-repeat;
    background-attachment: local, local, scroll, scroll; --more: rgba(128, 128, 128, 0.45); }
  table.rows, .rows tbody { display: block; background: none; } .rows thead { display: none; }
  .rows tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 14px; padding: 7px 0;
    border-bottom: 1px solid var(--rule); }
  .rows td { border: 0; padding: 0; max-width: 100%; } .rows td:empty { display: none; }
  .rows td[data-of]::after { content: " " attr(data-of); color: var(--soft); }
  .rows td[data-is]::before { content: attr(data-is) " "; color: var(--soft); }
  .rows td.share { flex: 1 1 100%; } }
)";

}  // namespace netcl::tool

#endif  // NETCL_TOOL_REPORT_STYLE_HPP
