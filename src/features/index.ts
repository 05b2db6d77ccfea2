import type { Endpoint } from '../http/endpoint.ts'
import type { Document } from '../http/responses/document.ts'
import type { SitePage } from '../http/responses/site-page.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { Site } from '../lib/site.ts'
import type { Consequence } from '../log/consequences.ts'
import { EventTypes } from '../queues/event-type.ts'
import { accountFeatures } from './accounts/index.ts'
import { botFeatures } from './bots/index.ts'
import { channelFeatures } from './channels/index.ts'
import { clientFeatures } from './clients/index.ts'
import { getOpenApi } from './clients/openapi/get-openapi.ts'
import type { Feature } from './feature.ts'
import { messageFeatures } from './messages/index.ts'
import { notificationFeatures } from './notifications/index.ts'
import { organizationFeatures } from './organization/index.ts'
import { peopleFeatures } from './people/index.ts'

/** A group imports only from the groups before it, and from the kernel. */
const features: Feature[] = [
  ...organizationFeatures,
  ...peopleFeatures,
  ...channelFeatures,
  ...messageFeatures,
  ...botFeatures,
  ...accountFeatures,
  ...notificationFeatures,
  ...clientFeatures,
]

/** Every operation of the API. */
export const allEndpoints: Endpoint[] = [
  ...features.flatMap(({ endpoints }) => endpoints ?? []),
  getOpenApi(() => allEndpoints),
]

/** The pages of the whole server. */
export const allSitePages: SitePage[] = features.flatMap(({ sitePages }) => sitePages ?? [])

/** Returns the documents that are served outside the API. */
export function allDocuments(): Document[] {
  return features.flatMap(({ documents = [] }) => (typeof documents === 'function' ? documents() : documents))
}

/** Returns the consequences of changes of rows, of all features. */
export function allConsequences(site: Site): Consequence[] {
  return features.flatMap(({ consequences = [] }) =>
    typeof consequences === 'function' ? consequences(site) : consequences,
  )
}

/** All work that is done at some time. */
export const allJobHandlers: JobHandler[] = features.flatMap(({ jobHandlers }) => jobHandlers ?? [])

/** Every type of event. */
export function allEventTypes(): EventTypes {
  const types = new EventTypes()
  types.add(...features.flatMap(({ eventTypes }) => eventTypes ?? []))
  return types
}
