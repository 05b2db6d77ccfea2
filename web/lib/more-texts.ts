import { addTexts, type Texts, textsIn } from './i18n.ts'

const loaders = import.meta.glob<{ default: Partial<Texts> }>('../lang/*/*.json')

let loading: Promise<unknown> | undefined

/** Loads the texts of the folders of lang, which the first load leaves out. To be awaited before the first of them. */
export function loadMoreTexts() {
  loading ??= Promise.all(
    Object.entries(loaders)
      .filter(([path]) => path.endsWith(`/${textsIn}.json`))
      .map(async ([, load]) => addTexts((await load()).default)),
  ).catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Loads a part of the client together with those texts. */
export async function withTexts<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([load(), loadMoreTexts()])
  return part
}
