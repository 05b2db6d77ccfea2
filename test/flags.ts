import type { Person } from './person.ts'

/** Adds a flag to messages of a user, or removes it (`op`). */
export function changeFlag(person: Person, op: string, flag: string, messages: number[]) {
  return person.post('/messages/flags', { messages, op, flag })
}

/** Returns the unread messages of a user, as a client registers with them. */
export async function unreadOf(person: Person) {
  const client = await person.register({ event_types: ['message', 'update_message_flags'] })
  return client.state.unread_msgs
}
