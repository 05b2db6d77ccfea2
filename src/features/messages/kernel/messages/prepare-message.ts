import type { CallerContext } from '../../../../http/endpoint.ts'
import type { NewMessage } from '../../../kernel/messages/new-message.ts'
import { topicParticipants } from '../../../kernel/messages/wildcards.ts'
import { visibilityOnSend } from '../../../kernel/topics/automatic-visibility.ts'
import { type LinkTargets, linkTargets } from '../uploads/link-targets.ts'
import { composeMessage, type MessageDestination, type OutgoingMessage } from './compose-message.ts'

type Options = Omit<OutgoingMessage, 'targets' | 'participants'> & {
  /** Finds pictures that the database does not have yet. */
  picture?: LinkTargets['picture']
}

/**
 * Reads what the text of a message refers to, and composes the message, with the visibility policies that sending it
 * triggers. Throws if the sender may not mention everyone whom the text mentions.
 */
export async function prepareMessage(
  context: CallerContext<'read'>,
  destination: MessageDestination,
  { picture, ...outgoing }: Options,
): Promise<NewMessage> {
  const { realm, me, read } = context
  const { channel, topic } = destination
  const targets = await linkTargets(context, outgoing.content)
  const message = composeMessage(context, destination, {
    ...outgoing,
    targets: picture ? { ...targets, picture: (path) => picture(path) ?? targets.picture?.(path) } : targets,
    participants: await topicParticipants(read, realm, me, destination, outgoing.content),
  })
  if (channel) message.automaticVisibility = await visibilityOnSend(context, { channel, topic }, message)
  return message
}
