import { createEffect, createSignal, onCleanup, Show } from 'solid-js'
import { cropOf, zoomToFit } from '../../../lib/crop.ts'
import { t } from '../../../lib/i18n.ts'
import { Dialog } from '../../parts/dialog.tsx'

/** The width of the view in which the user chooses, and the largest width of what is sent, in pixels. */
const viewWidth = 320
const largest = 1024

/** Lets the user choose the part of a picture: moved by dragging or by the arrows, and made larger by a slider. */
export function CropDialog(props: {
  file: File
  ratio: number
  isRound: boolean
  canFit: boolean
  close(): void
  done(picture: Blob): void
}) {
  const [picture, setPicture] = createSignal<ImageBitmap>()
  const [error, setError] = createSignal(false)
  const [zoom, setZoom] = createSignal(1)
  const [center, setCenter] = createSignal({ x: 0.5, y: 0.5 })
  let canvas!: HTMLCanvasElement
  createImageBitmap(props.file).then(setPicture, () => setError(true))
  onCleanup(() => picture()?.close())
  const crop = () => cropOf(picture() ?? { width: 1, height: 1 }, props.ratio, zoom(), center())
  const draw = (target: HTMLCanvasElement, width: number) => {
    const image = picture()
    if (!image) return
    const { x, y, width: w, height: h } = crop()
    target.width = Math.round(width)
    target.height = Math.round(width / props.ratio)
    target.getContext('2d')?.drawImage(image, x, y, w, h, 0, 0, target.width, target.height)
  }
  createEffect(() => draw(canvas, viewWidth * devicePixelRatio))
  const move = (x: number, y: number) => {
    const image = picture()
    if (!image) return
    const { width, height } = crop()
    const now = crop()
    const next = { ...now, x: now.x + x * width, y: now.y + y * height }
    setCenter({ x: (next.x + width / 2) / image.width, y: (next.y + height / 2) / image.height })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [-0.05, 0], ArrowRight: [0.05, 0], ArrowUp: [0, -0.05], ArrowDown: [0, 0.05] }[
      event.key
    ]
    if (!step) return
    event.preventDefault()
    move(step[0] ?? 0, step[1] ?? 0)
  }
  const save = () => {
    const target = document.createElement('canvas')
    draw(target, Math.min(largest, crop().width))
    target.toBlob((made) => made && props.done(made), 'image/png')
    props.close()
  }
  return (
    <Dialog title={t('image.crop')} close={() => props.close()}>
      <Show when={!error()} fallback={<p role="alert">{t('image.unreadable')}</p>}>
        <div
          class="crop-view"
          classList={{ round: props.isRound }}
          style={{ '--crop-width': `${viewWidth}px`, '--crop-ratio': String(props.ratio) }}
          tabindex="0"
          role="application"
          aria-label={t('image.crop_note')}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => {
            if (event.buttons)
              move(-event.movementX / viewWidth, (-event.movementY / viewWidth) * props.ratio)
          }}
        >
          <canvas ref={canvas} />
        </div>
        <p class="set-note">{t('image.crop_note')}</p>
        <label class="crop-zoom">
          {t('image.zoom')}
          <input
            type="range"
            min={props.canFit ? zoomToFit(picture() ?? { width: 1, height: 1 }, props.ratio) : 1}
            max="5"
            step="0.05"
            value={zoom()}
            onInput={(event) => setZoom(event.currentTarget.valueAsNumber)}
          />
        </label>
      </Show>
      <div class="panel-actions">
        <button type="button" class="button" onClick={() => props.close()}>
          {t('message.cancel')}
        </button>
        <button type="button" class="button primary" disabled={!picture()} onClick={save}>
          {t('image.use')}
        </button>
      </div>
    </Dialog>
  )
}
