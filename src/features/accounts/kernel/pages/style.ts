import { createHash } from 'node:crypto'
import type { Document } from '../../../../http/responses/document.ts'

// The colors are those of the web client (web/styles/tokens.css).
const css = `:root {
  color-scheme: light dark;
  --bg: light-dark(oklch(96.5% .005 90), oklch(16% .01 265));
  --raised: light-dark(oklch(100% 0 0), oklch(22% .012 265));
  --text: light-dark(oklch(22% .01 265), oklch(92% .005 265));
  --meta: light-dark(oklch(48% .015 265), oklch(72% .015 265));
  --line: light-dark(oklch(90% .005 265), oklch(30% .012 265));
  --control: light-dark(oklch(62% .01 265), oklch(55% .015 265));
  --accent: light-dark(oklch(48% .16 255), oklch(76% .12 250));
  --on-accent: light-dark(oklch(99% 0 0), oklch(18% .02 265));
  --danger: light-dark(oklch(50% .19 27), oklch(74% .15 25));
  --focus: light-dark(oklch(55% .2 255), oklch(80% .14 250));
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; padding: 0 16px; font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--bg); }
main { max-width: 27rem; margin: 9vh auto 32px; padding: 28px 32px; background: var(--raised); border: 1px solid var(--line); border-radius: 10px; }
main:has(table) { max-width: 46rem; }
h1 { margin: 0 0 20px; font-size: 1.467rem; font-weight: 600; line-height: 1.25; }
h2 { margin: 28px 0 8px; font-size: 1.1rem; font-weight: 600; }
a { color: var(--accent); text-underline-offset: 2px; }
label { display: block; margin: 0 0 16px; }
input, select { width: 100%; min-height: 38px; margin-top: 4px; padding: 6px 10px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--control); border-radius: 6px; }
input[type=checkbox], input[type=radio] { width: auto; min-height: 0; margin: 0 6px 0 0; }
button, .button { display: inline-block; min-height: 38px; padding: 7px 16px; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 0; border-radius: 6px; text-decoration: none; cursor: pointer; }
form:has(label) > button:last-of-type:last-child { width: 100%; }
button.plain { min-height: 24px; width: auto; white-space: nowrap; padding: 0; font-weight: 400; color: var(--accent); background: none; text-decoration: underline; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
[role=alert] { margin: 0 0 16px; padding: 8px 12px; border: 1px solid var(--danger); border-inline-start-width: 4px; border-radius: 6px; }
ul.organizations { margin: 0 0 16px; padding: 0; list-style: none; }
.organizations li { display: flex; gap: 16px; align-items: center; border-bottom: 1px solid var(--line); }
.organizations a { display: flex; flex: 1; gap: 12px; align-items: center; min-width: 0; padding: 10px 0; text-decoration: none; overflow-wrap: anywhere; }
.organizations a:hover strong { text-decoration: underline; }
.organizations img { border-radius: 8px; }
.organizations span { min-width: 0; }
.organizations small, .note { color: var(--meta); font-size: .867rem; }
.note { margin: 16px 0 4px; }
.note + form { margin-block-start: 16px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 6px 10px 6px 0; text-align: start; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--meta); }
time { white-space: nowrap; }
@media (pointer: coarse) { input:not([type=checkbox], [type=radio]), select, button:not(.plain), .button { min-height: 44px; font-size: 16px; } }
@media (max-width: 480px) { main { margin-top: 16px; padding: 20px; } main:has(table) { overflow-x: auto; } th, td { padding-inline-end: 6px; font-size: .867rem; } }
`

const version = createHash('sha256').update(css).digest('hex').slice(0, 8)

/** The style sheet of all pages. Its address changes with its content. */
export const stylesheet: Document & { url: string } = {
  path: '/pages.css',
  url: `/pages.css?${version}`,
  contentType: 'text/css; charset=utf-8',
  maxAge: 86_400,
  body: async () => [css],
}
