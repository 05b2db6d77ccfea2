import { createMemo, createSignal } from 'solid-js'
import type { Term } from '../../lib/route.ts'
import { goTo, route } from '../../lib/router.ts'
import { withKept } from '../../lib/with-kept.ts'
import { noticeFailure } from '../parts/notices.tsx'
import { openAtDate } from './go-to-date.tsx'
import { finish, type SearchSuggestion, suggestionsFor, termsWith } from './suggestions.ts'

/** The terms and the text of a search, and what is suggested for them. */
export function createSearch(close: () => void) {
  const { terms, setTerms, text, write, suggestions, at, setAt } = createQuery()
  let input!: HTMLInputElement

  function take(one: SearchSuggestion) {
    if ('day' in one) {
      close()
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
    close()
    goTo({ view: 'narrow', terms: all })
  }

  function remove(term: Term) {
    setTerms((all) => all.filter((one) => one !== term))
    input.focus()
  }

  const choose = (one: SearchSuggestion) => (isWords(one) ? run() : take(one))
  const chosen = () => suggestions()[at()]
  const step = (by: number) => setAt((index) => Math.max(-1, Math.min(index + by, suggestions().length - 1)))
  const dropLast = () => setTerms((all) => all.slice(0, -1))
  const onKeyDown = keysOf({ chosen, step, take, run, text, dropLast })
  const start = () => {
    const one = chosen()
    if (one && 'day' in one) take(one)
    else run()
  }
  const setInput = (made: HTMLInputElement) => {
    input = made
  }
  return { terms, text, write, remove, suggestions, at, setAt, choose, start, onKeyDown, setInput }
}

/** The terms of the search, the suggestions, and the suggestion that the keys have chosen. */
function createQuery() {
  const here = route()
  const [terms, setTerms] = createSignal<Term[]>(here.view === 'narrow' ? here.terms : [])
  const [text, setText] = createSignal('')
  const [at, setAt] = createSignal(-1)
  const suggestions = createMemo<SearchSuggestion[]>(
    (before) => withKept(before, suggestionsFor(terms(), text())),
    [],
  )
  const write = (typed: string) => {
    const { finished, rest } = finish(terms(), typed)
    setTerms(finished)
    setText(rest)
    // While words are typed, Enter searches for them; while a term is, it takes the first that fits.
    setAt(rest.trim() ? 0 : -1)
  }
  return { terms, setTerms, text, write, suggestions, at, setAt }
}

type Keyed = {
  chosen(): SearchSuggestion | undefined
  step(by: number): void
  take(one: SearchSuggestion): void
  run(): void
  text(): string
  dropLast(): void
}

/** Returns the handler for keys in the field. */
function keysOf({ chosen, step, take, run, text, dropLast }: Keyed) {
  return (event: KeyboardEvent) => {
    if (event.isComposing) return
    const one = chosen()
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Backspace' && text() === '') dropLast()
    else if (event.key === 'Enter') {
      if (one && !isWords(one)) take(one)
      else run()
    } else if (event.key === 'Tab' && one && text()) take(one)
    else return
    event.preventDefault()
  }
}

/** Whether a suggestion is to search for the words as they are. */
function isWords(one: SearchSuggestion) {
  return 'terms' in one && one.terms.at(-1)?.operator === 'search'
}
