import type { Box } from './create-composer.ts'
import { paste } from './paste.ts'

/** The text of a box, with the list of suggestions that belongs to it. */
export function ComposeText(props: { box: Box; onKeyDown(event: KeyboardEvent): void }) {
  const { box } = props
  const hasList = () => box.typeahead.items().length > 0
  return (
    <div class="compose-text">
      <textarea
        ref={box.setArea}
        rows="1"
        dir="auto"
        hidden={box.isPreviewing()}
        // Not disabled: the focus would go, and the next keys would be shortcuts. The user can still copy the text.
        readonly={box.refusal() !== undefined}
        data-conversation={box.key()}
        value={box.text()}
        placeholder={box.refusal() ?? box.placeholder()}
        aria-label={box.label()}
        aria-autocomplete="list"
        aria-controls={hasList() ? box.typeahead.listId : undefined}
        aria-activedescendant={hasList() ? `${box.typeahead.listId}-${box.typeahead.active()}` : undefined}
        onInput={box.onInput}
        onClick={() => box.typeahead.update()}
        onBlur={() => box.typeahead.hide()}
        onKeyDown={(event) => props.onKeyDown(event)}
        onPaste={(event) => paste(event, box.area(), box.attachFiles)}
      />
      {/* Browsers cut the placeholder of a text area off without a sign. */}
      <span class="compose-placeholder" aria-hidden="true">
        {box.placeholder()}
      </span>
    </div>
  )
}
