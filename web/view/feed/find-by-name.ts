import { createEffect, createRoot } from 'solid-js'
import { decodePart } from '../../lib/route.ts'
import { replaceRoute, route } from '../../lib/router.ts'
import { lowerName, namesMatch } from '../../lib/same-name.ts'
import { channelOf, channels } from '../../store/channels.ts'
import { isReady } from '../../store/session.ts'

/** Old links name a channel without its id: leads to the same view of that channel. */
export function findByName() {
  createRoot(() => createEffect(follow))
}

function follow() {
  const now = route()
  if (now.view !== 'narrow' || !isReady()) return
  const at = now.terms.findIndex(({ operator }) => /^-?channel$/.test(operator))
  const term = now.terms[at]
  // A name may begin like an id: `2024-plans`.
  if (!term || (typeof term.operand === 'number' && channelOf(term.operand))) return
  const operand = channelNamed(decodePart(/\/-?(?:channel|stream)\/([^/]*)/.exec(location.hash)?.[1] ?? ''))
  if (operand !== undefined) replaceRoute({ ...now, terms: now.terms.with(at, { ...term, operand }) })
}

/** The id of the channel with a name, in which a link may have hyphens in place of spaces. */
function channelNamed(written: string): number | undefined {
  const all = [...channels().values()]
  const hyphened = (name: string) => lowerName(name).replaceAll(' ', '-')
  const found =
    all.find(({ name }) => namesMatch(name, written)) ??
    all.find(({ name }) => hyphened(name) === hyphened(written))
  return found?.stream_id
}
