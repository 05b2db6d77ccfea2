import { z } from 'zod'
import { Param } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { codeOfName, nameOfCode } from '../../../markdown/emoji/emoji-table.ts'
import { extraEmojiName as extra } from '../../kernel/emoji/extra-emoji.ts'

const emojiKinds = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const
type EmojiKind = (typeof emojiKinds)[number]

/** An emoji as clients identify it: its name, and its code within its kind. */
type Emoji = { name: string; code: string; kind: EmojiKind }

/** Whether an emoji that every organization has goes by this name. */
export function isCommonEmoji(name: string): boolean {
  return name === extra || codeOfName.has(name)
}

/** Returns the emoji with this name. The organization's own emoji take precedence. */
export function findEmoji(realm: RealmState, name: string): Emoji | undefined {
  const own = realm.customEmojiByName(name)
  if (own) return { name, code: String(own.id), kind: 'realm_emoji' }
  if (name === extra) return { name, code: extra, kind: 'zulip_extra_emoji' }
  const code = codeOfName.get(name)
  return code === undefined ? undefined : { name, code, kind: 'unicode_emoji' }
}

/** Returns the emoji with this name; throws 400 if there is none. */
export function emojiByName(realm: RealmState, name: string): Emoji {
  const found = findEmoji(realm, name)
  if (!found) throw badRequest(`Emoji '${name}' does not exist`)
  return found
}

export function isEmojiKind(kind: string): kind is EmojiKind {
  return emojiKinds.some((one) => one === kind)
}

/** Throws 400 if no emoji has this code. Deactivated ones count. */
export function checkEmojiCode(realm: RealmState, code: string, kind: string) {
  switch (kind) {
    case 'unicode_emoji':
      if (nameOfCode.has(code)) return
      throw badRequest('Invalid emoji code.')
    case 'zulip_extra_emoji':
      if (code === extra) return
      throw badRequest('Invalid emoji code.')
    case 'realm_emoji':
      customEmojiWith(realm, code)
      return
    default:
      throw badRequest('Invalid emoji type.')
  }
}

/** Returns the emoji with this name, code and kind; throws 400 unless it exists and has this name. */
export function emojiNamed(realm: RealmState, name: string, code: string, kind: string): Emoji {
  checkEmojiCode(realm, code, kind)
  if (kind === 'realm_emoji') {
    const own = customEmojiWith(realm, code)
    if (own.name !== name) throw badRequest('Invalid custom emoji name.')
    if (own.is_deactivated) throw badRequest('This custom emoji has been deactivated.')
  } else if ((kind === 'unicode_emoji' ? codeOfName.get(name) : name) !== code) {
    throw badRequest('Invalid emoji name.')
  }
  return { name, code, kind: kind as EmojiKind }
}

function customEmojiWith(realm: RealmState, code: string) {
  const own = /^[1-9]\d*$/.test(code) ? realm.customEmoji.get(Number(code)) : undefined
  if (!own) throw badRequest('Invalid custom emoji.')
  return own
}

/** The values of `reaction_type` on the wire. */
export const wireEmojiKinds = [...emojiKinds, 'service_extra_emoji'] as const

/** `reaction_type`. The specification and clients have different names for the extra emoji; both are accepted. */
export function emojiKind(): Param<string> {
  return new Param('form', z.string().meta({ enum: wireEmojiKinds }), false, (raw) =>
    raw === 'service_extra_emoji' ? 'zulip_extra_emoji' : raw,
  )
}
