import type { Feature } from '../feature.ts'
import * as bots from './bots/index.ts'
import * as incomingWebhooks from './incoming-webhooks/index.ts'
import * as outgoingWebhooks from './outgoing-webhooks/index.ts'

/** Bots, and the ways in which programs reach the server. */
export const botFeatures: Feature[] = [bots, incomingWebhooks, outgoingWebhooks]
