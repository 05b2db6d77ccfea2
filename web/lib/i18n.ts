import keys from '../lang/en.json?keys'
import type { TextKey } from './text-key.ts'

export type { TextKey }

type Values = Record<string, string | number>
/** A text that takes no values is there as it is. */
type Text = string | ((values: Values) => string)
/** A file with texts: a list in the order of their keys, which are not in it, as they are the same for all languages. */
export type TextFile = { default: Text[] }

const loaders = import.meta.glob<TextFile>('../lang/*.json')

const texts = {} as Record<TextKey, Text>
/** The language of the texts and of dates and numbers, as in the `lang` attribute of the page. */
export let language = 'en'
/** The name of the file that has the texts. */
export let textsIn = 'en'

/** The key under which a browser stores the language that the user has chosen. */
export const languageKey = 'rookery.language'

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi'])

/** Loads the texts of the first wanted language that exists; English otherwise. To be awaited before the first text. */
export async function loadTexts(wanted: readonly string[]) {
  const valid = wanted.filter(isLanguage)
  const found = valid
    .map((name) => name.toLowerCase().split('-')[0] ?? '')
    .find((name) => pathOf(name) in loaders)
  textsIn = found ?? 'en'
  addTexts(keys, await loaders[pathOf(textsIn)]?.())
  language = valid.find((name) => name.toLowerCase().startsWith(textsIn)) ?? 'en'
  document.documentElement.lang = language
  document.documentElement.dir = rightToLeft.has(textsIn) ? 'rtl' : 'ltr'
}

/** Adds the texts of a file. Its keys come as the names in each group: `{ view: 'inbox feed' }` for `view.inbox` and `view.feed`. */
export function addTexts(groups: Record<string, string>, file: TextFile | undefined) {
  const list = file?.default.values()
  for (const [group, names] of Object.entries(groups)) {
    for (const name of names.split(' ')) texts[`${group}.${name}` as TextKey] = list?.next().value ?? ''
  }
}

/** Returns a text in the user's language, with its values filled in. */
export function t(key: TextKey, values: Values = {}): string {
  const text = texts[key]
  return typeof text === 'string' ? text : text(isolated(values))
}

const letters = { ltr: /[A-Za-z\u00c0-\u058f]/, rtl: /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/ }

/** Sets names off that are written the other way, with marks that are not seen: they would mix with the words around. */
function isolated(values: Values): Values {
  const other = document.documentElement.dir === 'rtl' ? letters.ltr : letters.rtl
  const mark = (value: string | number) =>
    typeof value === 'string' && other.test(value) ? `\u2068${value}\u2069` : value
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mark(value)]))
}

/** Some systems report tags that formats of dates do not take. */
function isLanguage(tag: string) {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

function pathOf(name: string) {
  return `../lang/${name}.json`
}
