import './search.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Term } from '../../lib/route.ts'
import { goTo, route } from '../../lib/router.ts'
import { termName } from '../parts/conversation-name.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { openAtDate } from './go-to-date.tsx'
import { type Suggestion, suggestionsFor, termsWith } from './suggestions.ts'

/** Searches messages by terms, each a pill, and words. It begins with the terms of the view that is open. */
export function Search(props: { close(): void }) {
  const now = route()
  const [terms, setTerms] = createSignal<Term[]>(now.view === 'narrow' ? now.terms : [])
  const [text, setText] = createSignal('')
  const [at, setAt] = createSignal(-1)
  const suggestions = createMemo(() => suggestionsFor(terms(), text()))
  let input!: HTMLInputElement

  function write(value: string) {
    setText(value)
    // While words are typed, Enter searches for them; while a term is, it takes the first that fits.
    setAt(value.trim() ? 0 : -1)
  }

  function take(one: Suggestion) {
    if ('day' in one) {
      props.close()
      openAtDate(terms(), one.day).catch(noticeFailure)
      return
    }
    if ('text' in one) write(one.text)
    else {
      setTerms(one.terms)
      write('')
    }
    input.focus()
  }

  function run() {
    const all = termsWith(terms(), text())
    if (all.length === 0) return
    props.close()
    goTo({ view: 'narrow', terms: all })
  }

  function search() {
    const chosen = suggestions()[at()]
    if (chosen && 'day' in chosen) take(chosen)
    else run()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing) return
    const chosen = suggestions()[at()]
    if (event.key === 'ArrowDown') setAt((index) => Math.min(index + 1, suggestions().length - 1))
    else if (event.key === 'ArrowUp') setAt((index) => Math.max(-1, index - 1))
    else if (event.key === 'Backspace' && text() === '') setTerms((all) => all.slice(0, -1))
    else if (event.key === 'Enter') {
      if (chosen && !('terms' in chosen && isWords(chosen))) take(chosen)
      else run()
    } else if (event.key === 'Tab' && chosen && text()) take(chosen)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={t('search.placeholder')} close={props.close} class="search">
      <div class="search-box">
        <For each={terms()}>
          {(term) => (
            <span class="pill">
              <span dir="auto">{termName(term)}</span>
              <button
                type="button"
                class="icon-button"
                aria-label={t('search.remove', { term: termName(term) })}
                onClick={() => {
                  setTerms((all) => all.filter((one) => one !== term))
                  input.focus()
                }}
              >
                <Icon name="close" />
              </button>
            </span>
          )}
        </For>
        <input
          ref={input}
          autofocus
          dir="auto"
          role="combobox"
          aria-expanded="true"
          aria-controls="search-suggestions"
          aria-activedescendant={at() >= 0 ? `suggestion-${at()}` : undefined}
          aria-label={t('search.placeholder')}
          placeholder={t('search.placeholder')}
          value={text()}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="button primary" onClick={search}>
          {t('search.label')}
        </button>
      </div>
      <div
        id="search-suggestions"
        class="jump-places"
        role="listbox"
        tabindex="-1"
        aria-label={t('search.suggestions')}
      >
        <For each={suggestions()}>
          {(one, index) => (
            <button
              type="button"
              role="option"
              tabindex="-1"
              id={`suggestion-${index()}`}
              aria-selected={index() === at()}
              onMouseEnter={() => setAt(index())}
              onClick={() => (isWords(one) ? run() : take(one))}
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
    </Dialog>
  )
}

/** Whether a suggestion is to search for the words as they are. */
function isWords(one: Suggestion) {
  return 'terms' in one && one.terms.at(-1)?.operator === 'search'
}
