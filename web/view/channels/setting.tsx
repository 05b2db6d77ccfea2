import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'

/** One setting while it is being changed: what the user has chosen, and what became of saving it. */
export type Setting<T> = {
  value(): T
  set(value: T): void
  isChanged(): boolean
  isBusy(): boolean
  error(): string | undefined
  /** `orRevert`: a failure brings back the value that holds; otherwise the user may mend what they have chosen. */
  save(options?: { orRevert?: boolean }): Promise<void>
  reset(): void
}

type Draft<T> = { value: T; isSaved: boolean }

/** A setting that is saved by itself. Its value follows the events, unless the user is changing it. */
export function useSetting<T>(saved: () => T, send: (value: T) => Promise<unknown>): Setting<T> {
  const [draft, setDraft] = createSignal<Draft<T>>()
  const [isBusy, setBusy] = createSignal(false)
  const [error, setError] = createSignal<string>()
  const value = () => {
    const now = draft()
    return now ? now.value : saved()
  }
  // Shows the saved value until its event comes.
  createEffect(
    on(
      () => text(saved()),
      () => draft()?.isSaved && setDraft(undefined),
      { defer: true },
    ),
  )
  async function save({ orRevert = false } = {}) {
    const now = value()
    setBusy(true)
    setError(undefined)
    try {
      await send(now)
      setDraft(text(now) === text(saved()) ? undefined : { value: now, isSaved: true })
    } catch (failure) {
      if (orRevert) setDraft(undefined)
      setError(failure instanceof Error ? failure.message : String(failure))
    }
    setBusy(false)
  }
  return {
    value,
    set(next) {
      setError(undefined)
      setDraft({ value: next, isSaved: false })
    },
    isChanged: () => draft()?.isSaved === false && text(value()) !== text(saved()),
    isBusy,
    error,
    save,
    reset() {
      setError(undefined)
      setDraft(undefined)
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
      <Note id={props.id} text={props.reason ?? props.note} error={props.setting.error()} />
      <Show when={props.setting.isChanged()}>
        <div class="setting-buttons">
          <button
            type="submit"
            class="button primary"
            disabled={props.setting.isBusy() || (props.isIncomplete ?? false)}
          >
            {t('message.save')}
          </button>
          <button type="button" class="button" onClick={() => props.setting.reset()}>
            {t('message.cancel')}
          </button>
        </div>
      </Show>
    </form>
  )
}

/** What there is to say about a field: what is wrong with it, or else what it is for or why it cannot be changed. */
export function Note(props: { id: string; text?: string | undefined; error: string | undefined }) {
  return (
    <div id={props.id}>
      <Show
        when={props.error}
        fallback={<Show when={props.text}>{(text) => <p class="inbox-note">{text()}</p>}</Show>}
      >
        {(error) => (
          <p class="error-text" role="alert">
            {error()}
          </p>
        )}
      </Show>
    </div>
  )
}
