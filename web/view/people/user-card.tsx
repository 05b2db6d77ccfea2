import { Known } from '../parts/known.tsx'
import './user-card.css'
import { createMemo, For, onCleanup, onMount, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { insertIntoComposer } from '../../lib/actions.ts'
import { type TextKey, t } from '../../lib/i18n.ts'
import { goTo } from '../../lib/router.ts'
import { shortAge, timeIn } from '../../lib/time.ts'
import { availabilityOf, avatarOf, isDeactivated, mutedUsers, users } from '../../store/people.ts'
import { currentState, field } from '../../store/server-state.ts'
import type { User } from '../../store/server-state-types.ts'
import { EmojiGlyph } from '../feed/reactions.tsx'
import { mentionOf, writeTo } from '../message/commands.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { now } from '../parts/clock.ts'
import { Content } from '../parts/content.tsx'
import { laterWithTexts } from '../parts/dialog.tsx'
import { focusFirst } from '../parts/focus.ts'
import { place } from '../parts/menu.tsx'

/** Shows a user, and the actions that concern them. */
export function UserCard(props: { at: DOMRect; before: Element[]; userId: number; close(): void }) {
  let element!: HTMLDivElement
  onMount(() => {
    element.showPopover()
    place(element, props.at, 'start')
    element.querySelector<HTMLElement>('.card-buttons button')?.focus({ preventScroll: true })
  })
  onCleanup(() => element.hidePopover())
  const close = () => {
    props.close()
    focusFirst(props.before)
  }
  return (
    <div
      ref={element}
      class="user-card"
      popover="auto"
      role="dialog"
      aria-label={users().get(props.userId)?.full_name ?? t('card.unknown')}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Escape') return
        event.preventDefault()
        close()
      }}
      onToggle={(event) => {
        if ((event as unknown as ToggleEvent).newState === 'closed') props.close()
      }}
    >
      <Known thing={users().get(props.userId)} fallback={<p>{t('card.unknown')}</p>}>
        {(user) => (
          <>
            <Head user={user()} />
            <Facts user={user()} />
            <Buttons user={user()} close={close} />
          </>
        )}
      </Known>
    </div>
  )
}

function Head(props: { user: User }) {
  const status = () => field('user_status')?.[props.user.user_id]
  const role = () => roleOf(props.user)
  return (
    <header class="card-head">
      <img class="avatar" style={{ '--avatar-size': '64px' }} src={avatarOf(props.user.user_id)} alt="" />
      <div>
        <h2 dir="auto">{props.user.full_name}</h2>
        <Show when={role()}>{(key) => <span class="badge">{t(key())}</span>}</Show>
        <p class="inbox-note">
          <Presence userId={props.user.user_id} isBot={props.user.is_bot} />
        </p>
        <Show when={status()}>
          {(one) => (
            <p class="card-status" dir="auto">
              <Show when={one().emoji_code}>
                <EmojiGlyph
                  emoji={{
                    emoji_name: one().emoji_name ?? '',
                    emoji_code: one().emoji_code ?? '',
                    reaction_type: one().reaction_type ?? 'unicode_emoji',
                  }}
                />
              </Show>{' '}
              {one().status_text}
            </p>
          )}
        </Show>
      </div>
    </header>
  )
}

function Presence(props: { userId: number; isBot: boolean }) {
  const availability = () => availabilityOf(props.userId, now())
  const lastSeen = () => {
    const presence = field('presences')?.[props.userId]
    return presence && Math.max(presence.active_timestamp, presence.idle_timestamp)
  }
  return (
    <Show when={!props.isBot}>
      <span class={`presence ${availability()}`} aria-hidden="true" />{' '}
      <Show when={availability() === 'offline' && lastSeen()} fallback={t(`presence.${availability()}`)}>
        {(at) => <>{t('card.last_seen', { time: shortAge(at(), now()) })}</>}
      </Show>
    </Show>
  )
}

