import { For } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Format, format } from '../../lib/text-edit.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { applyEdit, selectedIn } from './area.ts'

type Tool = { kind: Format; icon: IconName; keys?: string }

const tools: Tool[] = [
  { kind: 'bold', icon: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z', keys: 'Ctrl+B' },
  { kind: 'italic', icon: 'M14 5h-4M14 19h-4M13 5l-3 14M16 5h-2M10 19H8', keys: 'Ctrl+I' },
  {
    kind: 'strike',
    icon: 'M5 12h14M16 7c-1-2-7-2.5-8 .5c-.5 1.5 .5 3 2 3.5M8 17c1 2 7 2.5 8-.5c.3-1 0-2-.8-2.8',
  },
  { kind: 'link', icon: 'link', keys: 'Ctrl+Shift+L' },
  { kind: 'code', icon: 'code' },
  { kind: 'quote', icon: 'quote' },
  { kind: 'list', icon: 'list' },
  { kind: 'numbers', icon: 'M10 6h10M10 12h10M10 18h10M4 5l1-1v4M4 11h2l-2 3h2M4 17h2v3H4' },
  { kind: 'spoiler', icon: 'spoiler' },
  { kind: 'math', icon: 'M18 5H6l6 7-6 7h12' },
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
