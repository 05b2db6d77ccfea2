import { createUniqueId, For } from 'solid-js'
import { patch } from '../../api/client.ts'
import { type TextKey, t } from '../../lib/i18n.ts'
import { administers, canRead, mayChooseDeletePolicy } from '../../store/channel-rights.ts'
import { field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { chosenOf } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { SettingFrame, useSetting } from '../settings/parts/setting.tsx'

type Permission = keyof Channel & `can_${string}`

const permissions: Partial<Record<Permission, TextKey>> = {
  can_send_message_group: 'permission.send',
  can_subscribe_group: 'permission.subscribe',
  can_add_subscribers_group: 'permission.add_subscribers',
  can_remove_subscribers_group: 'permission.remove_subscribers',
  can_administer_channel_group: 'permission.administer',
  can_resolve_topics_group: 'permission.resolve',
  can_move_messages_within_channel_group: 'permission.move_within',
  can_move_messages_out_of_channel_group: 'permission.move_out',
  can_delete_own_message_group: 'permission.delete_own',
  can_delete_any_message_group: 'permission.delete_any',
}

/** Holders of these permissions may read the channel, so only users who may read it can grant them. */
const opening: string[] = ['can_add_subscribers_group', 'can_subscribe_group']

/** The organization may permit these to more people. */
const isAdditional = (name: string) => /^can_(add|resolve|move|delete)_/.test(name)

/** Edits the permissions of a channel. */
export function Permissions(props: { channel: Channel }) {
  return (
    <div class="settings">
      <For each={Object.entries(permissions) as [Permission, TextKey][]}>
        {([name, key]) => (
          <div data-params={name}>
            <PermissionSetting channel={props.channel} name={name} label={t(key)} />
          </div>
        )}
      </For>
    </div>
  )
}

function PermissionSetting(props: { channel: Channel; name: Permission; label: string }) {
  const id = createUniqueId()
  const setting = useSetting(
    () => chosenOf(props.channel[props.name]),
    // The server refuses the change if the permission is no longer what it was when the user began.
    (value, base) =>
      patch(`/streams/${props.channel.stream_id}`, { [props.name]: { new: value, old: base } }),
  )
  const takesEveryone = () =>
    field('server_supported_permission_settings').stream[props.name]?.allow_everyone_group ?? true
  return (
    <SettingFrame
      setting={setting}
      id={id}
      reason={refusal(props.channel, props.name)}
      note={isAdditional(props.name) ? t('permission.additional') : undefined}
    >
      <span class="setting-name" aria-hidden="true">
        {props.label}
      </span>
      <Principals
        label={props.label}
        chosen={setting.value()}
        change={setting.set}
        empty={t('group.nobody')}
        isDisabled={refusal(props.channel, props.name) !== undefined}
        describedBy={id}
        takes={(option) => !('group' in option) || option.group.name !== 'role:everyone' || takesEveryone()}
      />
    </SettingFrame>
  )
}

/** Why the user may not change a permission. */
function refusal(channel: Channel, name: string): string | undefined {
  if (!administers(channel)) return t('channel.only_administrators')
  const needsReading =
    opening.includes(name) || (channel.invite_only && name !== 'can_remove_subscribers_group')
  if (needsReading && !canRead(channel)) return t('channel.only_readers')
  if (name.startsWith('can_delete_') && !mayChooseDeletePolicy()) return t('channel.may_not_choose')
  return undefined
}
