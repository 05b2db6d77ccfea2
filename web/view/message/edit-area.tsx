import { createEffect, onCleanup, onMount } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { conversationOfMessage, type Message } from '../../store/messages.ts'
import { uploadsTo } from '../../store/uploads.ts'
import { isReplacing } from '../compose/area.ts'
import { onKeyInArea } from '../compose/composer-keys.ts'
import { attach, Uploads, useDrops } from '../compose/files.tsx'
import { paste } from '../compose/paste.ts'
import { createTypeahead, Suggestions } from '../compose/typeahead.tsx'
import { isElsewhere } from '../parts/focus.ts'

/** The place of the files in the text of a message. It is no conversation, whose files stand in its draft. */
const placeOf = (id: number): Conversation => ({ channelId: -id, topic: '' })

export const keyOfEdit = (id: number) => conversationKey(placeOf(id))

type Props = {
  message: Message
  value(): string
  write(text: string): void
  save(): void
  close(): void
}

/** The text of a message while it is changed. It is written like a new one: with suggestions, formats and files. */
export function EditArea(props: Props) {
  let element!: HTMLTextAreaElement
  const area = () => element
  const place = placeOf(props.message.id)
  const key = conversationKey(place)
  const typeahead = createTypeahead({ area, conversation: () => conversationOfMessage(props.message) })
  const box = { area, typeahead, send: () => props.save() }
  const hasList = () => typeahead.items().length > 0
  const attachFiles = (files: Iterable<File>) => attach(files, place, element)
  focusLater(area)
  useDrops(attachFiles, () => element.closest<HTMLElement>('.edit-box'))
  onCleanup(() => {
    for (const one of uploadsTo(key)) one.cancel()
  })
  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing || event.keyCode === 229 || onKeyInArea(event, box)) return
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    props.close()
  }
  return (
    <>
      <Suggestions typeahead={typeahead} fit={(list, changes) => fitBeside(list, area, changes)} />
      <textarea
        ref={element}
        class="field"
        dir="auto"
        rows={Math.min(12, props.value().split('\n').length + 1)}
        data-conversation={key}
        aria-label={t('message.edit')}
        aria-autocomplete="list"
        aria-controls={hasList() ? typeahead.listId : undefined}
        aria-activedescendant={hasList() ? `${typeahead.listId}-${typeahead.active()}` : undefined}
        value={props.value()}
        onInput={(event) => {
          props.write(event.currentTarget.value)
          if (!isReplacing) typeahead.update()
        }}
        onClick={() => typeahead.update()}
        onBlur={() => typeahead.hide()}
        onKeyDown={onKeyDown}
        onPaste={(event) => paste(event, element, attachFiles)}
      />
      <Uploads conversation={place} area={area} />
    </>
  )
}

function focusLater(area: () => HTMLTextAreaElement) {
  onMount(() => {
    // The box is in the page from the next frame on.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === area() || isElsewhere(area())) return
      area().focus({ preventScroll: true })
      area().setSelectionRange(area().value.length, area().value.length)
      area().scrollIntoView({ block: 'nearest' })
    })
    onCleanup(() => cancelAnimationFrame(frame))
  })
}

/**
 * Keeps a list above a text, or below it where there is more room. It is in the top layer, since a row of the list of
 * messages clips what reaches beyond it.
 */
function fitBeside(list: HTMLElement, area: () => HTMLTextAreaElement, changes: () => unknown) {
  function put() {
    const { top, bottom, left, width } = area().getBoundingClientRect()
    const { height, offsetTop } = visualViewport ?? { height: innerHeight, offsetTop: 0 }
    const [above, below] = [top - offsetTop, offsetTop + height - bottom]
    list.style.inset =
      above > below ? `auto auto ${innerHeight - top}px ${left}px` : `${bottom}px auto auto ${left}px`
    list.style.width = `${width}px`
    list.style.maxHeight = `${Math.max(above, below) - 8}px`
  }
  list.popover = 'manual'
  createEffect(() => {
    changes()
    if (!list.matches(':popover-open')) list.showPopover()
    put()
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const events = ['scroll', 'resize'] as const
  for (const event of events) addEventListener(event, put, true)
  onCleanup(() => {
    for (const event of events) removeEventListener(event, put, true)
  })
}
