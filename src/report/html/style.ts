/** The whole style of the page: light and dark by the reader's preference, light on paper. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--soft:#57606a;--line:#d0d7de;--card:#f6f8fa;--link:#0550ae;
--ok:#1a6b34;--bad:#a4161a;--open:#8a5a00;--waive:#5b3a9e;
--proven:#2e7d46;--failed:#b3151b;--gap:#7a3200;--inconclusive:#ffc83d;--pending:#4f6475;--unknown:#8b8f94}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9aa5b1;--line:#30363d;--card:#161b22;--link:#79b8ff;
--ok:#56d364;--bad:#ff8a85;--open:#f0b93a;--waive:#c4a7ff;
--proven:#2e7d46;--failed:#d6262d;--gap:#8f4310;--inconclusive:#ffc83d;--pending:#5b7286;--unknown:#7d828a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:78rem;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.9rem;margin:0;letter-spacing:.01em}h2{margin:2.2rem 0 .6rem;font-size:1.25rem;border-bottom:1px solid var(--line)}
h3{margin:1rem 0 .3rem;font-size:1rem}
a{color:var(--link)}code,.mono{font:13px/1.45 ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
.soft{color:var(--soft)}
header{border-left:.5rem solid var(--tone);padding:.3rem 0 .3rem 1rem}
header h1{color:var(--tone)}header p{margin:.2rem 0}
.pass{--tone:var(--ok)}.fail{--tone:var(--bad)}.inconclusive{--tone:var(--open)}.waived{--tone:var(--waive)}.not-applicable{--tone:var(--soft)}
.tag{color:var(--tone);border:1px solid currentColor;border-radius:.6rem;padding:0 .5rem;font-size:.85rem;white-space:nowrap}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;list-style:none;padding:0;margin:1rem 0 0}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;width:100%;font-size:14px}table.narrow{width:auto;margin-bottom:1rem}tbody th{white-space:nowrap}td code{display:inline-block;min-width:8rem;max-width:22rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.n+:not(.n){padding-left:.9rem}
article{border:1px solid var(--line);border-left:.3rem solid var(--tone);border-radius:.3rem;background:var(--card);padding:.5rem .8rem;margin:.6rem 0}
article:target{outline:3px solid var(--link)}
article p{margin:.2rem 0;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:.1rem .8rem;margin:.3rem 0 0}
dt{color:var(--soft);min-width:6rem;overflow-wrap:anywhere}dd{margin:0}
summary{cursor:pointer}
.map{width:auto;border-spacing:1px;border-collapse:separate;margin:.4rem 0 1rem}
.map th,.map td{border:0;padding:0}
.map tbody th{font-weight:400;white-space:nowrap;padding-right:.6rem;line-height:13px;font-size:13px;text-align:right}
.map thead th{width:9px;max-width:9px;height:1.1rem;font-weight:400;font-size:11px;white-space:nowrap;overflow:visible;color:var(--soft)}
.map thead th{position:relative}.map thead th span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.map thead th.tick{border-left:1px solid var(--line)}.map thead th.tick span{position:static;display:block;width:0;height:auto;overflow:visible;clip-path:none;padding-left:2px}
.map td{width:9px;min-width:9px;height:13px;line-height:13px;font-size:9px;font-weight:700;text-align:center;color:#fff;cursor:default}
.map.hour td{width:17px;min-width:17px;font-size:11px}
.p{background:var(--proven)}.f{background:var(--failed)}.g{background:var(--gap)}
.map td.i,.key .i{background:var(--inconclusive);color:#000}
.w{background:var(--pending)}.map td.u,.key .u{background:var(--unknown);color:#000}
.map td:focus,.map td:hover{outline:2px solid var(--fg);outline-offset:1px}
.key{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;padding:0;margin:.3rem 0}
.key b{display:inline-block;width:13px;height:13px;line-height:13px;font-size:10px;text-align:center;color:#fff;margin-right:.35rem;vertical-align:-2px;overflow:hidden}
#cell{min-height:3.1em;margin:.4rem 0;padding:.3rem .6rem;background:var(--card);border:1px solid var(--line);border-radius:.3rem;overflow-wrap:anywhere}
.bar{position:relative;height:14px;min-width:14rem;background:var(--card);border:1px solid var(--line)}
.bar i{position:absolute;left:0;top:0;bottom:0;background:var(--proven)}.bar.short i{background:var(--failed)}
.bar b{position:absolute;top:-4px;bottom:-4px;border-left:2px solid var(--fg)}
@media print{
:root{color-scheme:light;--bg:#fff;--fg:#000;--soft:#444;--line:#bbb;--card:#fff;--link:#000;--ok:#1a6b34;--bad:#a4161a;--open:#8a5a00;--waive:#5b3a9e;
--proven:#2e7d46;--failed:#b3151b;--gap:#7a3200;--inconclusive:#ffc83d;--pending:#4f6475;--unknown:#8b8f94}
@page{size:A4 landscape;margin:12mm}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{padding:0;max-width:none;font-size:11px}h1{font-size:1.5rem}h2{margin:1rem 0 .3rem}.map{margin-bottom:.4rem}.map td,.map tbody th{height:11px;line-height:11px}table{font-size:10px}code{font-size:10px}.tag{font-size:9px}dl{gap:0 .8rem}article{padding:.2rem .6rem;margin:.4rem 0}
nav,#cell,.hint{display:none}.map td{width:8px;min-width:8px}.map.hour td{width:14px;min-width:14px}.map thead th{width:8px;max-width:8px}.map tbody th{font-size:10px}.scroll{overflow:visible}
article,tr,.map{break-inside:avoid}h2,h3{break-after:avoid}thead{display:table-header-group}
}
`;
