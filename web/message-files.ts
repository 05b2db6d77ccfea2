import { readdirSync, readFileSync } from 'node:fs'
import MessageFormat from '@messageformat/core'
import compileModule from '@messageformat/core/compile-module.js'
import type { Plugin } from 'vite'

const lang = new URL('lang/', import.meta.url)

/**
 * Compiles a message file (xx.json in lang and its folders, ICU messages by key) to a list: of a function per message, or of the text
 * itself if it takes no values. With `?keys`, the module has the keys of that list, which are the same for all languages.
 * With `?all`, or `?all&keys`, the files of all folders are one. A text that a language lacks is the English one.
 */
export function messageFiles(): Plugin {
  const folders = readdirSync(lang, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return {
    name: 'message-files',
    enforce: 'pre',
    load(id) {
      const [path = '', query] = id.split('?')
      const [, folder = '', language] = /\/lang\/(\w+\/)?([\w-]+)\.json$/.exec(path) ?? []
      if (!language) return undefined
      const asked = new URLSearchParams(query)
      const from = asked.has('all') ? folders.map(({ name }) => `${name}/`) : [folder]
      const textsOf = (name: string): Record<string, string> => {
        const files = from.map((one) => new URL(`${one}${name}.json`, lang))
        for (const file of files) this.addWatchFile(file.pathname)
        return Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))))
      }
      const english = textsOf('en')
      const keys = Object.keys(english).toSorted()
      if (asked.has('keys')) return { code: keysByGroup(keys), moduleType: 'js' }
      const texts = { ...english, ...textsOf(language) }
      return {
        code: compiled(
          language,
          keys.map((key) => texts[key] ?? ''),
        ),
        moduleType: 'js',
      }
    },
  }
}

/** Returns a module with the names in each group of keys: the keys `view.inbox` and `view.feed` as `{ view: 'inbox feed' }`. */
function keysByGroup(keys: string[]): string {
  const groups: Record<string, string> = {}
  for (const key of keys) {
    const [group = '', name] = key.split(/\.(.*)/s)
    groups[group] = groups[group] ? `${groups[group]} ${name}` : `${name}`
  }
  return `export default ${JSON.stringify(groups)}`
}

function compiled(language: string, texts: string[]): string {
  const named = Object.fromEntries(texts.map((text, at) => [`text${at}`, text]))
  return compileModule(new MessageFormat(language), named)
    .replaceAll(/\n {2}text\d+: (?:\(\) => (?="))?/g, '\n  ')
    .replace(/export default \{(.*)\}/s, 'export default [$1]')
}
