import { For } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Format, format } from '../../lib/text-edit.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { applyEdit, selectedIn } from './area.ts'

type Tool = { kind: Format; icon: IconName; keys?: string }

const tools: Tool[] = [
  { kind: 'bold', icon: 'bold', keys: 'Ctrl+B' },
  { kind: 'italic', icon: 'italic', keys: 'Ctrl+I' },
  { kind: 'strike', icon: 'strike' },
  { kind: 'link', icon: 'link', keys: 'Ctrl+Shift+L' },
  { kind: 'code', icon: 'code' },
  { kind: 'quote', icon: 'quote' },
  { kind: 'list', icon: 'list' },
  { kind: 'numbers', icon: 'numbers' },
  { kind: 'spoiler', icon: 'spoiler' },
  { kind: 'math', icon: 'math' },
]

/** The formats, as buttons. Arrow keys go between them, so that they take one stop of the Tab key. */
export function FormatButtons(props: { area(): HTMLTextAreaElement; isDisabled: boolean }) {
  return (
    <div class="compose-formats" role="toolbar" aria-label={t('compose.formats')} onKeyDown={onArrow}>
      <For each={tools}>
        {({ kind, icon, keys }, index) => (
          <button
            type="button"
            class="icon-button"
            tabindex={index() === 0 ? 0 : -1}
            disabled={props.isDisabled}
            title={keys ? `${t(`format.${kind}`)} (${keys})` : t(`format.${kind}`)}
            aria-label={t(`format.${kind}`)}
            // The text keeps the focus, and its selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => applyFormat(props.area(), kind)}
          >
            <Icon name={icon} />
          </button>
        )}
      </For>
    </div>
  )
}

export function applyFormat(area: HTMLTextAreaElement, kind: Format) {
  applyEdit(area, format(kind, selectedIn(area)))
}

/** The format of a keystroke in the text. */
export function formatOfKey(event: KeyboardEvent): Format | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined
  const key = event.key.toLowerCase()
  if (event.shiftKey) return key === 'l' ? 'link' : undefined
  return ({ b: 'bold', i: 'italic' } as const)[key]
}

function onArrow(event: KeyboardEvent) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const bar = event.currentTarget as HTMLElement
  const all = [...bar.querySelectorAll<HTMLButtonElement>('button')]
  const direction = document.documentElement.dir === 'rtl' ? -step : step
  const at = all.indexOf(document.activeElement as HTMLButtonElement)
  const next = all[(at + direction + all.length) % all.length]
  for (const one of all) one.tabIndex = one === next ? 0 : -1
  next?.focus()
}
