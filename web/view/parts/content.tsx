import { createEffect } from 'solid-js'
import { currentState, field } from '../../store/server-state.ts'
import { showContent } from './enrich.ts'

/** The rendered content of a message, or of anything else that the server renders. */
export function Content(props: { html: string; class?: string }) {
  let element: HTMLDivElement | undefined
  createEffect(() => {
    const html = props.html
    const hours24 = field('user_settings')?.twenty_four_hour_time ?? null
    if (!element) return
    showContent(element, html, hours24 === null ? null : !hours24)
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
