import { createUniqueId, For } from 'solid-js'
import { post } from '../../api/client.ts'
import { type TextKey, t } from '../../lib/i18n.ts'
import { subscribed } from '../../store/channels.ts'
import { field } from '../../store/server-state.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { Known } from '../parts/known.tsx'
import { useSubmission } from '../parts/submission.ts'
import { CheckSetting } from '../settings/parts/field-settings.tsx'
import { SettingFrame, useSetting } from '../settings/parts/setting.tsx'

type Switch = {
  property: keyof Channel & string
  text: TextKey
  /** The user's general setting, which counts while the channel has none of its own. */
  general?: string
}

const switches: Switch[] = [
  { property: 'pin_to_top', text: 'channel.pin' },
  { property: 'is_muted', text: 'channel.mute' },
]

const notifications: Switch[] = [
  {
    property: 'desktop_notifications',
    text: 'personal.desktop',
    general: 'enable_stream_desktop_notifications',
  },
  {
    property: 'audible_notifications',
    text: 'personal.audible',
    general: 'enable_stream_audible_notifications',
  },
  { property: 'push_notifications', text: 'personal.push', general: 'enable_stream_push_notifications' },
  { property: 'email_notifications', text: 'personal.email', general: 'enable_stream_email_notifications' },
  { property: 'wildcard_mentions_notify', text: 'personal.wildcard', general: 'wildcard_mentions_notify' },
]

/** How a channel is for this user alone. */
export function Personal(props: { channel: Channel }) {
  const mine = () => subscribed().get(props.channel.stream_id)
  return (
    <Known thing={mine()} fallback={<NotSubscribed channel={props.channel} />}>
      {(channel) => (
        <div class="settings">
          <fieldset class="choices">
            <legend>{t('personal.list')}</legend>
            <For each={switches}>{(one) => <SwitchLine channel={channel()} one={one} />}</For>
            <Color channel={channel()} />
          </fieldset>
          <fieldset class="choices">
            <legend>{t('personal.notifications')}</legend>
            <For each={notifications}>{(one) => <SwitchLine channel={channel()} one={one} />}</For>
          </fieldset>
        </div>
      )}
    </Known>
  )
}

function change(channel: Channel, property: string, value: unknown) {
  return post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.stream_id, property, value }],
  })
}

/** A switch that is saved as it is turned. */
function SwitchLine(props: { channel: Channel; one: Switch }) {
  const { property, text, general } = props.one
  const own = () => props.channel[property] as boolean | null | undefined
  const setting = useSetting(
    () => own() ?? Boolean(general && field('user_settings')?.[general]),
    (value) => change(props.channel, property, value),
  )
  return (
    <CheckSetting
      setting={setting}
      label={t(text)}
      note={general && own() === null ? t('personal.as_general') : undefined}
    />
  )
}

function Color(props: { channel: Channel }) {
  const id = createUniqueId()
  const setting = useSetting(
    () => props.channel.color ?? '#888888',
    (value) => change(props.channel, 'color', value),
  )
  return (
    <SettingFrame setting={setting} id={id}>
      <label class="choice">
        <input
          type="color"
          value={setting.value()}
          aria-describedby={id}
          onInput={(event) => setting.set(event.currentTarget.value)}
        />
        {t('channel.color')}
      </label>
    </SettingFrame>
  )
}

function NotSubscribed(props: { channel: Channel }) {
  const { isBusy, error, run } = useSubmission()
  const subscribe = () => post('/users/me/subscriptions', { subscriptions: [{ name: props.channel.name }] })
  return (
    <div class="setting">
      <p>{t('channel.preview')}</p>
      <ActionButton ref={keepFocus} isBusy={isBusy()} run={() => void run(subscribe)}>
        {t('channel.subscribe')}
      </ActionButton>
      <ErrorText error={error()} />
    </div>
  )
}
