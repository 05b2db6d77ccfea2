import { sql } from 'kysely'
import type { Reader } from '../../../../db/database.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isAnyOf } from '../../../../narrow/sql.ts'
import type { CalledByEdit, UpdateEvent } from '../../../kernel/editing/update_message.event.ts'
import { notifiableMessages, policiesOf } from './record-missed-messages.ts'
import { type Medium, type Missed, type NotifiableMessage, usersToNotify } from './users-to-notify.ts'

/** An edit that calls users whom the text before did not call. */
export type CallingEdit = Pick<UpdateEvent, 'message_id'> & { called: CalledByEdit }

/**
 * Returns those of the users whom edits call who want to be notified of it. Users whom the message itself has notified, because they
 * want all of its channel or topic, are left out.
 */
export async function usersCalledByEdits(
  read: Reader,
  realm: RealmState,
  edits: CallingEdit[],
  medium: Medium,
  isInQuestion: (userId: number) => boolean,
): Promise<Missed[]> {
  if (edits.length === 0) return []
  const ids = edits.map((edit) => edit.message_id)
  const messages = await notifiableMessages(read, realm, isAnyOf(sql`m.id`, ids, 'bigint'))
  const policies = await policiesOf(read, realm, messages)
  return edits.flatMap(({ message_id, called }) => {
    const message = messages.find(({ id }) => id === message_id)
    if (!message) return []
    const plain = { ...message, mentions_channel: false, mentioned: [], participants: [] }
    const notified = usersToNotify(realm, plain, policies, medium, () => true)
    const others = new Set([...(called.allBut ?? []), ...notified.map(({ userId }) => userId)])
    const isNew = (userId: number) => !others.has(userId) && isInQuestion(userId)
    return usersToNotify(realm, asCalling(message, called), policies, medium, isNew)
  })
}

/** The message as if it called only these users. */
function asCalling(
  message: NotifiableMessage,
  { mentioned, participants, allBut }: CalledByEdit,
): NotifiableMessage {
  return { ...message, mentioned, participants, mentions_channel: allBut !== undefined }
}
