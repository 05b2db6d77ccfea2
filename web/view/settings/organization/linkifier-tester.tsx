import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js'
import { post } from '../../../api/client.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { t } from '../../../lib/i18n.ts'
import { TextInput } from '../../parts/fields.tsx'

type Linkifier = { pattern: string; url_template: string }
type Link = { text: string; url: string }

/** How long the user has stopped typing when the server is asked, in milliseconds. */
const pause = 300

/** Shows what the linkifier makes of a text, as the server would. */
export function LinkifierTester(props: { linkifier: Linkifier }) {
  const [text, setText] = createSignal('')
  const { links, problem } = usePreview(() => props.linkifier, text)
  return (
    <div class="form-field">
      <TextInput
        label={t('linkifiers.try')}
        value={text()}
        set={setText}
        max={200}
        placeholder={t('linkifiers.try_example')}
      />
      <div role="status" aria-label={t('linkifiers.result')}>
        <Show when={problem()}>{(reason) => <p class="error-text">{reason()}</p>}</Show>
        <Show when={links()?.length === 0}>
          <p>{t('linkifiers.no_match')}</p>
        </Show>
        <For each={links()}>
          {(link) => (
            <p>
              <code class="set-sample">{link.text}</code> →{' '}
              <a href={link.url} target="_blank" rel="noopener noreferrer">
                {link.url}
              </a>
            </p>
          )}
        </For>
      </div>
    </div>
  )
}

/** The links that the server makes of a text, or what is wrong with the linkifier; neither until all is typed. */
function usePreview(linkifier: () => Linkifier, text: () => string) {
  const [links, setLinks] = createSignal<Link[]>()
  const [problem, setProblem] = createSignal<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const show = (found: Link[] | undefined, failure?: string) => {
    setLinks(found)
    setProblem(failure)
  }
  const ask = async () => {
    const own = ++last
    try {
      const params = { ...linkifier(), content: text() }
      const found = await post<{ links: Link[] }>('/rookery/linkifier_preview', params)
      if (own === last) show(found.links)
    } catch (failure) {
      if (own === last) show(undefined, errorMessage(failure))
    }
  }
  createEffect(
    on([text, () => linkifier().pattern, () => linkifier().url_template], ([typed, pattern, template]) => {
      clearTimeout(timer)
      if (typed && pattern && template) timer = setTimeout(() => void ask(), pause)
      else {
        // An answer under way would be to a text that is gone.
        last++
        show(undefined)
      }
    }),
  )
  onCleanup(() => clearTimeout(timer))
  return { links, problem }
}
