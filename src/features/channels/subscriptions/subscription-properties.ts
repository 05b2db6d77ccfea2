import { z } from 'zod'
import type { AccountRow, SubscriptionRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { activeSubscription, hasMetadataAccess, invalidChannelId } from '../../kernel/channels/access.ts'
import { subscriptionUpdated } from '../kernel/subscriptions/subscription.event.ts'
import { colorFormat } from './colors.ts'

const switches = [
  'is_muted',
  'in_home_view', // the opposite of is_muted, for old clients
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

/** The properties of a subscription that its user can change. */
export const subscriptionProperties = ['color', ...switches]

/** A property of the current user's subscription to a channel, and its new value. */
export const propertyChangeSchema = z
  .object({
    stream_id: z.int(),
    property: z.string().meta({ enum: subscriptionProperties }),
    value: z.union([z.boolean(), z.string()]),
  })
  .refine(
    ({ property, value }) => property !== 'color' || (typeof value === 'string' && colorFormat.test(value)),
    'color is not a valid hex color code',
  )
  .meta({
    anyOf: [
      {
        properties: { property: { const: 'color' }, value: { type: 'string', pattern: colorFormat.source } },
      },
      { properties: { property: { enum: switches }, value: { type: 'boolean' } } },
    ],
  })

type PropertyChange = z.infer<typeof propertyChangeSchema>

/**
 * Makes the changes and notifies the user's clients of each, changed or not; throws if one is not possible. Of several
 * changes of the same property, the last one counts, so there are never more changes than properties.
 */
export async function changeProperties(change: Change, me: AccountRow, sent: PropertyChange[]) {
  checkProperties(change.state, me, sent)
  const changes = lastOfEach(sent)
  const rows = new Map<number, SubscriptionRow>()
  for (const { stream_id, property, value } of changes) {
    const row =
      rows.get(stream_id) ?? must(activeSubscription(change.state, me.id, stream_id), 'subscription')
    rows.set(stream_id, { ...row, ...columns(property, value) })
  }
  await change.updateAll('subscription', [...rows.values()])
  for (const { stream_id, property, value } of changes) {
    const channel = change.state.channels.require(stream_id)
    for (const [name, wire] of wireProperties(property, value)) {
      change.emit(subscriptionUpdated(channel, name, wire), { users: [me.id] })
    }
  }
}

/** Throws unless all these changes are valid and concern channels to which the user is subscribed. */
export function checkProperties(realm: RealmState, me: AccountRow, changes: PropertyChange[]) {
  for (const { property, value } of changes) {
    if (property === 'color') continue
    if (!isSwitch(property)) throw badRequest(`Unknown subscription property: ${property}`)
    if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`)
  }
  for (const { stream_id } of changes) {
    const channel = realm.channels.get(stream_id)
    if (!channel || !hasMetadataAccess(realm, me, channel)) throw invalidChannelId()
    if (!activeSubscription(realm, me.id, stream_id)) {
      throw badRequest(`Not subscribed to channel ID ${stream_id}`)
    }
  }
}

function lastOfEach(changes: PropertyChange[]): PropertyChange[] {
  const last = new Map(changes.map((one) => [`${one.stream_id} ${one.property}`, one]))
  return changes.filter((one) => last.get(`${one.stream_id} ${one.property}`) === one)
}

function isSwitch(property: string): property is (typeof switches)[number] {
  return (switches as readonly string[]).includes(property)
}

function columns(property: string, value: boolean | string): Partial<SubscriptionRow> {
  return property === 'in_home_view' ? { is_muted: !value } : { [property]: value }
}

/** Clients know muting under two names. */
function wireProperties(property: string, value: boolean | string): [string, unknown][] {
  if (property !== 'in_home_view' && property !== 'is_muted') return [[property, value]]
  const isMuted = property === 'is_muted' ? value : !value
  return [
    ['in_home_view', !isMuted],
    ['is_muted', isMuted],
  ]
}
