import { type EventMessage, eventIntegration } from './event-integration.ts'
import { markdownLink, plain, topic } from './markdown.ts'
import type { Payload } from './payload.ts'

/** Jenkins sends through its Notification plugin. A finished build is both completed and finalized. */
export const jenkins = eventIntegration({
  name: 'jenkins',
  displayName: 'Jenkins',
  clientName: 'Jenkins',
  events: {
    QUEUED: () => undefined,
    STARTED: (payload) => buildMessage(payload, 'started'),
    COMPLETED: (payload) => buildMessage(payload, results(payload)),
    FINALIZED: () => undefined,
  },
  eventOf: ({ payload }) => payload.text('build.phase'),
})

const texts: Record<string, string> = {
  SUCCESS: 'succeeded',
  FAILURE: '**failed**',
  UNSTABLE: 'is **unstable**',
  ABORTED: 'was aborted',
  NOT_BUILT: 'was not built',
}

function results(payload: Payload): string {
  const status = payload.maybe('build.status') ?? 'ended'
  return (Object.hasOwn(texts, status) && texts[status]) || plain(status)
}

function buildMessage(payload: Payload, did: string): EventMessage {
  const name = payload.maybe('display_name') ?? payload.text('name')
  const number = payload.text('build.number')
  const build = markdownLink(`${name} #${number}`, payload.maybe('build.full_url'))
  const branch = payload.maybe('build.scm.branch')
  const commit = payload.maybe('build.scm.commit')?.slice(0, 10)
  const place = [branch, commit].filter((part) => part !== undefined).map((part) => plain(part))
  const source = place.length > 0 ? ` (${place.join(', ')})` : ''
  return { topic: topic(name), content: `The build ${build} ${did}${source}.` }
}
