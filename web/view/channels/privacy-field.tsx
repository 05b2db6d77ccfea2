import { createUniqueId, For, Show } from 'solid-js'
import { type TextKey, t } from '../../lib/i18n.ts'
import { hasWebPublic, mayCreate, type Privacy, privacies } from '../../store/channel-rights.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

const icons: Record<Privacy, IconName> = {
  public: 'hash',
  shared: 'lock',
  protected: 'lock',
  web_public: 'globe',
}

const notes: Record<Privacy, TextKey> = {
  public: 'privacy.public_note',
  shared: 'privacy.shared_note',
  protected: 'privacy.protected_note',
  web_public: 'privacy.web_public_note',
}

/** Why the user may not make a channel so; undefined if they may. */
export function privacyRefusal(privacy: Privacy): string | undefined {
  return mayCreate(privacy) ? undefined : t('channel.may_not_create')
}

/** Chooses who may read a channel. */
export function PrivacyField(props: {
  value: Privacy
  change(privacy: Privacy): void
  /** Why one of them cannot be chosen. */
  refusal(privacy: Privacy): string | undefined
  describedBy?: string
}) {
  const name = createUniqueId()
  const offered = () =>
    privacies.filter((one) => one !== 'web_public' || hasWebPublic() || props.value === 'web_public')
  return (
    <fieldset class="choices" aria-describedby={props.describedBy}>
      <legend>{t('channel.privacy')}</legend>
      <For each={offered()}>
        {(one) => (
          <label class="choice-card">
            <input
              type="radio"
              name={name}
              checked={props.value === one}
              disabled={props.value !== one && props.refusal(one) !== undefined}
              onChange={() => props.change(one)}
            />
            <Icon name={icons[one]} />
            <span>
              <strong>{t(`privacy.${one}`)}</strong>
              <span class="inbox-note">{t(notes[one])}</span>
              <Show when={props.value !== one && props.refusal(one)}>
                {(reason) => <span class="inbox-note refusal">{reason()}</span>}
              </Show>
            </span>
          </label>
        )}
      </For>
    </fieldset>
  )
}
