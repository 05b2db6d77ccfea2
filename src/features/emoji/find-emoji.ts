import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Param } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'

export const emojiKinds = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const
export type EmojiKind = (typeof emojiKinds)[number]

/** An emoji as clients name it: its name, and its code within its kind. */
export type Emoji = { name: string; code: string; kind: EmojiKind }

/** The one emoji that is neither of Unicode nor of the organization. */
const extra = 'zulip'

const namesByCode: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../../../src/markdown/emoji-names.json', import.meta.url), 'utf8'),
)
const codesByName = new Map(
  Object.entries(namesByCode).flatMap(([code, names]) => names.map((name): [string, string] => [name, code])),
)

/** The emoji that goes by this name; 400 if none does. */
export function emojiByName(name: string): Emoji {
  if (name === extra) return { name, code: extra, kind: 'zulip_extra_emoji' }
  const code = codesByName.get(name)
  if (code === undefined) throw badRequest(`Emoji '${name}' does not exist`)
  return { name, code, kind: 'unicode_emoji' }
}

/** The emoji that is named in full; 400 unless there is one, and it has this name. */
export function emojiNamed(name: string, code: string, kind: string): Emoji {
  switch (kind) {
    case 'unicode_emoji':
      if (!Object.hasOwn(namesByCode, code)) throw badRequest('Invalid emoji code.')
      if (codesByName.get(name) !== code) throw badRequest('Invalid emoji name.')
      return { name, code, kind }
    case 'zulip_extra_emoji':
      if (code !== extra) throw badRequest('Invalid emoji code.')
      if (name !== code) throw badRequest('Invalid emoji name.')
      return { name, code, kind }
    case 'realm_emoji':
      throw badRequest('Invalid custom emoji.')
    default:
      throw badRequest('Invalid emoji type.')
  }
}

/** `reaction_type`. The specification calls the extra emoji by another name than clients do; both are taken. */
export function emojiKind(): Param<string> {
  return new Param('form', z.string(), false, (raw) =>
    raw === 'service_extra_emoji' ? 'zulip_extra_emoji' : raw,
  )
}
