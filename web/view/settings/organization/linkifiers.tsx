import { createSignal } from 'solid-js'
import { patch, postOnce, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { field } from '../../../store/server-state.ts'
import { TextInput } from '../../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { EditButton, ListSection, ListText, RemoveButton } from '../parts/list.tsx'
import { OrderButtons } from '../parts/order-buttons.tsx'
import { LinkifierTester } from './linkifier-tester.tsx'
import { unlessAdministrator } from './refusals.ts'

type Linkifier = { id: number; pattern: string; url_template: string }

const linkifiers = byId(() => field('realm_linkifiers'))
const ids = () => [...linkifiers().keys()]

/** Patterns in messages and topics that become links, in the order in which they are tried. */
export function Linkifiers() {
  return (
    <ListSection
      note={t('linkifiers.note')}
      label={t('org_section.linkifiers')}
      things={linkifiers()}
      empty={t('linkifiers.none')}
      add={{
        text: t('linkifiers.new'),
        reason: unlessAdministrator(),
        dialog: (close) => <LinkifierDialog close={close} />,
      }}
    >
      {(linkifier) => <Row linkifier={linkifier()} />}
    </ListSection>
  )
}

function Row(props: { linkifier: Linkifier }) {
  const name = () => props.linkifier.pattern
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
          move={(order) => patch('/realm/linkifiers', { ordered_linkifier_ids: order })}
        />
        <EditButton
          name={name()}
          reason={unlessAdministrator()}
          dialog={(close) => <LinkifierDialog linkifier={props.linkifier} close={close} />}
        />
        <RemoveButton
          name={name()}
          reason={unlessAdministrator()}
          question={{
            title: t('linkifiers.remove'),
            text: t('linkifiers.remove_question', { name: name() }),
          }}
          remove={() => remove(`/realm/filters/${props.linkifier.id}`)}
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
      submit={t(props.linkifier ? 'message.save' : 'org.add')}
      isIncomplete={!values().pattern || !values().url_template}
      send={() =>
        props.linkifier
          ? patch(`/realm/filters/${props.linkifier.id}`, values())
          : postOnce('/realm/filters', values())
      }
      close={props.close}
    >
      <TextInput
        label={t('linkifiers.pattern')}
        value={pattern()}
        set={setPattern}
        max={1000}
        placeholder="#(?P<id>[0-9]+)"
        isCode
        isFirst
      />
      <TextInput
        label={t('linkifiers.template')}
        value={template()}
        set={setTemplate}
        placeholder="https://example.com/issues/{id}"
        isCode
      />
      <LinkifierTester linkifier={values()} />
    </FormDialog>
  )
}
