import { expect } from 'vitest'
import type { ChannelRow } from '../src/db/schema.ts'
import type { Wire } from './client.ts'
import type { Organization } from './organization.ts'
import type { Person } from './person.ts'

/** Sends messages of a person to a channel; returns their ids. */
export function sender(person: Person, channel: Pick<ChannelRow, 'id'>) {
  return async (topic: string, content: string): Promise<number> => {
    const { body } = await person.post('/messages', { type: 'channel', to: channel.id, topic, content })
    expect(body).toMatchObject({ result: 'success' })
    return body.id
  }
}

/** Sends a direct message; returns its id. */
export async function direct(from: Person, to: Person[], content: string): Promise<number> {
  const { body } = await from.post('/messages', { type: 'direct', to: to.map(({ id }) => id), content })
  expect(body).toMatchObject({ result: 'success' })
  return body.id
}

/** A message as a person sees it. */
export async function messageIn(person: Person, id: number): Promise<Wire> {
  const { body } = await person.get(`/messages/${id}`, { allow_empty_topic_name: true })
  expect(body).toMatchObject({ result: 'success' })
  return body.message
}

/** Returns a channel's messages as a person sees them, as [topic, content] pairs. */
export async function contentsOf(
  person: Person,
  channel: Pick<ChannelRow, 'id'>,
): Promise<[string, string][]> {
  const { body } = await person.get('/messages', {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
    narrow: [{ operator: 'channel', operand: channel.id }],
  })
  return body.messages.map((message: Wire) => [message.subject, message.content])
}

/** Changes settings of the organization, without an event. */
export function changeRealm(org: Organization, settings: Record<string, unknown>) {
  return org.log.commit((change) => {
    const { id, settings: before } = change.state.realm
    return change.update('realm', { id, settings: { ...before, ...settings } })
  })
}
