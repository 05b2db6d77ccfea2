import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// Lists what a language lacks: `npm run texts -- de`. Without a language, all of them.

const lang = join(import.meta.dirname, '../web/lang')

/** Returns the keys of English texts that a language does not have, each with its file. */
export function missingTexts(language: string, folder = lang): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => basename(path) === 'en.json')
    .flatMap((path) => {
      const texts = read(join(folder, dirname(path), `${language}.json`))
      const file = join('web/lang', dirname(path), `${language}.json`)
      return Object.entries(read(join(folder, path)))
        .filter(([key]) => !texts[key])
        .map(([key, english]) => `${file}: ${key} (${english})`)
    })
}

function read(path: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

if (process.argv[1] === import.meta.filename) {
  const all = readdirSync(lang).flatMap((name) => (name.endsWith('.json') ? [basename(name, '.json')] : []))
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : all
  for (const language of wanted) {
    const missing = missingTexts(language)
    process.stdout.write(`${language}: ${missing.length} texts are missing\n`)
    for (const line of missing) process.stdout.write(`  ${line}\n`)
  }
}
