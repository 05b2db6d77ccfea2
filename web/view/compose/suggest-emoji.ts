import { bestCandidates, type Candidate } from '../../lib/candidates.ts'
import { emojiOf } from '../../lib/emoji-of.ts'
import { plain } from '../../lib/fuzzy.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { Suggestion } from './suggest.ts'

type Emoji = { name: string; code?: string; image?: string }

/** The most used emoji. Among equal matches, they come first. */
const popular = [
  '+1',
  'tada',
  'smile',
  'heart',
  'working_on_it',
  'octopus',
  'thumbs_up',
  'joy',
  'eyes',
  'rocket',
]

let loading: Promise<Candidate<Emoji>[]> | undefined

/** Loads the names of the emoji on first use. */
function unicode(): Promise<Candidate<Emoji>[]> {
  loading ??= load().catch(() => {
    loading = undefined
    return []
  })
  return loading
}

async function load(): Promise<Candidate<Emoji>[]> {
  const { pathname } = new URL(currentState().server_emoji_data_url)
  const response = await fetch(pathname)
  const { code_to_names }: { code_to_names: Record<string, string[]> } = await response.json()
  return Object.entries(code_to_names).flatMap(([code, names]) =>
    names.map((name) => ({ value: { name, code }, texts: [plain(name)] })),
  )
}

export async function suggestEmoji(query: string, rows: number): Promise<Suggestion[]> {
  const own = Object.values(field('realm_emoji') ?? {})
    .filter(({ deactivated }) => !deactivated)
    .map(({ name, source_url }) => ({ value: { name, image: source_url }, texts: [plain(name)] }))
  const all: Candidate<Emoji>[] = [...own, ...(await unicode())]
  const weight = ({ name, image }: Emoji) => (popular.includes(name) ? 2 : image ? 1 : 0)
  return bestCandidates(all, query.replaceAll(' ', '_'), rows, weight).map(({ name, code, image }) => ({
    label: `:${name}:`,
    insert: `:${name}: `,
    ...(code && { glyph: emojiOf(code) }),
    ...(image && { image }),
  }))
}
