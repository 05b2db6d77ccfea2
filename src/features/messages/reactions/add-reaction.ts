import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { ApiError, noSuchMessage } from '../../../lib/api-error.ts'
import { codeOf, constraintOf } from '../../../lib/errors.ts'
import { firstIn, must } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { checkNotArchived, messageToRead } from '../../kernel/messages/access.ts'
import { usersWithFlagOrReactionQuery } from '../../kernel/messages/audience.ts'
import {
  addReactionWrite,
  type NewReaction,
  type Reaction,
  reactionsTo,
} from '../../kernel/reactions/reactions.ts'
import {
  type AutomaticVisibility,
  applyAutomaticVisibility,
  visibilityOnParticipation,
} from '../../kernel/topics/automatic-visibility.ts'
import { emojiByName, emojiKind, emojiNamed } from '../../organization/emoji/find-emoji.ts'

const params = {
  message_id: pathInteger(),
  emoji_name: text(),
  emoji_code: text().optional(),
  reaction_type: emojiKind().optional(),
}

export const addReaction = command('POST /messages/{message_id}/reactions', {
  summary: 'Add an emoji reaction',
  creates: true,
  access: requireUser,
  params,
  returns: {},
  handle: (context) =>
    addTo(context).catch((error) => {
      if (codeOf(error) !== notNull) throw translateConflict(error)
      // The message has been moved since. Its new readers must be notified, if the user is still one of them.
      return addTo(context).catch((again) => {
        throw codeOf(again) === notNull ? noSuchMessage() : translateConflict(again)
      })
    }),
})

/** PostgreSQL's error code for a reaction whose message is no longer in its conversation (not_null_violation). */
const notNull = '23502'

async function addTo(context: CommandContext<typeof params>) {
  const { realm, me, params, read, requestKey, conclude, commitInGroup } = context
  const checkedAt = realm.position
  const message = await messageToRead(realm, me, read, params.message_id)
  checkNotArchived(realm, message)
  const reaction = reactionMeant(realm, me, params, await reactionsTo(read, realm.id, message.id))
  const holders = firstIn(await read.rows(usersWithFlagOrReactionQuery(realm.id, [message.id])))
  const visibility = await visibilityOnParticipation(context, message)
  const item = { message, reaction, checkedAt, holders: holders.users }
  if (!visibility && !requestKey) await commitInGroup(addReactionWrite, item)
  else await conclude((change) => react(change, item, visibility))
  return {}
}

async function react(change: Change, item: NewReaction, visibility: AutomaticVisibility | undefined) {
  await change.add(addReactionWrite, item)
  if (visibility) await applyAutomaticVisibility(change, visibility)
  return {}
}

type Sent = { emoji_name: string; emoji_code: string | undefined; reaction_type: string | undefined }

/**
 * Returns the reaction to add. It joins existing reactions with this emoji under their name, even if the emoji has
 * changed since.
 */
function reactionMeant(realm: RealmState, me: AccountRow, sent: Sent, existing: Reaction[]): Reaction {
  const isNamed = sent.emoji_code !== undefined && sent.reaction_type !== undefined
  const byName = isNamed ? undefined : emojiByName(realm, sent.emoji_name)
  const emoji_code = sent.emoji_code ?? must(byName, 'emoji of that name').code
  const reaction_type = sent.reaction_type ?? must(byName, 'emoji of that name').kind
  const same = existing.filter((one) => one.emoji_code === emoji_code && one.reaction_type === reaction_type)
  if (same.some((one) => one.user_id === me.id)) throw alreadyThere()
  if (same[0]) return { ...same[0], user_id: me.id }
  const { name } = emojiNamed(realm, sent.emoji_name, emoji_code, reaction_type)
  return { emoji_name: name, emoji_code, reaction_type, user_id: me.id }
}

/** Translates an error caused by a concurrent change. */
function translateConflict(error: unknown) {
  const [code, constraint] = [codeOf(error), constraintOf(error)]
  if (code === '23505' && constraint === 'reaction_pkey') return alreadyThere()
  if (code === '23503' && constraint?.startsWith('reaction_')) return noSuchMessage()
  return error
}

function alreadyThere() {
  return new ApiError('Reaction already exists.', 'REACTION_ALREADY_EXISTS')
}
