import type en from '../lang/en.json'

/** The keys of the texts. A text is an ICU message in lang/*.json, compiled to a function when the client is built. */
export type TextKey = keyof typeof en
type Values = Record<string, string | number>
type Texts = Record<TextKey, (values: Values) => string>

const loaders = import.meta.glob<{ default: Texts }>('../lang/*.json')

let texts: Texts
/** The language of the texts and of dates and numbers, as in the `lang` attribute of the page. */
export let language = 'en'

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi'])

/** Loads the texts of the first wanted language that exists; English otherwise. To be awaited before the first text. */
export async function loadTexts(wanted: readonly string[]) {
  const valid = wanted.filter(isLanguage)
  const found = valid
    .map((name) => name.toLowerCase().split('-')[0] ?? '')
    .find((name) => pathOf(name) in loaders)
  texts = (await loaders[pathOf(found ?? 'en')]?.())?.default as Texts
  language = valid.find((name) => name.toLowerCase().startsWith(found ?? 'en')) ?? 'en'
  document.documentElement.lang = language
  document.documentElement.dir = rightToLeft.has(found ?? 'en') ? 'rtl' : 'ltr'
}

/** Returns a text in the user's language, with its values filled in. */
export function t(key: TextKey, values: Values = {}): string {
  return texts[key](values)
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
