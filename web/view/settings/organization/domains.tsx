import { createSignal } from 'solid-js'
import { patch, post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListButton, ListText } from '../parts/list.tsx'
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
        <button
          type="button"
          class="button"
          disabled={unlessOwner() !== undefined}
          title={unlessOwner()}
          onClick={() => openDialog((close) => <NewDomain close={close} />)}
        >
          {t('domains.add')}
        </button>
      }
    >
      <List label={t('domains.title')} items={names()} empty={t('domains.none')}>
        {(name) => (
          <>
            <ListText title={name} />
            <div class="set-list-tools">
              <label class="choice">
                <input
                  type="checkbox"
                  checked={domain(name)?.allow_subdomains ?? false}
                  disabled={unlessOwner() !== undefined}
                  title={unlessOwner()}
                  onChange={({ currentTarget }) =>
                    patch(path(name), { allow_subdomains: currentTarget.checked }).catch((error) => {
                      currentTarget.checked = !currentTarget.checked
                      noticeFailure(error)
                    })
                  }
                />{' '}
                {t('domains.subdomains')}
              </label>
              <ListButton
                icon="trash"
                label={t('org.remove', { name })}
                reason={unlessOwner()}
                run={() => void remove(path(name)).catch(noticeFailure)}
              />
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
      action={t('org.add')}
      isIncomplete={domain().trim() === ''}
      send={() => post('/realm/domains', { domain: domain().trim(), allow_subdomains: subdomains() })}
      close={props.close}
    >
      <label>
        {t('domains.domain')}
        <input
          class="field"
          autofocus
          placeholder="example.com"
          maxlength="255"
          value={domain()}
          onInput={(event) => setDomain(event.currentTarget.value)}
        />
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={subdomains()}
          onChange={(event) => setSubdomains(event.currentTarget.checked)}
        />
        {t('domains.subdomains')}
      </label>
    </FormDialog>
  )
}
