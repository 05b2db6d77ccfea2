import { createEffect } from 'solid-js'
import { currentState } from '../../store/server-state.ts'
import { hour12 } from '../../store/time-format.ts'
import { showContent } from './enrich.ts'

/** The rendered content of a message, or of anything else that the server renders. */
export function Content(props: { html: string; class?: string }) {
  let element: HTMLDivElement | undefined
  createEffect(() => {
    const html = props.html
    const hours = hour12()
    if (!element) return
    showContent(element, html, hours)
    const own = String(currentState().user_id)
    for (const mention of element.querySelectorAll<HTMLElement>('.user-mention')) {
      const { userId } = mention.dataset
      mention.classList.toggle('mentions-me', userId === own || userId === '*')
    }
  })
  return (
    <div
      ref={(made) => {
        element = made
      }}
      class={`content ${props.class ?? ''}`}
      dir="auto"
    />
  )
}
