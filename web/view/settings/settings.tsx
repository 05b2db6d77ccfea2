import './settings.css'
import {
  createEffect,
  createMemo,
  createResource,
  createSignal,
  ErrorBoundary,
  on,
  onCleanup,
  Show,
  Suspense,
} from 'solid-js'
import { onAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import { whenLoadable } from '../../lib/load-part.ts'
import { beforeSettings, goToHash, guardRoute, route } from '../../lib/router.ts'
import { askBeforeLoss } from '../parts/confirm.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Change, Unsaved } from '../parts/unsaved.ts'
import { valueIn } from '../parts/value-in.ts'
import { ViewHead } from '../shell/view-head.tsx'
import { SettingsTable } from './parts/settings-table.tsx'
import { SectionList } from './section-list.tsx'
import { type Section, type SectionView, sectionAt, sectionsOffered } from './sections.ts'

function pathNow() {
  const now = route()
  return now.view === 'settings' ? now.path : ''
}

/** All settings: the list of their sections, and beside it the section that the address names. */
export function Settings() {
  let view!: HTMLDivElement
  const named = createMemo(() => sectionAt(pathNow()))
  // In a wide view a section is always open; a narrow one shows the list first.
  const open = () => named() ?? { section: sectionsOffered()[0] as Section, rest: [] }
  const leave = createLeaving()
  const toList = () => {
    const places = ['.section-list [aria-current]', '.settings-back', '.section-list input']
    const links = places.map((place) => view.querySelector<HTMLElement>(place))
    links.find((link) => link?.checkVisibility())?.focus()
  }
  onCleanup(
    onAction('escape', () => {
      const isAtList = view.querySelector('.section-list')?.contains(document.activeElement)
      if (isAtList || document.activeElement?.matches('.settings-back') || !named()) {
        goToHash(beforeSettings || '#inbox')
      } else toList()
    }),
  )
  // The keyboard leaves Escape in a field to the field.
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.target instanceof Element && event.target.matches('input, select, textarea')
    if (event.key !== 'Escape' || !isField || event.defaultPrevented || event.isComposing) return
    event.stopPropagation()
    toList()
  }
  return (
    <>
      <ViewHead title={t('view.settings')} />
      <div
        class="settings-view"
        classList={{ 'at-list': named() === undefined }}
        ref={view}
        on:keydown={onKeyDown}
      >
        <SectionList open={open().section} />
        <Unsaved.Provider value={leave.unsaved}>
          <Show when={open().section} keyed>
            {(section) => <Content section={section} rest={open().rest} />}
          </Show>
        </Unsaved.Provider>
      </div>
    </>
  )
}

/** Asks before another section takes the place of one in which something was not saved. */
function createLeaving() {
  const unsaved = new Set<Change>()
  const asks = askBeforeLoss(unsaved)
  // Before the browser follows a link, so that its history stays as it is.
  const onLeave = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || link.target || event.defaultPrevented) return
    if (asks(() => link.click())) event.preventDefault()
  }
  // A page that goes takes its requests with it, and can tell of no failure.
  const onUnload = (event: BeforeUnloadEvent) => {
    if ([...unsaved].some(({ isChanged }) => isChanged())) event.preventDefault()
  }
  onCleanup(guardRoute(asks))
  document.addEventListener('click', onLeave, true)
  addEventListener('beforeunload', onUnload)
  onCleanup(() => {
    document.removeEventListener('click', onLeave, true)
    removeEventListener('beforeunload', onUnload)
  })
  return { unsaved }
}

/** A section, whose code is loaded when it is opened. */
function Content(props: { section: Section; rest: string[] }) {
  const [view, { refetch }] = createResource(() => loadView(props.section))
  const [heading, setHeading] = createSignal<HTMLElement>()
  let content!: HTMLDivElement
  createEffect(
    on([() => valueIn(view), () => props.rest.join('/')], ([shown]) => {
      if (!shown) return
      const named = content.querySelector<HTMLElement>(`[data-key="${CSS.escape(props.rest[0] ?? '')}"]`)
      if (named) showSetting(named)
      else if (isFree(document.activeElement)) heading()?.focus({ preventScroll: true })
    }),
  )
  return (
    <div class="settings-content" ref={content}>
      <a class="settings-back" href="#settings">
        <Icon name="back" />
        {t('settings.all')}
      </a>
      <h2 tabindex="-1" ref={setHeading}>
        {t(props.section.text)}
      </h2>
      <ErrorBoundary
        fallback={(error, reset) => {
          whenLoadable(
            error,
            () => loadView(props.section),
            () => void Promise.resolve(refetch()).then(reset),
          )
          return <ErrorText error={error} />
        }}
      >
        <Suspense fallback={<p aria-busy="true">{t('app.loading')}</p>}>
          <Show when={view()} keyed>
            {(View) => <View rest={props.rest} />}
          </Show>
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}

/**
 * Whether a section that opens may take the focus: it is nowhere, or on what led to the section, such as its link in the
 * list. Otherwise, the user would have to go past all the other links first.
 */
function isFree(focused: Element | null) {
  return (
    !focused?.matches('input, select, textarea') && !focused?.closest('.settings-content, dialog, [popover]')
  )
}

async function loadView({ view, table }: Section): Promise<SectionView> {
  if (view) return view()
  const screen = await table?.()
  return () => <Show when={screen}>{(shown) => <SettingsTable screen={shown()} />}</Show>
}

/** Brings a setting that a link names before the user's eyes, with the focus on its control. */
function showSetting(row: HTMLElement) {
  row.scrollIntoView({ block: 'center' })
  const control = row.querySelector<HTMLElement>('input, select, textarea, button')
  control?.focus({ preventScroll: true })
  row.classList.add('named')
  row.addEventListener('focusout', () => row.classList.remove('named'), { once: true })
}
