import type { MessageRow } from '../../db/schema.ts'
import type { RealmState } from '../../log/realm-state.ts'

/** Where clients show a message among its neighbours. `url` is the address of the organization. */
export function messageUrl(
  url: string,
  realm: RealmState,
  message: Pick<MessageRow, 'id' | 'recipient_id' | 'topic'>,
): string {
  const { channel_id, user_ids } = realm.recipients.get(message.recipient_id)!
  if (user_ids) {
    const kind = user_ids.length > 2 ? 'group' : 'dm'
    return `${url}/#narrow/dm/${user_ids.join()}-${kind}/near/${message.id}`
  }
  const name = hashPart(realm.channels.get(channel_id!)!.name.replaceAll(' ', '-'))
  return `${url}/#narrow/channel/${channel_id}-${name}/topic/${hashPart(message.topic)}/near/${message.id}`
}

/** As clients code the parts of a narrow in an address: with dots for percent signs. */
function hashPart(text: string) {
  const code = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text)
    .replace(/[!'()*.]/g, code)
    .replaceAll('%', '.')
}
