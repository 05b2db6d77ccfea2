import { createResource, onMount, Show, Suspense } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { Content } from '../parts/content.tsx'
import { ErrorText } from '../parts/error-text.tsx'
import { lazyPart } from '../parts/lazy-part.tsx'

const WidgetPreview = lazyPart(() => import('../widgets/widget.tsx'), 'WidgetPreview')

/** The text as the server will show it. */
export function Preview(props: { text: string }) {
  /** A poll or a list of tasks, which the server keeps as it is written. */
  const isWidget = () => /^\/(poll|todo)(\s|$)/.test(props.text.trim())
  const [html] = createResource(
    () => !isWidget() && props.text.trim(),
    async (content) => {
      if (!content) return ''
      const { rendered } = await post<{ rendered: string }>('/messages/render', { content })
      return rendered
    },
  )
  let section!: HTMLElement
  onMount(() => {
    // The text is about to be hidden; without the focus, the key that leads back to it would do nothing.
    const focused = document.activeElement
    if (focused === document.body || focused instanceof HTMLTextAreaElement) section.focus()
  })
  return (
    <section ref={section} tabindex="-1" class="compose-preview" aria-label={t('compose.preview')}>
      <Show when={!html.error} fallback={<ErrorText error={t('compose.preview_failed')} />}>
        <Show when={props.text.trim()} fallback={<p class="compose-hint">{t('compose.preview_empty')}</p>}>
          <Show
            when={!isWidget()}
            fallback={
              <Suspense>
                <WidgetPreview text={props.text} />
              </Suspense>
            }
          >
            <Show when={html.latest}>{(shown) => <Content html={shown()} />}</Show>
          </Show>
        </Show>
      </Show>
    </section>
  )
}
