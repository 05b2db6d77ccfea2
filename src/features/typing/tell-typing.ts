import type { AccountRow } from '../../db/schema.ts'
import { user } from '../../http/access.ts'
import { type CommandContext, command } from '../../http/endpoint.ts'
import { integer, integers, text } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { channelToPostIn, channelToSee } from '../channels/access.ts'
import { checkMayTalk, participants } from '../messages/recipients.ts'
import { topicName } from '../messages/text.ts'
import { apiEmail } from '../users/user-view.ts'
import { checkTellsTyping, interested, interestedIn, typing } from './notify.ts'
import type { TypingEvent } from './typing.event.ts'

const params = {
  type: text({ oneOf: ['direct', 'stream', 'channel'] }).default('direct'),
  op: text({ oneOf: ['start', 'stop'] }),
  to: integers().optional(),
  // Clients send null for what does not concern them.
  stream_id: integer().optional().nullIsAbsent(),
  topic: text().optional(),
}

type Context = CommandContext<typeof params>

export const tellTyping = command('POST /typing', {
  summary: 'Tell others that one has begun or stopped writing a message',
  access: user,
  params,
  returns: {},
  async handle(context) {
    const { params, commitInGroup } = context
    await commitInGroup(typing, params.type === 'direct' ? toPeople(context) : toChannel(context))
    return {}
  },
})

function toPeople({ realm, site, me, params }: Context) {
  const { op, to } = params
  if (to === undefined) throw badRequest("Missing 'to' argument")
  checkTellsTyping(me, 'direct')
  if (to.length === 0) throw badRequest("Empty 'to' list")
  checkMayTalk(realm, me, participants(realm, site, me, to))
  const people = [...new Set([...to, me.id])].map((id) => realm.users.get(id)!)
  const recipients = people.map((one) => personView(realm, site, one))
  const sender = personView(realm, site, me)
  const event: TypingEvent = { type: 'typing', message_type: 'direct', op, sender, recipients }
  return { event, audience: interested(people) }
}

function toChannel({ realm, site, me, params }: Context) {
  const { op, stream_id } = params
  if (stream_id === undefined) throw badRequest("Missing 'stream_id' argument")
  if (params.topic === undefined) throw badRequest('Missing topic')
  checkTellsTyping(me, 'channel')
  const channel = channelToPostIn(realm, me, channelToSee(realm, me, stream_id).id)
  const topic = topicName(params.topic)
  const sender = personView(realm, site, me)
  const event: TypingEvent = { type: 'typing', message_type: 'stream', op, sender, stream_id, topic }
  return { event, audience: interestedIn(realm, channel) }
}

function personView(realm: RealmState, site: Site, person: AccountRow) {
  return { user_id: person.id, email: apiEmail(realm, site, person) }
}
