import './setting.css'
import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import { ApiFailure } from '../../../api/client.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { t } from '../../../lib/i18n.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { keepFocus } from '../../parts/keep-focus.ts'
import { notice } from '../../parts/notices.tsx'
import { useIsHere } from '../../parts/submission.ts'
import { useUnsaved } from '../../parts/unsaved.ts'

/** One setting while it is being changed: what the user has chosen, and what became of saving it. */
export type Setting<T> = {
  value(): T
  set(value: T): void
  isChanged(): boolean
  isBusy(): boolean
  /** Whether it was saved, and not changed since. */
  wasSaved(): boolean
  error(): string | undefined
  /** `orRevert`: a failure brings back the value that holds; otherwise the user may mend what they have chosen. */
  save(options?: { orRevert?: boolean }): Promise<void>
  reset(): void
}

/** `base`: what held when the user began to change it. */
type Draft<T> = { value: T; base: T; isSaved: boolean }

type Send<T> = (value: T, base: T) => Promise<unknown>

/**
 * A setting that is saved by itself. Its value follows the events, unless the user is changing it. `tidy` brings a value
 * into the form in which the server keeps it.
 */
export function useSetting<T>(
  saved: () => T,
  send: Send<T>,
  tidy: (value: T) => T = (value) => value,
): Setting<T> {
  const [draft, setDraft] = createSignal<Draft<T>>()
  const [error, setError] = createSignal<string>()
  const [wasSaved, setWasSaved] = createSignal(false)
  const isHere = useIsHere()
  const value = () => {
    const now = draft()
    return now ? now.value : saved()
  }
  const isChanged = () => draft()?.isSaved === false && text(tidy(value())) !== text(saved())
  // Shows the saved value until its event comes.
  const comes = createMemo(() => text(saved()))
  createEffect(on(comes, () => draft()?.isSaved && setDraft(undefined), { defer: true }))
  const { isBusy, ...saving } = useOneAtATime(draft, async ({ orRevert = false } = {}) => {
    const sent = draft()
    if (!sent || sent.isSaved) return
    setError(undefined)
    try {
      const [now, before] = [tidy(sent.value), text(saved())]
      await send(now, sent.base)
      setWasSaved(true)
      const hasCome = text(saved()) === text(now) || text(saved()) !== before
      setDraft((latest) => draftAfter(latest, sent, now, hasCome))
    } catch (failure) {
      if (!isHere()) return noticeLost(failure, saving.run)
      if (!draft()) return
      if (orRevert && draft() === sent) setDraft(undefined)
      setError(errorMessage(failure))
    }
  })
  useUnsaved({ isChanged, isBeingSaved: saving.isBeingSaved })
  const set = (next: T) => {
    setError(undefined)
    setWasSaved(false)
    setDraft((now) => ({ value: next, base: baseOf(now, saved), isSaved: false }))
  }
  const reset = () => {
    setError(undefined)
    setDraft(undefined)
  }
  return { value, set, isChanged, isBusy, wasSaved, error, save: saving.run, reset }
}

/** Tells that a change was not saved whose control has gone. It is sent again if the user wants that and it may help. */
function noticeLost(failure: unknown, again: () => unknown) {
  const mayHelp = failure instanceof ApiFailure && failure.isTemporary
  notice(t('settings.not_saved', { reason: errorMessage(failure) }), {
    isFailure: true,
    ...(mayHelp && { offer: { label: t('feed.retry'), run: () => void again() } }),
  })
}

/** The draft after `sent` was saved as `now`: none if its event has come. A later choice of the user stays. */
function draftAfter<T>(latest: Draft<T> | undefined, sent: Draft<T>, now: T, hasCome: boolean) {
  if (latest !== sent) return latest && { ...latest, base: now }
  return hasCome ? undefined : { value: now, base: sent.base, isSaved: true }
}

/** The value that holds as a change begins: the event of the last one may not have come yet. */
function baseOf<T>(draft: Draft<T> | undefined, saved: () => T): T {
  if (!draft) return saved()
  return draft.isSaved ? draft.value : draft.base
}

/** Saves a value as soon as it is chosen; a failure brings back the value that holds. */
export function saveChoice<T>(setting: Setting<T>, value: T) {
  setting.set(value)
  void setting.save({ orRevert: true })
}

/** Runs `act` again after a run during which it was wanted, so that the last value chosen is the one that holds. `draft`: what it saves. */
function useOneAtATime(draft: () => unknown, act: (options?: { orRevert?: boolean }) => Promise<void>) {
  const [isBusy, setBusy] = createSignal(false)
  let isWanted = false
  let wanted: unknown
  return {
    isBusy,
    /** Whether nothing was changed since saving was wanted last, and that is under way. */
    isBeingSaved: () => isBusy() && draft() === wanted,
    async run(options?: { orRevert?: boolean }) {
      isWanted = true
      wanted = draft()
      if (isBusy()) return
      setBusy(true)
      while (isWanted) {
        isWanted = false
        await act(options)
      }
      setBusy(false)
    },
  }
}

function text(value: unknown) {
  return JSON.stringify(value)
}

/**
 * A setting with its label, why it cannot be changed if so, what the server has said against it, and buttons to save it
 * or to leave it as it was. `children` is the control, which names `id` as its description.
 */
export function SettingFrame<T>(props: {
  setting: Setting<T>
  /** Why the user may not change it. */
  reason?: string | undefined
  note?: string | undefined
  /** Whether the value cannot be saved yet. */
  isIncomplete?: boolean
  id: string
  children: JSX.Element
}) {
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault()
        if (props.setting.isChanged() && !props.isIncomplete) void props.setting.save()
      }}
    >
      {props.children}
      <SettingNote id={props.id} text={props.reason ?? props.note} error={props.setting.error()} />
      <SaveButtons setting={props.setting} isIncomplete={props.isIncomplete} />
    </form>
  )
}

/** Saves what was chosen, or leaves the setting as it was. */
export function SaveButtons<T>(props: { setting: Setting<T>; isIncomplete?: boolean | undefined }) {
  return (
    <Show when={props.setting.isChanged()}>
      <div class="setting-buttons" ref={keepFocus}>
        <button
          type="submit"
          class="button primary"
          aria-disabled={props.setting.isBusy()}
          disabled={props.isIncomplete ?? false}
          // The form around it saves, if there is one.
          onClick={(event) => event.currentTarget.form || props.setting.save()}
        >
          {t('message.save')}
        </button>
        <button type="button" class="button" onClick={() => props.setting.reset()}>
          {t('message.cancel')}
        </button>
      </div>
    </Show>
  )
}

/** The text below a field: its error; otherwise its purpose, or why it cannot be changed. */
export function SettingNote(props: { id: string; text?: string | undefined; error: string | undefined }) {
  return (
    <div id={props.id}>
      <Show
        when={props.error}
        fallback={<Show when={props.text}>{(text) => <p class="inbox-note">{text()}</p>}</Show>}
      >
        <ErrorText error={props.error} />
      </Show>
    </div>
  )
}
