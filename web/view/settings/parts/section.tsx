import { createUniqueId, type JSX, Show } from 'solid-js'

/** A part of a screen with a title. */
export function Section(props: {
  title?: string | undefined
  note?: string | undefined
  /** Buttons beside the title. */
  tools?: JSX.Element
  children: JSX.Element
}) {
  const id = createUniqueId()
  return (
    <section class="set-section" aria-labelledby={props.title && id}>
      <Show when={props.title}>
        <header>
          <h3 id={id}>{props.title}</h3>
          {props.tools}
        </header>
      </Show>
      <Show when={props.note}>
        <p class="set-note">{props.note}</p>
      </Show>
      {props.children}
    </section>
  )
}
