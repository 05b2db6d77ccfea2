import './image-field.css'
import { Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { openDialog } from '../../parts/dialog.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { keepFocus } from '../../parts/keep-focus.ts'
import { useSubmission } from '../../parts/submission.ts'
import { CropDialog } from './crop-dialog.tsx'

type Props = {
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
}

/** A picture that can be chosen, cropped and removed. `send` gets what was cropped. */
export function ImageField(props: Props) {
  const { isBusy, error, run } = useSubmission()
  let input!: HTMLInputElement
  const isDisabled = () => props.reason !== undefined
  const send = (picture: Blob) => void run(() => props.send(picture))
  // A crop would take one frame of an animation.
  const choose = (file: File) =>
    props.ratio === undefined || file.type === 'image/gif' ? send(file) : crop(props, props.ratio, file, send)
  return (
    <div class="image-field">
      <Show when={props.url} fallback={<span class="image-none" />}>
        {(url) => <img src={url()} alt={props.label} classList={{ round: props.isRound ?? false }} />}
      </Show>
      <div>
        <div class="setting-buttons">
          <ActionButton
            label={`${t('image.choose')}: ${props.label}`}
            isDisabled={isDisabled()}
            isBusy={isBusy()}
            run={() => input.click()}
          >
            {t('image.choose')}
          </ActionButton>
          <Show when={props.canRemove}>
            <ActionButton
              ref={keepFocus}
              isDisabled={isDisabled()}
              isBusy={isBusy()}
              run={() => void run(props.remove)}
            >
              {t('image.remove')}
            </ActionButton>
          </Show>
        </div>
        <FileInput label={props.label} choose={choose} ref={(element) => (input = element)} />
        <Show when={props.reason ?? props.note}>{(text) => <p class="set-note">{text()}</p>}</Show>
        <ErrorText error={error()} />
      </div>
    </div>
  )
}

/** Is opened by a button. The same file can be chosen twice in a row. */
function FileInput(props: { label: string; choose(file: File): void; ref(element: HTMLInputElement): void }) {
  return (
    <input
      ref={props.ref}
      type="file"
      hidden
      accept="image/png,image/jpeg,image/gif,image/webp"
      aria-label={props.label}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? []
        if (file) props.choose(file)
        currentTarget.value = ''
      }}
    />
  )
}

function crop({ isRound, canFit }: Props, ratio: number, file: File, done: (picture: Blob) => void) {
  openDialog((close) => (
    <CropDialog
      file={file}
      ratio={ratio}
      isRound={isRound ?? false}
      canFit={canFit ?? false}
      close={close}
      done={done}
    />
  ))
}
