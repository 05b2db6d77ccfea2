import { Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { ComposeText } from './compose-text.tsx'
import { onKeyInPreview, onKeyInText, onOtherKey } from './composer-keys.ts'
import { type ComposerProps, createComposer } from './create-composer.ts'
import { DraftNote } from './draft-note.tsx'
import { Uploads } from './files.tsx'
import { Preview } from './preview.tsx'
import { ComposeTools } from './tools.tsx'
import { Suggestions } from './typeahead.tsx'
import { Warnings } from './warnings.tsx'

/** The box in which a message to one conversation is written. */
export function Composer(props: ComposerProps) {
  const box = createComposer(props)
  return (
    <form
      class="composer"
      aria-label={box.label()}
      onSubmit={(event) => {
        event.preventDefault()
        box.send()
      }}
      onKeyDown={(event) => {
        if (event.target === box.area()) return
        if (box.isPreviewing()) onKeyInPreview(event, box)
        else if (event.target instanceof HTMLInputElement) onOtherKey(event, box, props)
      }}
    >
      <Show when={props.isReply}>
        <p class="compose-target">{t('compose.reply_to', { name: conversationName(props.conversation) })}</p>
      </Show>
      <DraftNote conversation={props.conversation} />
      <Warnings conversation={props.conversation} text={box.text()} mentions={box.mentions} />
      <Suggestions typeahead={box.typeahead} />
      <div class="compose-box" classList={{ refused: box.refusal() !== undefined }}>
        {props.head}
        <Show when={box.isPreviewing()}>
          <Preview text={box.text()} />
        </Show>
        <ComposeText box={box} onKeyDown={(event) => onKeyInText(event, box, props)} />
        <Uploads conversation={props.conversation} area={box.area} />
        <Show when={box.refusal()} fallback={<ComposeTools box={box} missing={props.missing} />}>
          {(reason) => <p class="compose-hint">{reason()}</p>}
        </Show>
        {props.tail}
      </div>
    </form>
  )
}
