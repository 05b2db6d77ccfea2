import './search.css'
import { For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Term } from '../../lib/route.ts'
import { termName } from '../parts/conversation-name.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Icon } from '../parts/icon.tsx'
import { createSearch } from './create-search.ts'

/** Searches messages by terms, each a pill, and words. It begins with the terms of the view that is open. */
export function Search(props: { close(): void }) {
  const search = createSearch(props.close)
  return (
    <Dialog title={t('search.placeholder')} close={props.close} class="search">
      <div class="search-box">
        <For each={search.terms()}>{(term) => <Pill term={term} remove={() => search.remove(term)} />}</For>
        <input
          ref={search.setInput}
          autofocus
          dir="auto"
          role="combobox"
          aria-expanded="true"
          aria-controls="search-suggestions"
          aria-activedescendant={search.at() >= 0 ? `suggestion-${search.at()}` : undefined}
          aria-label={t('search.placeholder')}
          placeholder={t('search.placeholder')}
          value={search.text()}
          onInput={(event) => search.write(event.currentTarget.value)}
          onKeyDown={search.onKeyDown}
        />
        <button type="button" class="button primary" onClick={search.start}>
          {t('search.label')}
        </button>
      </div>
      <Suggestions search={search} />
    </Dialog>
  )
}

function Pill(props: { term: Term; remove(): void }) {
  return (
    <span class="pill">
      <span dir="auto">{termName(props.term)}</span>
      <button
        type="button"
        class="icon-button"
        aria-label={t('search.remove', { term: termName(props.term) })}
        onClick={() => props.remove()}
      >
        <Icon name="close" />
      </button>
    </span>
  )
}

function Suggestions(props: { search: ReturnType<typeof createSearch> }) {
  const { search } = props
  return (
    <div
      id="search-suggestions"
      class="jump-places"
      role="listbox"
      tabindex="-1"
      aria-label={t('search.suggestions')}
    >
      <For each={search.suggestions()}>
        {(one, index) => (
          <button
            type="button"
            role="option"
            tabindex="-1"
            id={`suggestion-${index()}`}
            aria-selected={index() === search.at()}
            onMouseMove={() => search.setAt(index())}
            onClick={() => search.choose(one)}
          >
            <span class="place-name" dir="auto">
              {one.label}
            </span>
            <Show when={one.note}>
              <span class="inbox-note">{one.note}</span>
            </Show>
          </button>
        )}
      </For>
    </div>
  )
}
