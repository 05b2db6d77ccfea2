import { createEffect, createSignal, createUniqueId, For, on, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { FilterField } from '../parts/filter-field.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Found, useFinder } from './finder.ts'
import { isOffered, type Section, sectionGroups } from './sections.ts'

/** The list of sections, and in its place what the search of the settings finds. The arrows go from one to the next. */
export function SectionList(props: { open: Section | undefined }) {
  let list!: HTMLElement
  const [words, setWords] = createSignal('')
  const found = useFinder(words)
  // After the list has marked it. It may have been opened by an address.
  createEffect(
    on(
      () => props.open,
      () => queueMicrotask(() => list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })),
    ),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...list.querySelectorAll<HTMLAnchorElement>('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const isTyping = event.target instanceof HTMLInputElement
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, ...(!isTyping && { Home: 0, End: links.length - 1 }) }
    const next = to[event.key as 'ArrowDown']
    if (event.key === 'Escape' && isTyping && words()) {
      event.stopPropagation()
      return setWords('')
    }
    if (event.key === 'Enter' && isTyping) {
      // The section that opens takes the focus from its link, and not from a field in which the user types.
      links[0]?.focus()
      return links[0]?.click()
    }
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (next < 0) list.querySelector('input')?.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  }
  return (
    <nav class="section-list" ref={list} aria-label={t('settings.sections')} on:keydown={onKeyDown}>
      <FilterField label={t('settings.find')} value={words()} set={setWords} />
      <Show when={words().trim()} fallback={<Groups open={props.open} />}>
        <Results found={found()} />
      </Show>
    </nav>
  )
}

function Groups(props: { open: Section | undefined }) {
  return (
    <For each={sectionGroups}>
      {(group) => {
        const id = createUniqueId()
        return (
          <Show when={group.sections.some(isOffered)}>
            <h2 id={id}>{t(group.text)}</h2>
            <ul aria-labelledby={id}>
              <For each={group.sections.filter(isOffered)}>
                {(section) => (
                  <li>
                    <a
                      href={`#${section.address}`}
                      aria-current={props.open === section ? 'page' : undefined}
                    >
                      <Icon name={section.icon} />
                      {t(section.text)}
                    </a>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        )
      }}
    </For>
  )
}

function Results(props: { found: Found[] }) {
  return (
    <>
      <Show when={props.found.length === 0}>
        <p class="set-note" role="status">
          {t('settings.found_nothing')}
        </p>
      </Show>
      <ul aria-label={t('settings.find')}>
        <For each={props.found}>
          {(one) => (
            <li>
              <a href={`#${one.address}`} class="found-setting">
                <span>
                  {one.name}
                  <Show when={one.section}>
                    <small>{one.section}</small>
                  </Show>
                </span>
              </a>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}
