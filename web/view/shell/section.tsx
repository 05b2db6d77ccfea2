import { createSignal, type JSX, Show } from 'solid-js'
import { storedJson } from '../../lib/stored-json.ts'
import { Icon } from '../parts/icon.tsx'

const storageKey = 'rookery.closed-sections'

/** A part of the rail that the user can close; the browser remembers which are closed. */
export function Section(props: { title: string; name: string; children: JSX.Element }) {
  const [isOpen, setOpen] = createSignal(!closedSections().includes(props.name))
  const toggle = () => {
    const others = closedSections().filter((name) => name !== props.name)
    localStorage.setItem(storageKey, JSON.stringify(isOpen() ? [...others, props.name] : others))
    setOpen((open) => !open)
  }
  return (
    <section>
      <h2 class="rail-title">
        <button type="button" aria-expanded={isOpen()} onClick={toggle}>
          <Icon name={isOpen() ? 'down' : 'right'} />
          {props.title}
        </button>
      </h2>
      <Show when={isOpen()}>
        <ul>{props.children}</ul>
      </Show>
    </section>
  )
}

function closedSections(): string[] {
  return storedJson(localStorage, storageKey, [])
}
