import type { Plugin } from 'vite'

/** What Solid keeps for transitions, for schedulers and for signals of other libraries: null until one of them is used. */
const unused = ['Transition', 'Scheduler', 'ExternalSourceConfig']
/** What starts them, and pages that a server has made. */
const unusedCalls =
  /\b(startTransition|useTransition|createDeferred|enableScheduling|enableExternalSource|hydrate)\b/

/**
 * Leaves out of the client what Solid holds for features that it does not use: a bundler cannot see that these stay null, since
 * functions that nothing calls would set them. It saves a kilobyte of the first load.
 */
export function smallerSolid(): Plugin {
  return {
    name: 'smaller-solid',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (/\/web\/(lib|store|view)\//.test(id) && !id.includes('node_modules') && unusedCalls.test(code))
        throw new Error(`${id} uses a part of Solid that web/smaller-solid.ts leaves out`)
      if (/\/solid-js\/dist\/solid\.js$/.test(id)) return unused.reduce(withNull, withoutHydration(code))
      return /\/solid-js\/web\/dist\/web\.js$/.test(id) ? withoutHydration(code) : undefined
    },
  }
}

/** Reads of a variable become `null`. What would set it sets something else, and is not reached. */
function withNull(code: string, name: string): string {
  const declared = `let ${name} = null;`
  if (!code.includes(declared)) throw new Error(`Solid has no ${name}: see web/smaller-solid.ts`)
  return code
    .replace(declared, '')
    .replaceAll(new RegExp(String.raw`(?<!\.)\b${name}\b(?! = )`, 'g'), 'null')
    .replaceAll(new RegExp(String.raw`(?<!\.)\b${name} = `, 'g'), `globalThis.${name} = `)
}

function withoutHydration(code: string): string {
  return code.replaceAll(/sharedConfig\.context(?! = )/g, 'undefined')
}
