import { createHash } from 'node:crypto'
import type { Document } from '../../../../http/document.ts'

const css = `:root { color-scheme: light dark; --line: light-dark(#ccd, #445); --strong: light-dark(#2a4d8f, #8db0f5); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#222, #ddd); background: light-dark(#f6f7f9, #16181d); }
main { max-width: 34rem; margin: 8vh auto; padding: 2rem; background: light-dark(#fff, #1f222a); border: 1px solid var(--line); border-radius: 8px; }
h1 { margin-top: 0; font-size: 1.5rem; }
h2 { margin-top: 2rem; font-size: 1.1rem; }
a { color: var(--strong); }
label { display: block; margin: 0 0 1rem; }
input, select { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 4px; }
input[type=checkbox], input[type=radio] { width: auto; }
button, .button { display: inline-block; padding: .5rem 1rem; font: inherit; color: light-dark(#fff, #16181d); background: var(--strong); border: 0; border-radius: 4px; text-decoration: none; cursor: pointer; }
button.plain { padding: 0; color: var(--strong); background: none; text-decoration: underline; }
[role=alert] { padding: .5rem 1rem; border-left: 4px solid #c33; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .4rem .4rem 0; text-align: left; border-bottom: 1px solid var(--line); }
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
