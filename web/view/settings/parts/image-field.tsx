import './image-field.css'
import { createSignal, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { CropDialog } from './crop-dialog.tsx'

/** A picture that can be chosen, cropped and removed. `send` gets what was cropped. */
export function ImageField(props: {
  label: string
  /** The address of the picture as it is now. */
  url: string | null | undefined
  /** Whether there is one to remove. */
  canRemove: boolean
  send(picture: Blob): Promise<unknown>
  remove(): Promise<unknown>
  reason?: string | undefined
  note?: string | undefined
  /** The width of the crop divided by its height; the picture is sent as it is if this is left out. */
  ratio?: number
  isRound?: boolean
  /** Whether a picture of another shape may stay whole, with space around it. */
  canFit?: boolean
}) {
  const [error, setError] = createSignal<string>()
  const [isBusy, setBusy] = createSignal(false)
  let input!: HTMLInputElement
  async function act(run: () => Promise<unknown>) {
    setBusy(true)
    setError(undefined)
    await run().catch((failure: Error) => setError(failure.message))
    setBusy(false)
  }
  const chosen = (file: File) => {
    const { ratio } = props
    // A crop would take one frame of an animation.
    if (ratio === undefined || file.type === 'image/gif') return void act(() => props.send(file))
    openDialog((close) => (
      <CropDialog
        file={file}
        ratio={ratio}
        isRound={props.isRound ?? false}
        canFit={props.canFit ?? false}
        close={close}
        done={(picture) => void act(() => props.send(picture))}
      />
    ))
  }
  return (
    <div class="image-field">
      <Show when={props.url} fallback={<span class="image-none" />}>
        {(url) => <img src={url()} alt={props.label} classList={{ round: props.isRound ?? false }} />}
      </Show>
      <div>
        <div class="setting-buttons">
          <button
            type="button"
            class="button"
            disabled={isBusy() || props.reason !== undefined}
            aria-label={`${t('image.choose')}: ${props.label}`}
            onClick={() => input.click()}
          >
            {t('image.choose')}
          </button>
          <Show when={props.canRemove}>
            <button
              type="button"
              class="button"
              disabled={isBusy() || props.reason !== undefined}
              onClick={() => void act(props.remove)}
            >
              {t('image.remove')}
            </button>
          </Show>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/gif,image/webp"
          aria-label={props.label}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) chosen(file)
            currentTarget.value = ''
          }}
        />
        <Show when={props.reason ?? props.note}>{(text) => <p class="set-note">{text()}</p>}</Show>
        <Show when={error()}>
          {(text) => (
            <p class="error-text" role="alert">
              {text()}
            </p>
          )}
        </Show>
      </div>
    </div>
  )
}
