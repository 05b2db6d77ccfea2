import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import { cropOf, zoomToFit } from '../../../lib/crop.ts'
import { t } from '../../../lib/i18n.ts'
import { Dialog } from '../../parts/dialog-panel.tsx'
import { useIsHere } from '../../parts/submission.ts'

/** The width of the view in which the user chooses, and the largest width of what is sent, in pixels. */
const viewWidth = 320
const largest = 1024

type Props = {
  file: File
  /** The width of the crop divided by its height. */
  ratio: number
  isRound: boolean
  canFit: boolean
  close(): void
  done(picture: Blob): void
}

/** Lets the user choose the part of a picture: moved by dragging or by the arrows, and made larger by a slider. */
export function CropDialog(props: Props) {
  const crop = useCrop(props)
  return (
    <Dialog title={t('image.crop')} close={() => props.close()}>
      <Show when={!crop.isUnreadable()} fallback={<p role="alert">{t('image.unreadable')}</p>}>
        <CropView {...props} crop={crop} />
        <p class="set-note">{t('image.crop_note')}</p>
        <label class="crop-zoom">
          {t('image.zoom')}
          <input
            type="range"
            min={props.canFit ? zoomToFit(crop.size(), props.ratio) : 1}
            max="5"
            step="0.05"
            value={crop.zoom()}
            onInput={(event) => crop.setZoom(event.currentTarget.valueAsNumber)}
          />
        </label>
      </Show>
      <div class="panel-actions">
        <button type="button" class="button" onClick={() => props.close()}>
          {t('message.cancel')}
        </button>
        <button type="button" class="button primary" disabled={!crop.isRead()} onClick={crop.save}>
          {t('image.use')}
        </button>
      </div>
    </Dialog>
  )
}

/** The picture, and which part of it is chosen. */
function useCrop(props: Props) {
  const [picture, setPicture] = createSignal<ImageBitmap>()
  const [isUnreadable, setUnreadable] = createSignal(false)
  const [zoom, setZoom] = createSignal(1)
  const [center, setCenter] = createSignal({ x: 0.5, y: 0.5 })
  const isHere = useIsHere()
  // A picture that is read only after the dialog was closed takes memory as well.
  const take = (made: ImageBitmap) => (isHere() ? setPicture(made) : made.close())
  createImageBitmap(props.file).then(take, () => setUnreadable(true))
  onCleanup(() => picture()?.close())
  const size = () => picture() ?? { width: 1, height: 1 }
  const crop = () => cropOf(size(), props.ratio, zoom(), center())
  const draw = (target: HTMLCanvasElement, width: number) => {
    const image = picture()
    if (!image) return
    const { x, y, width: w, height: h } = crop()
    target.width = Math.round(width)
    target.height = Math.round(width / props.ratio)
    target.getContext('2d')?.drawImage(image, x, y, w, h, 0, 0, target.width, target.height)
  }
  /** Moves the part by shares of its own width and height. */
  const move = (byWidth: number, byHeight: number) => {
    const image = picture()
    if (!image) return
    const { x, y, width, height } = crop()
    setCenter({
      x: (x + (byWidth + 1 / 2) * width) / image.width,
      y: (y + (byHeight + 1 / 2) * height) / image.height,
    })
  }
  const save = () => {
    const target = document.createElement('canvas')
    draw(target, Math.min(largest, crop().width))
    target.toBlob((made) => made && props.done(made), 'image/png')
    props.close()
  }
  return { isRead: () => picture() !== undefined, isUnreadable, size, zoom, setZoom, draw, move, save }
}

const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-0.05, 0],
  ArrowRight: [0.05, 0],
  ArrowUp: [0, -0.05],
  ArrowDown: [0, 0.05],
}

/** The chosen part, which is moved here. */
function CropView(props: { crop: ReturnType<typeof useCrop>; ratio: number; isRound: boolean }) {
  let canvas!: HTMLCanvasElement
  createEffect(() => props.crop.draw(canvas, viewWidth * devicePixelRatio))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    props.crop.move(...step)
  }
  const onPointerMove = ({ buttons, movementX, movementY }: PointerEvent) => {
    if (buttons) props.crop.move(-movementX / viewWidth, (-movementY / viewWidth) * props.ratio)
  }
  return (
    <div
      class="crop-view"
      classList={{ round: props.isRound }}
      style={{ '--crop-width': `${viewWidth}px`, '--crop-ratio': String(props.ratio) }}
      tabindex="0"
      role="application"
      aria-label={t('image.crop_note')}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    >
      <canvas ref={canvas} />
    </div>
  )
}
