import keys from '../lang/settings/en.json?all&keys'
import { addTexts, type TextFile, textsIn } from './i18n.ts'

/** For each language one file with the texts of all folders; that of this folder stands for them. */
const loaders = import.meta.glob<TextFile>('../lang/settings/*.json', { query: '?all' })

let loading: Promise<unknown> | undefined

/** Loads the texts of the folders of lang, which the first load leaves out. To be awaited before the first of them. */
export function loadMoreTexts() {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load() {
  addTexts(keys, await loaders[`../lang/settings/${textsIn}.json`]?.())
}

/** Loads a part of the client together with those texts. */
export async function withTexts<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([load(), loadMoreTexts()])
  return part
}