function Facts(props: { user: User }) {
  const fields = createMemo(() => {
    const all = (field('custom_profile_fields') ?? []).map(
      ({ id, name }) => [id, { name, ...props.user.profile_data?.[id] }] as const,
    )
    return new Map(all.filter(([, { value }]) => value))
  })
  const localTime = () => timeIn(props.user.timezone, now())
  return (
    <dl class="card-facts">
      <Show when={props.user.delivery_email}>
        {(email) => (
          <Fact name={t('card.email')}>
            <a href={`mailto:${email()}`}>{email()}</a>
          </Fact>
        )}
      </Show>
      <Show when={!props.user.is_bot && localTime()}>
        {(time) => <Fact name={t('card.local_time')}>{time()}</Fact>}
      </Show>
      <Show when={props.user.bot_owner_id}>
        {(owner) => <Fact name={t('card.owner')}>{users().get(owner())?.full_name}</Fact>}
      </Show>
      {/* By ids, as the values are made anew with each event of any user: a link or a selection stays. */}
      <For each={[...fields().keys()]}>
        {(id) => (
          <Fact name={fields().get(id)?.name ?? ''}>
            <Show
              when={fields().get(id)?.rendered_value}
              fallback={<span dir="auto">{fields().get(id)?.value}</span>}
            >
              {(html) => <Content html={html()} />}
            </Show>
          </Fact>
        )}
      </For>
    </dl>
  )
}

function Fact(props: { name: string; children: import('solid-js').JSX.Element }) {
  return (
    <div>
      <dt dir="auto">{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

function Buttons(props: { user: User; close(): void }) {
  const id = () => props.user.user_id
  const isMe = () => id() === currentState().user_id
  const isMuted = () => mutedUsers().has(id())
  const act = (run: () => unknown) => () => {
    props.close()
    return run()
  }
  const toggleMute = () => (isMuted() ? remove : post)(`/users/me/muted_users/${id()}`)
  return (
    <div class="card-buttons">
      <button
        type="button"
        class="button primary"
        onClick={act(() => writeTo({ userIds: isMe() ? [] : [id()] }))}
      >
        {t('card.message')}
      </button>
      <button type="button" class="button" onClick={act(() => insertIntoComposer(`${mentionOf(id())} `))}>
        {t('card.mention')}
      </button>
      <button
        type="button"
        class="button"
        onClick={act(() => goTo({ view: 'narrow', terms: [{ operator: 'sender', operand: id() }] }))}
      >
        {t('card.messages')}
      </button>
      <Show when={!isMe()}>
        <ActionButton run={toggleMute}>{t(isMuted() ? 'card.unmute' : 'card.mute')}</ActionButton>
        <Administration user={props.user} act={act} />
      </Show>
    </div>
  )
}

/** Shows the actions of administrators and the owners of bots. */
function Administration(props: { user: User; act(run: () => unknown): () => unknown }) {
  const mayDo = () => field('is_admin') || props.user.bot_owner_id === currentState().user_id
  const isGone = () => isDeactivated(props.user.user_id)
  /** Only owners act on owners. */
  const isAbove = () => props.user.role === 100 && !field('is_owner')
  const isSystemBot = () =>
    (field('cross_realm_bots') ?? []).some((bot) => bot.user_id === props.user.user_id)
  const deactivate = () =>
    laterWithTexts(
      () => import('./deactivate.tsx'),
      ({ Deactivate }, close) => Deactivate({ user: props.user, close }),
    )
  const reactivate = () => post(`/users/${props.user.user_id}/reactivate`)
  return (
    <Show when={mayDo() && !isSystemBot()}>
      <ActionButton
        isDangerous={!isGone()}
        reason={isAbove() ? t('card.only_owners') : undefined}
        run={props.act(isGone() ? reactivate : deactivate)}
      >
        {t(isGone() ? 'card.reactivate' : 'card.deactivate')}
      </ActionButton>
    </Show>
  )
}

const roles: Record<number, TextKey> = {
  100: 'role.owner',
  200: 'role.admin',
  300: 'role.moderator',
  600: 'role.guest',
}

function roleOf({ user_id, is_bot, role }: User): TextKey | undefined {
  if (isDeactivated(user_id)) return 'role.deactivated'
  return is_bot ? 'message.bot' : roles[role]
}
