import { createSignal, For, onMount, Show } from 'solid-js'
import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { readBotKeys } from '../../../store/bot-keys.ts'
import { currentState, field } from '../../../store/server-state.ts'
import { noticeFailure } from '../../parts/notices.tsx'
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
      .sort((a, b) => Number(b.is_active) - Number(a.is_active) || a.full_name.localeCompare(b.full_name))
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
    <Show when={found()}>
      {(first) => {
        // Events change a bot in place, which the accessor of Show does not notice.
        const bot = () => found() ?? first()
        return (
          <details class="set-details">
            <summary>
              <strong dir="auto">{bot().full_name}</strong>
              <small>
                {bot().is_active ? kindName(bot().bot_type) : t('bots.deactivated')} · {bot().email}
              </small>
            </summary>
            <BotDetails bot={bot()} />
          </details>
        )
      }}
    </Show>
  )
}

function NewBot() {
  const empty = { name: '', short: '', kind: 1, url: '' }
  const [bot, setBot] = createSignal(empty)
  const change = (part: Partial<typeof empty>) => setBot((now) => ({ ...now, ...part }))
  return (
    <Section title={t('bots.new')}>
      <AddForm
        submit={t('bots.create')}
        isIncomplete={!bot().name.trim() || !bot().short.trim() || (bot().kind === webhookKind && !bot().url)}
        run={async () => {
          const { name, short, kind, url } = bot()
          await post('/bots', {
            full_name: name.trim(),
            short_name: short.trim(),
            bot_type: kind,
            ...(kind === webhookKind && { payload_url: JSON.stringify(url) }),
          })
          setBot(empty)
        }}
      >
        <label>
          {t('bots.name')}
          <input
            class="field"
            dir="auto"
            value={bot().name}
            onInput={(event) => change({ name: event.currentTarget.value })}
          />
        </label>
        <label>
          {t('bots.short_name')}
          <input
            class="field"
            value={bot().short}
            onInput={(event) => change({ short: event.currentTarget.value })}
          />
        </label>
        <label>
          {t('bots.kind')}
          <select class="field" onChange={(event) => change({ kind: Number(event.currentTarget.value) })}>
            <For each={botKinds}>
              {([kind, text]) => (
                <option value={kind} selected={bot().kind === kind}>
                  {t(text)}
                </option>
              )}
            </For>
          </select>
        </label>
        <Show when={bot().kind === webhookKind}>
          <label>
            {t('bots.url')}
            <input
              class="field"
              type="url"
              value={bot().url}
              onInput={(event) => change({ url: event.currentTarget.value })}
            />
          </label>
        </Show>
      </AddForm>
    </Section>
  )
}
