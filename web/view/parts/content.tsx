import { createEffect, createMemo } from 'solid-js'
import { currentState } from '../../store/server-state.ts'
import { showContent } from './enrich.ts'

/**
 * The rendered content of a message, or of anything else that the server renders. It stays as it is while only other parts of the message
 * change, such as its flags: what the user has opened, selected or is about to press is in it.
 */
export function Content(props: { html: string; class?: string }) {
  let element: HTMLDivElement | undefined
  const html = createMemo(() => props.html)
  createEffect(() => {
    if (!element) return
    showContent(element, html())
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
