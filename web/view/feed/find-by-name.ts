import { createEffect, createRoot } from 'solid-js'
import { decodePart } from '../../lib/route.ts'
import { replaceRoute, route } from '../../lib/router.ts'
import { lowerName, namesMatch } from '../../lib/same-name.ts'
import { channelOf, channels } from '../../store/channels.ts'
import { isReady } from '../../store/session.ts'

/** Old links name channels without their ids: leads to the same view of those channels. */
export function findByName() {
  createRoot(() => createEffect(follow))
}

function follow() {
  const now = route()
  if (now.view !== 'narrow' || !isReady()) return
  const names = writtenNames()
  const terms = now.terms.map((term) => {
    if (!isChannel(term.operator)) return term
    const name = names.shift() ?? ''
    // A name may begin like an id: `2024-plans`.
    if (typeof term.operand === 'number' && channelOf(term.operand)) return term
    return { ...term, operand: channelNamed(name) ?? term.operand }
  })
  if (terms.some(({ operand }, at) => operand !== now.terms[at]?.operand)) replaceRoute({ ...now, terms })
}

const isChannel = (operator: string) => /^-?(channel|stream)$/.test(operator)

/** The names or ids of channels as the address has them, in its order. */
function writtenNames(): string[] {
  const [, ...parts] = location.hash.split('/').map(decodePart)
  return parts.filter((_, at) => at % 2 === 1 && isChannel(parts[at - 1] ?? ''))
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
