import { readFileSync } from 'node:fs'
import { codeOfName, nameOfCode } from '../../markdown/emoji/emoji-table.ts'

/** An emoji as messages and reactions name it here. */
type KnownEmoji = { code: string; name: string }

/** Code point -> the names that Slack has for it and we have not, or have for another emoji. */
const table = new URL('./emoji-names.json', import.meta.url)

let codes: ReadonlyMap<string, string> | undefined

/** Returns the emoji that Slack calls so; undefined for those of a workspace's own. The tone of the skin is left out. */
export function slackEmoji(name: string): KnownEmoji | undefined {
  const [plain = ''] = name.split('::')
  codes ??= readCodes()
  const code = codes.get(plain) ?? flagCode(plain) ?? codeOfName.get(plain)
  const known = code === undefined ? undefined : nameOfCode.get(code)
  return code === undefined || known === undefined ? undefined : { code, name: known }
}

function readCodes(): ReadonlyMap<string, string> {
  const names = Object.entries(JSON.parse(readFileSync(table, 'utf8')) as Record<string, string[]>)
  return new Map(names.flatMap(([code, all]) => all.map((name) => [name, code] as const)))
}

const firstFlagLetter = 0x1f1e6

/** Slack names flags by the two letters of the country, of which their code points consist. */
function flagCode(name: string): string | undefined {
  const [, letters] = /^flag-([a-z]{2})$/.exec(name) ?? []
  if (letters === undefined) return undefined
  return [...letters]
    .map((letter) => (firstFlagLetter + letter.charCodeAt(0) - 'a'.charCodeAt(0)).toString(16))
    .join('-')
}
