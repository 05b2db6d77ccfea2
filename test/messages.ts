import { expect } from 'vitest'
import type { ChannelRow } from '../src/db/schema.ts'
import type { Wire } from './client.ts'
import type { Organization } from './organization.ts'
import type { Person } from './person.ts'

/** Sends a message to a channel, by its id or name; returns the message's id. */
export async function sendTo(
  from: Person,
  to: number | string,
  topic: string,
  content: string,
): Promise<number> {
  const { body } = await from.post('/messages', { type: 'channel', to, topic, content })
  expect(body).toMatchObject({ result: 'success' })
  return body.id
}

/** Sends messages of a person to a channel; returns their ids. */
export function sender(person: Person, channel: Pick<ChannelRow, 'id'>) {
  return (topic: string, content: string): Promise<number> => sendTo(person, channel.id, topic, content)
}

/** Sends a direct message; returns its id. */
export async function direct(from: Person, to: Pick<Person, 'id'>[], content: string): Promise<number> {
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

/** Returns the Markdown of what a person can read, oldest first. */
export function messagesOf(person: Person, more: object = {}): Promise<Wire[]> {
  return page(person, { anchor: 'newest', num_before: 1_000, num_after: 0, ...more })
}

/** Returns the Markdown of what a person can read after a message, oldest first. */
export function messagesAfter(person: Person, anchor: number, narrow: object[] = []): Promise<Wire[]> {
  return page(person, { anchor, num_before: 0, num_after: 100, include_anchor: false, narrow })
}

/** Returns what a person finds, as HTML, oldest first. */
export function foundBy(person: Person, narrow: object[] = []): Promise<Wire[]> {
  const params = { anchor: 'oldest', num_before: 0, num_after: 100, allow_empty_topic_name: true }
  return page(person, { ...params, narrow, apply_markdown: true })
}

async function page(person: Person, params: object): Promise<Wire[]> {
  const { body } = await person.get('/messages', { apply_markdown: false, ...params })
  expect(body).toMatchObject({ result: 'success' })
  return body.messages
}

/** Returns a channel's messages as a person sees them, as [topic, content] pairs. */
export async function contentsOf(
  person: Person,
  channel: Pick<ChannelRow, 'id'>,
): Promise<[string, string][]> {
  const narrow = [{ operator: 'channel', operand: channel.id }]
  const params = { anchor: 'newest', num_before: 5_000, num_after: 0, allow_empty_topic_name: true }
  return (await page(person, { ...params, narrow })).map(({ subject, content }) => [subject, content])
}

/** Changes settings of the organization, without an event. */
export function changeRealm(org: Organization, settings: Record<string, unknown>) {
  return org.log.commit((change) => {
    const { id, settings: before } = change.state.row
    return change.update('realm', { id, settings: { ...before, ...settings } })
  })
}
