import type { Plugin } from 'vite'

// The build leaves out what Solid has for features that the client does not use: a bundler cannot know that they are not used,
// as their code is in functions that are. It saves more than a kilobyte of the first load.

/** Variables of Solid, each null until one of the functions below is called. */
const alwaysNull = ['Transition', 'Scheduler', 'ExternalSourceConfig']
/** Functions that the client may not use: those that set these variables, and the one that takes over a page that a server has made. */
const unused =
  /\b(startTransition|useTransition|createDeferred|enableScheduling|enableExternalSource|hydrate)\b/

/** Changes the sources of Solid so that the minifier finds the code that never runs. */
export function smallerSolid(): Plugin {
  return {
    name: 'smaller-solid',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (/\/web\/(lib|store|view)\//.test(id) && !id.includes('node_modules') && unused.test(code))
        throw new Error(`${id} uses a part of Solid that web/smaller-solid.ts leaves out`)
      if (/\/solid-js\/dist\/solid\.js$/.test(id)) return withoutServer(alwaysNull.reduce(withNull, code))
      return /\/solid-js\/web\/dist\/web\.js$/.test(id) ? withoutServer(code) : undefined
    },
  }
}

/** Makes every read of a variable `null`. What would set it stays, as a property of another name: the code is to be valid, and never runs. */
function withNull(code: string, name: string): string {
  const read = new RegExp(String.raw`(?<!\.)\b${name}\b(?! = )`, 'g')
  const written = new RegExp(String.raw`(?<!\.)\b${name} = `, 'g')
  return replaced(code, `let ${name} = null;`, '')
    .replaceAll(read, 'null')
    .replaceAll(written, `globalThis.${name} = `)
}

/** Makes every read from `sharedConfig` undefined: it is filled for pages that a server has made. */
function withoutServer(code: string): string {
  const filled = /const sharedConfig = \{.*?\n\};/s
  const emptied = code.includes('const sharedConfig')
    ? replaced(code, filled, 'const sharedConfig = {};')
    : code
  return emptied
    .replaceAll(/(?<!function )\bisHydrating\(\w*\)/g, 'false')
    .replaceAll(/sharedConfig\.\w+\b(?! = |\+\+|--)/g, '(void 0)')
}

function replaced(code: string, what: string | RegExp, by: string): string {
  const changed = code.replace(what, by)
  if (changed === code) throw new Error(`Solid has no ${what} any longer: see web/smaller-solid.ts`)
  return changed
}
