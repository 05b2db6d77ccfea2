import type { Endpoint } from '../http/endpoint.ts'
import type { Document } from '../http/responses/document.ts'
import type { SitePage } from '../http/responses/site-page.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { Site } from '../lib/site.ts'
import type { Consequence } from '../log/consequences.ts'
import type { EventTypes } from '../queues/event-type.ts'

/** The parts of a feature: operations, event types, jobs, documents outside of the API. */
export type Feature = {
  endpoints?: Endpoint[]
  eventTypes?: Parameters<EventTypes['add']>
  jobHandlers?: JobHandler[]
  sitePages?: SitePage[]
  documents?: Document[] | (() => Document[])
  consequences?: Consequence[] | ((site: Site) => Consequence[])
}
