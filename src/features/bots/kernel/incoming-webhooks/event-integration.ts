import { must } from '../../../../lib/must.ts'
import { type IncomingWebhook, type Integration, UnknownEvent, type WebhookMessage } from './integration.ts'
import type { Payload } from './payload.ts'

/** The message for one event, or undefined if the event is not worth a message. */
export type EventMessage = Omit<WebhookMessage, 'event'> | undefined

/** The messages for the events of a service, by the service's names of the events. */
export type EventTexts = Record<string, (payload: Payload, incoming: IncomingWebhook) => EventMessage>

type Service = Pick<Integration, 'name' | 'displayName' | 'check' | 'isForm'> & {
  /** The client name of its messages is `ZulipNAMEWebhook`. */
  clientName: string
  events: EventTexts
  eventOf(incoming: IncomingWebhook): string
} & Partial<Pick<Integration, 'eventTypes' | 'configOptions' | 'urlOptions'>>

/** Makes the integration of a service whose requests say which event they report. */
export function eventIntegration({ clientName, events, eventOf, ...service }: Service): Integration {
  return {
    eventTypes: Object.keys(events),
    configOptions: [],
    urlOptions: [],
    ...service,
    client: `Zulip${clientName}Webhook`,
    read(incoming) {
      const event = eventOf(incoming)
      if (!Object.hasOwn(events, event)) throw new UnknownEvent(event)
      const message = must(events[event], `event ${event}`)(incoming.payload, incoming)
      return message && { event, ...message }
    },
  }
}
