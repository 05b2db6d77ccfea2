import './voice-recorder.css'
import { createEffect, createSignal, Match, onCleanup, onMount, Switch } from 'solid-js'
import { type TextKey, t } from '../../lib/i18n.ts'
import { CannotRecord, type Heard, recordSound } from '../../lib/record-sound.ts'
import { largestFile } from '../../store/uploads.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Dialog } from '../parts/dialog-panel.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { useUnsaved } from '../parts/unsaved.ts'
import type { Box } from './create-composer.ts'

/** The longest recording, in bytes: half an hour. */
const mostBytes = 7_200_000

/** Records a voice message, lets the user listen to it, and attaches it to the message. */
export function VoiceRecorder(props: { box: Box; close(): void }) {
  const attach = (file: File) => {
    props.close()
    props.box.attachFiles([file])
  }
  return (
    <Dialog title={t('compose.record')} close={props.close} class="voice-recorder">
      <Recorder refusal={props.box.refusal()} attach={attach} />
    </Dialog>
  )
}

type Step =
  /** The browser asks the user for the microphone. */
  | { is: 'asking' }
  | { is: 'recording' }
  | { is: 'recorded'; file: File; url: string }
  | { is: 'failed'; why: TextKey }

/** `refusal`: why nothing can be attached any more. */
function Recorder(props: { refusal: string | undefined; attach(file: File): void }) {
  const { step, heard, begin, stop } = createRecording()
  let place!: HTMLDivElement
  useUnsaved({
    isChanged: () => step().is === 'recording' || step().is === 'recorded',
    isBeingSaved: () => false,
  })
  // The buttons take the place of each other, and with it the focus.
  createEffect(() => step() && place.querySelector<HTMLElement>('.primary')?.focus())
  const stepThat = <Is extends Step['is']>(is: Is) => {
    const now = step()
    return now.is === is ? (now as Extract<Step, { is: Is }>) : undefined
  }
  return (
    <div ref={place}>
      <Switch fallback={<p role="status">{t('recording.asking')}</p>}>
        <Match when={stepThat('recording')}>
          <NowRecording heard={heard()} stop={stop} />
        </Match>
        <Match when={stepThat('recorded')}>
          {(recorded) => (
            <Recorded
              url={recorded().url}
              refusal={props.refusal}
              again={begin}
              attach={() => props.attach(recorded().file)}
            />
          )}
        </Match>
        <Match when={stepThat('failed')}>
          {(failed) => (
            <>
              <ErrorText error={t(failed().why)} />
              <div class="panel-actions">
                <ActionButton class="primary" run={begin}>
                  {t('recording.try_again')}
                </ActionButton>
              </div>
            </>
          )}
        </Match>
      </Switch>
    </div>
  )
}

function NowRecording(props: { heard: Heard; stop(): void }) {
  return (
    <>
      <p class="recording-now">
        <span role="status">{t('recording.now')}</span>
        <meter value={props.heard.level} aria-label={t('recording.level')} />
        <span role="timer">{minutes(props.heard.seconds)}</span>
      </p>
      <div class="panel-actions">
        <button type="button" class="button primary" onClick={() => props.stop()}>
          {t('recording.stop')}
        </button>
      </div>
    </>
  )
}

function Recorded(props: { url: string; refusal: string | undefined; again(): unknown; attach(): void }) {
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: it is what the user has just said */}
      <audio controls src={props.url} aria-label={t('recording.listen')} />
      <ErrorText error={props.refusal} />
      <div class="panel-actions">
        <ActionButton run={props.again}>{t('recording.again')}</ActionButton>
        <button
          type="button"
          class="button primary"
          disabled={props.refusal !== undefined}
          onClick={() => props.attach()}
        >
          {t('recording.attach')}
        </button>
      </div>
    </>
  )
}

/** Begins to record when it is shown; ends and forgets the recording when it goes. */
function createRecording() {
  const [step, setStep] = createSignal<Step>({ is: 'asking' })
  const [heard, setHeard] = createSignal<Heard>({ seconds: 0, level: 0 })
  let stopping = new AbortController()
  let isGone = false
  const forget = () => {
    const last = step()
    if (last.is === 'recorded') URL.revokeObjectURL(last.url)
  }
  const tell = (now: Heard) => {
    setHeard(now)
    if (step().is === 'asking') setStep({ is: 'recording' })
  }
  const begin = async () => {
    forget()
    setStep({ is: 'asking' })
    stopping = new AbortController()
    const most = Math.min(mostBytes, 0.9 * (largestFile() ?? Number.POSITIVE_INFINITY))
    try {
      const file = await recordSound(t('recording.file'), most, stopping.signal, tell)
      if (!isGone) setStep({ is: 'recorded', file, url: URL.createObjectURL(file) })
    } catch (error) {
      setStep({ is: 'failed', why: reasonOf(error) })
    }
  }
  onMount(() => void begin())
  onCleanup(() => {
    isGone = true
    stopping.abort()
    forget()
  })
  return { step, heard, begin, stop: () => stopping.abort() }
}

function reasonOf(error: unknown): TextKey {
  const name = error instanceof DOMException ? error.name : ''
  if (error instanceof CannotRecord || name === 'NotSupportedError') return 'recording.unsupported'
  if (name === 'NotAllowedError') return 'recording.refused'
  return name === 'NotFoundError' ? 'recording.no_microphone' : 'recording.busy'
}

/** Minutes and seconds: 1:05. */
function minutes(seconds: number) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}
