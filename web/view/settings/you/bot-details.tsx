import { createSignal, Show } from 'solid-js'
import { patch, post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { subscribed } from '../../../store/channels.ts'
import type { OwnBot as Bot } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { copy } from '../../parts/copy.ts'
import { TextControl } from '../parts/controls.tsx'
import { Principals } from '../parts/principals.tsx'
import { Row } from '../parts/row.tsx'
import { SelectRow } from '../parts/select-row.tsx'
import { saveChoice, useSetting } from '../parts/setting.tsx'
import { webhookKind } from './bot-kinds.ts'

/** Edits a bot, and shows its key. */
export function BotDetails(props: { bot: Bot }) {
  const send = (params: Record<string, unknown>) => patch(`/bots/${props.bot.user_id}`, params)
  const name = useSetting(
    () => props.bot.full_name,
    (value) => send({ full_name: value }),
    (value) => value.trim(),
  )
  const url = useSetting(
    () => props.bot.services[0]?.base_url ?? '',
    (value) => send({ service_payload_url: JSON.stringify(value) }),
  )
  return (
    <Show when={props.bot.is_active} fallback={<Reactivation bot={props.bot} />}>
      <TextControl
        key="bot_name"
        label={t('bots.name')}
        spec={{ key: 'full_name', kind: 'text', text: 'bots.name', isRequired: true, max: 100 }}
        setting={name}
      />
      <Show when={props.bot.bot_type === webhookKind}>
        <TextControl
          key="bot_url"
          label={t('bots.url')}
          spec={{ key: 'url', kind: 'text', text: 'bots.url', isRequired: true }}
          setting={url}
        />
      </Show>
      <ChannelChoice bot={props.bot} name="default_sending_stream" label={t('bots.sends_to')} send={send} />
      <ChannelChoice
        bot={props.bot}
        name="default_events_register_stream"
        label={t('bots.hears_of')}
        send={send}
      />
      <Owner bot={props.bot} send={send} />
      <Key bot={props.bot} />
    </Show>
  )
}

type Part = { bot: Bot; send(params: Record<string, unknown>): Promise<unknown> }

function ChannelChoice(
  props: Part & { name: 'default_sending_stream' | 'default_events_register_stream'; label: string },
) {
  const setting = useSetting(
    () => props.bot[props.name] ?? '',
    (value) => props.send({ [props.name]: value }),
  )
  const channels = () => [...subscribed().values()].map(({ name }) => name).sort(inOrder)
  return (
    <SelectRow
      key={props.name}
      label={props.label}
      setting={setting}
      value={setting.value()}
      options={[
        ['', t('bots.no_channel')],
        ...channels().map((name): [string, string] => [name, `#${name}`]),
      ]}
      choose={(name) => saveChoice(setting, name)}
    />
  )
}

/** Giving a bot to another user, who then has its key. */
function Owner(props: Part) {
  const give = (id: number) =>
    askFirst({
      title: t('bots.give'),
      text: t('bots.give_note'),
      action: t('bots.give'),
      run: () => props.send({ bot_owner_id: id }),
    })
  return (
    <Row key="bot_owner" label={t('bots.give')} isWide>
      {(ids) => (
        <Principals
          label={t('bots.give')}
          chosen={{ direct_members: [], direct_subgroups: [] }}
          change={({ direct_members: [id] }) => id !== undefined && give(id)}
          describedBy={ids.note}
          takes={(option) =>
            'userId' in option && !field('realm_users').find((one) => one.user_id === option.userId)?.is_bot
          }
        />
      )}
    </Row>
  )
}

function Key(props: { bot: Bot }) {
  const [isShown, setShown] = createSignal(false)
  const [made, setMade] = createSignal<string>()
  const key = () => made() ?? props.bot.api_key ?? ''
  const rotate = async () => {
    const { api_key } = await post<{ api_key: string }>(`/bots/${props.bot.user_id}/api_key/regenerate`)
    setMade(api_key)
    setShown(true)
  }
  const askToRotate = () =>
    askFirst({
      title: t('bots.new_key'),
      text: t('bots.new_key_note'),
      action: t('bots.new_key'),
      run: rotate,
    })
  return (
    <>
      <p>
        <Show when={key()} fallback={<span class="set-note">{t('bots.key_hidden')}</span>}>
          <Show when={isShown()} fallback={<span class="set-note">{t('bots.key')}: ••••••••</span>}>
            {t('bots.key')}: <span class="set-secret">{key()}</span>
          </Show>
        </Show>
      </p>
      <div class="setting-buttons">
        <Show when={key()}>
          <ActionButton run={() => setShown(!isShown())}>
            {isShown() ? t('bots.hide_key') : t('bots.show_key')}
          </ActionButton>
          <ActionButton run={() => copy(key(), t('bots.copied'))}>{t('bots.copy_key')}</ActionButton>
        </Show>
        <ActionButton run={askToRotate}>{t('bots.new_key')}</ActionButton>
        <ActionButton isDangerous run={() => askToDeactivate(props.bot)}>
          {t('bots.deactivate')}
        </ActionButton>
      </div>
    </>
  )
}

function askToDeactivate({ user_id: id, full_name: name }: Bot) {
  askFirst({
    title: t('bots.deactivate'),
    text: t('bots.deactivate_note', { name }),
    action: t('bots.deactivate'),
    run: () => remove(`/bots/${id}`),
  })
}

function Reactivation(props: { bot: Bot }) {
  return (
    <ActionButton run={() => post(`/users/${props.bot.user_id}/reactivate`)}>
      {t('bots.reactivate')}
    </ActionButton>
  )
}
