import { createSignal } from 'solid-js'
import { patch, postOnce, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { openDialog } from '../../parts/dialog.tsx'
import { CheckBox, TextInput } from '../../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListCheck, ListText, RemoveButton } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { unlessOwner } from './refusals.ts'

/** The domains of the email addresses with which people may join. */
export function Domains() {
  const names = () => (field('realm_domains') ?? []).map(({ domain }) => domain)
  const domain = (name: string) => field('realm_domains').find((one) => one.domain === name)
  const path = (name: string) => `/realm/domains/${encodeURIComponent(name)}`
  return (
    <Section
      title={t('domains.title')}
      note={t(field('realm_emails_restricted_to_domains') ? 'domains.in_force' : 'domains.not_in_force')}
      tools={
        <ActionButton reason={unlessOwner()} run={() => openDialog((close) => <NewDomain close={close} />)}>
          {t('domains.add')}
        </ActionButton>
      }
    >
      <List label={t('domains.title')} items={names()} empty={t('domains.none')}>
        {(name) => (
          <>
            <ListText title={name} />
            <div class="set-list-tools">
              <ListCheck
                label={t('domains.subdomains')}
                isOn={domain(name)?.allow_subdomains ?? false}
                reason={unlessOwner()}
                save={(isOn) => patch(path(name), { allow_subdomains: isOn })}
              />
              <RemoveButton name={name} reason={unlessOwner()} remove={() => remove(path(name))} />
            </div>
          </>
        )}
      </List>
    </Section>
  )
}

function NewDomain(props: { close(): void }) {
  const [domain, setDomain] = createSignal('')
  const [subdomains, setSubdomains] = createSignal(false)
  return (
    <FormDialog
      title={t('domains.add')}
      submit={t('org.add')}
      isIncomplete={domain().trim() === ''}
      send={() => postOnce('/realm/domains', { domain: domain().trim(), allow_subdomains: subdomains() })}
      close={props.close}
    >
      <TextInput
        label={t('domains.domain')}
        value={domain()}
        set={setDomain}
        max={255}
        placeholder="example.com"
        isCode
        isFirst
      />
      <CheckBox label={t('domains.subdomains')} isOn={subdomains()} set={setSubdomains} />
    </FormDialog>
  )
}
