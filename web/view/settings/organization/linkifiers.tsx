import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js'
import { patch, post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { field } from '../../../store/server-state.ts'
import { confirm, openDialog } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListButton, ListText, OrderButtons } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { unlessAdministrator } from './refusals.ts'

type Linkifier = { id: number; pattern: string; url_template: string }

const linkifiers = byId(() => field('realm_linkifiers'))
const ids = () => [...linkifiers().keys()]

/** Patterns in messages and topics that become links, in the order in which they are tried. */
export function Linkifiers() {
  return (
    <Section note={t('linkifiers.note')}>
      <div class="set-bar">
        <button
          type="button"
          class="button"
          disabled={unlessAdministrator() !== undefined}
          title={unlessAdministrator()}
          onClick={() => openDialog((close) => <LinkifierDialog close={close} />)}
        >
          {t('linkifiers.new')}
        </button>
      </div>
      <List label={t('org_section.linkifiers')} items={ids()} empty={t('linkifiers.none')}>
        {(id) => <Show when={linkifiers().get(id)}>{(one) => <Row linkifier={one()} />}</Show>}
      </List>
    </Section>
  )
}

function Row(props: { linkifier: Linkifier }) {
  const name = () => props.linkifier.pattern
  const askToRemove = () =>
    confirm(
      {
        title: t('linkifiers.remove'),
        text: t('linkifiers.remove_question', { name: name() }),
        action: t('org.remove_it'),
      },
      () => void remove(`/realm/filters/${props.linkifier.id}`).catch(noticeFailure),
    )
  return (
    <>
      <ListText title={<code dir="ltr">{name()}</code>}>
        <span dir="ltr">{props.linkifier.url_template}</span>
      </ListText>
      <div class="set-list-tools">
        <OrderButtons
          name={name()}
          id={props.linkifier.id}
          ids={ids()}
          reason={unlessAdministrator()}
          move={(order) =>
            void patch('/realm/linkifiers', { ordered_linkifier_ids: order }).catch(noticeFailure)
          }
        />
        <ListButton
          icon="edit"
          label={t('org.edit', { name: name() })}
          reason={unlessAdministrator()}
          run={() => openDialog((close) => <LinkifierDialog linkifier={props.linkifier} close={close} />)}
        />
        <ListButton
          icon="trash"
          label={t('org.remove', { name: name() })}
          reason={unlessAdministrator()}
          run={askToRemove}
        />
      </div>
    </>
  )
}

function LinkifierDialog(props: { linkifier?: Linkifier; close(): void }) {
  const [pattern, setPattern] = createSignal(props.linkifier?.pattern ?? '')
  const [template, setTemplate] = createSignal(props.linkifier?.url_template ?? '')
  const values = () => ({ pattern: pattern().trim(), url_template: template().trim() })
  return (
    <FormDialog
      title={t(props.linkifier ? 'linkifiers.edit' : 'linkifiers.new')}
      action={t(props.linkifier ? 'message.save' : 'org.add')}
      isIncomplete={!values().pattern || !values().url_template}
      send={() =>
        props.linkifier
          ? patch(`/realm/filters/${props.linkifier.id}`, values())
          : post('/realm/filters', values())
      }
      close={props.close}
    >
      <label>
        {t('linkifiers.pattern')}
        <input
          class="field"
          dir="ltr"
          autofocus
          spellcheck={false}
          maxlength="1000"
          placeholder="#(?P<id>[0-9]+)"
          value={pattern()}
          onInput={(event) => setPattern(event.currentTarget.value)}
        />
      </label>
      <label>
        {t('linkifiers.template')}
        <input
          class="field"
          dir="ltr"
          spellcheck={false}
          placeholder="https://example.com/issues/{id}"
          value={template()}
          onInput={(event) => setTemplate(event.currentTarget.value)}
        />
      </label>
      <Tester linkifier={values()} />
    </FormDialog>
  )
}

type Link = { text: string; url: string }

/** How long the user has stopped typing when the server is asked, in milliseconds. */
const pause = 300

/** Shows what the linkifier makes of a text, as the server would. */
function Tester(props: { linkifier: { pattern: string; url_template: string } }) {
  const [text, setText] = createSignal('')
  const [links, setLinks] = createSignal<Link[]>()
  const [problem, setProblem] = createSignal<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const ask = async () => {
    const own = ++last
    const found = await post<{ links: Link[] }>('/rookery/linkifier_preview', {
      ...props.linkifier,
      content: text(),
    }).catch((error: Error) => error.message)
    if (own !== last) return
    setProblem(typeof found === 'string' ? found : undefined)
    setLinks(typeof found === 'string' ? undefined : found.links)
  }
  createEffect(
    on(
      [text, () => props.linkifier.pattern, () => props.linkifier.url_template],
      ([typed, pattern, template]) => {
        clearTimeout(timer)
        if (typed && pattern && template) timer = setTimeout(() => void ask(), pause)
        else {
          // An answer under way would be to a text that is gone.
          last++
          setLinks(undefined)
          setProblem(undefined)
        }
      },
    ),
  )
  onCleanup(() => clearTimeout(timer))
  return (
    <div class="form-field">
      <label>
        {t('linkifiers.try')}
        <input
          class="field"
          dir="auto"
          maxlength="200"
          placeholder={t('linkifiers.try_example')}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
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
