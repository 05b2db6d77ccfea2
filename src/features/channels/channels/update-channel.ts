import { requireUser } from '../../../http/access.ts'
import { type CommandContext, command } from '../../../http/endpoint.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelToAdminister } from '../../kernel/channels/access.ts'
import { checkOnlyEmptyTopic } from '../kernel/channels/topics-policy.ts'
import { unarchive } from './archiving.ts'
import { ChannelEdit } from './channel-edit.ts'
import { editPermissions } from './edit-permissions.ts'
import { checkPrivacy, editDefault, editPrivacy } from './edit-privacy.ts'
import { editDescription, editFolder, editName, editRetention, editTopicsPolicy } from './edit-properties.ts'
import { channelUpdateParams } from './update-channel-params.ts'

/**
 * Makes all changes or none. Values that already hold are not written, and most emit nothing; the name and privacy answer as
 * clients of this API expect.
 */
export const updateChannel = command('PATCH /streams/{stream_id}', {
  summary: "Update a channel's properties and permissions, or unarchive it",
  access: requireUser,
  params: channelUpdateParams,
  returns: {},
  async handle(context) {
    const early = plan(context, context.realm) // checks what it can before the change begins
    await context.commit(async (change) => {
      const edit = early.holds(change.state) ? early : plan(context, change.state)
      await checkOnlyEmptyTopic(change, edit.before, edit.channel)
      await edit.write(change)
    })
    return {}
  },
})

/** Checks in the order in which clients of this API expect errors; a setting of our own would come last. */
function plan(
  { me, params, site }: CommandContext<typeof channelUpdateParams>,
  realm: RealmState,
): ChannelEdit {
  const edit = new ChannelEdit(realm, site, me, channelToAdminister(realm, me, params.stream_id))
  checkPrivacy(edit, params)
  editTopicsPolicy(edit, params)
  editPrivacy(edit, params)
  editDefault(edit, params)
  editRetention(edit, params)
  if (params.is_archived === false) unarchive(edit)
  editDescription(edit, params)
  editName(edit, params)
  editFolder(edit, params)
  editPermissions(edit, params)
  return edit
}
