import { For, onMount, Show } from 'solid-js'
import { postOnce } from '../../../api/client.ts'
import { plain } from '../../../lib/fuzzy.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { readBotKeys } from '../../../store/bot-keys.ts'
import { currentState, field } from '../../../store/server-state.ts'
import { SelectField, TextInput } from '../../parts/fields.tsx'
import { Known } from '../../parts/known.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { useTyped } from '../../parts/submission.ts'
import { AddForm } from '../parts/add-form.tsx'
import { Section } from '../parts/section.tsx'
import { BotDetails } from './bot-details.tsx'
import { botKinds, kindName, webhookKind } from './bot-kinds.ts'

/** The user's own bots: to create, to change, and their keys. */
export function Bots() {
  onMount(() => void readBotKeys().catch(noticeFailure))
  const own = () =>
    (field('realm_bots') ?? [])
      .filter((bot) => bot.owner_id === currentState().user_id)
      .sort((a, b) => Number(b.is_active) - Number(a.is_active) || inOrder(a.full_name, b.full_name))
  return (
    <>
      <Section title={t('bots.own')}>
        <Show when={own().length > 0} fallback={<p class="set-note">{t('bots.none')}</p>}>
          <For each={own().map(({ user_id }) => user_id)}>{(id) => <BotItem id={id} />}</For>
        </Show>
      </Section>
      <NewBot />
    </>
  )
}

function BotItem(props: { id: number }) {
  const found = () => field('realm_bots').find(({ user_id }) => user_id === props.id)
  return (
    <Known thing={found()}>
      {(bot) => (
        <details class="set-details">
          <summary>
            <strong dir="auto">{bot().full_name}</strong>
            <small>
              {bot().is_active ? kindName(bot().bot_type) : t('bots.deactivated')} · {bot().email}
            </small>
          </summary>
          <BotDetails bot={bot()} />
        </details>
      )}
    </Known>
  )
}

const empty = { name: '', short: '', kind: 1, url: '' }

function NewBot() {
  const values = useTyped(empty)
  const bot = values.value
  const change = (part: Partial<typeof empty>) => values.set((now) => ({ ...now, ...part }))
  const create = () =>
    values.send(({ name, short, kind, url }) =>
      postOnce('/bots', {
        full_name: name.trim(),
        short_name: short.trim(),
        bot_type: kind,
        ...(kind === webhookKind && { payload_url: JSON.stringify(url) }),
      }),
    )
  /** The short name follows the name until the user has written another one. */
  const setName = (name: string) =>
    change(bot().short === shortNameOf(bot().name) ? { name, short: shortNameOf(name) } : { name })
  return (
    <Section title={t('bots.new')}>
      <AddForm
        submit={t('bots.create')}
        isIncomplete={!bot().name.trim() || !bot().short.trim() || (bot().kind === webhookKind && !bot().url)}
        run={create}
      >
        <TextInput label={t('bots.name')} value={bot().name} set={setName} />
        <TextInput
          label={t('bots.short_name')}
          value={bot().short}
          set={(short) => change({ short })}
          isCode
        />
        <SelectField
          label={t('bots.kind')}
          value={bot().kind}
          options={botKinds.map(([kind, text]) => [kind, t(text)])}
          choose={(kind) => change({ kind })}
        />
        <Show when={bot().kind === webhookKind}>
          <TextInput
            label={t('bots.url')}
            type="url"
            value={bot().url}
            set={(url) => change({ url })}
            isCode
          />
        </Show>
      </AddForm>
    </Section>
  )
}

/** A name as the beginning of an address. */
function shortNameOf(name: string) {
  return plain(name)
    .replace(/[^0-9a-z]+/g, '-')
    .replace(/^-|-$/g, '')
}
