import { storedJson } from '../lib/stored-json.ts'
import { currentState, derived, field } from './server-state.ts'

export type EmojiEntry = {
  emoji_name: string
  emoji_code: string
  reaction_type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji'
  /** All its names, in lower case. */
  names: string[]
}

let loading: Promise<EmojiEntry[]> | undefined

const usedKey = 'rookery.used-emoji'
/** The emoji that are offered until the user has used others. */
const popular = ['1f44d', '1f389', '1f642', '2764', '1f6e0', '1f419', '1f440', '2705']

/** The emoji that all organizations have, whose names are loaded when they are first needed. */
export async function standardEmoji(): Promise<EmojiEntry[]> {
  // Only the path of the address is used: the page may only fetch from its own origin.
  loading ??= fetch(new URL(currentState().server_emoji_data_url, location.href).pathname)
    .then((response) => response.json())
    .then(({ code_to_names }: { code_to_names: Record<string, string[]> }) =>
      Object.entries(code_to_names).map(([emoji_code, names]) => ({
        emoji_name: names[0] ?? '',
        emoji_code,
        reaction_type: 'unicode_emoji' as const,
        names,
      })),
    )
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

let ownBefore: EmojiEntry[] = []

/** The emoji of the organization. One that stays is the same object after others have come or gone, so that its button stays as well. */
export const ownEmoji = derived(() => {
  const before = new Map(ownBefore.map((one) => [one.emoji_code, one]))
  ownBefore = Object.values(field('realm_emoji') ?? {})
    .filter((one) => !one.deactivated)
    .map(({ id, name }) => {
      const known = before.get(id)
      if (known?.emoji_name === name) return known
      return { emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji', names: [name] }
    })
  return ownBefore
})

/** The emoji that fit some words: by the beginning of a name, of a word in it, and then anywhere. */
export function findEmoji(all: EmojiEntry[], words: string): EmojiEntry[] {
  const wanted = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:]+/g, '_')
    .replaceAll(/^_|_$/g, '')
  if (!wanted) return all
  const rank = ({ names }: EmojiEntry) =>
    Math.min(
      ...names.map((name) => {
        if (name === wanted) return 0
        if (name.startsWith(wanted)) return 1
        if (name.includes(`_${wanted}`)) return 2
        return name.includes(wanted) ? 3 : 9
      }),
    )
  return all
    .map((one) => ({ one, rank: rank(one) }))
    .filter(({ rank }) => rank < 9)
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

/** The emoji that this user takes most, in this browser. */
export function frequentEmoji(all: EmojiEntry[]): EmojiEntry[] {
  const counts = used()
  const codes = [...Object.keys(counts).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)), ...popular]
  const byCode = new Map(all.map((one) => [one.emoji_code, one]))
  return [...new Set(codes)].flatMap((code) => byCode.get(code) ?? []).slice(0, 16)
}

export function noteUsed({ emoji_code }: { emoji_code: string }) {
  const counts = used()
  localStorage.setItem(usedKey, JSON.stringify({ ...counts, [emoji_code]: (counts[emoji_code] ?? 0) + 1 }))
}

function used(): Record<string, number> {
  return storedJson(localStorage, usedKey, {})
}
