import { createSignal, createUniqueId, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import { SelectField } from '../parts/fields.tsx'
import { SettingFrame, useSetting } from '../settings/parts/setting.tsx'
import type { SettingProps } from './general.tsx'

/** In days. */
const longestRetention = 10_000

type Kind = 'default' | 'forever' | 'days'

/** How long messages are kept: as in the organization, for ever, or for a number of days. */
export function RetentionSetting(props: Omit<SettingProps, 'reason'>) {
  const id = createUniqueId()
  const setting = useSetting<number | null>(
    () => props.channel.message_retention_days,
    (value) =>
      props.send({
        message_retention_days: value ?? 'realm_default',
        ...(value === -1 && { message_retention_days: 'unlimited' }),
      }),
  )
  const [days, setDays] = createSignal(30)
  const reason = () => (field('is_admin') ? undefined : t('channel.only_organization_administrators'))
  const kind = (): Kind => {
    const value = setting.value()
    return value === null ? 'default' : value < 0 ? 'forever' : 'days'
  }
  const choose = (chosen: Kind) =>
    setting.set(chosen === 'default' ? null : chosen === 'forever' ? -1 : days())
  const count = (wanted: number) => {
    setDays(Math.max(1, wanted))
    setting.set(wanted)
  }
  return (
    <SettingFrame setting={setting} reason={reason()} id={id} isIncomplete={setting.value() === 0}>
      <SelectField
        label={t('channel.retention')}
        value={kind()}
        options={[
          ['default', t('retention.default', { count: Math.max(0, field('realm_message_retention_days')) })],
          ['forever', t('retention.forever')],
          ['days', t('retention.limited')],
        ]}
        choose={choose}
        isDisabled={reason() !== undefined}
        describedBy={id}
      />
      <Show when={kind() === 'days'}>
        <Days value={setting.value() ?? days()} set={count} isDisabled={reason() !== undefined} />
      </Show>
    </SettingFrame>
  )
}

function Days(props: { value: number; set(days: number): void; isDisabled: boolean }) {
  const type = (typed: number) => props.set(Math.min(longestRetention, Math.max(0, Math.floor(typed || 0))))
  return (
    <label>
      {t('retention.days')}
      <input
        class="field"
        type="number"
        min="1"
        max={longestRetention}
        disabled={props.isDisabled}
        value={props.value}
        onInput={(event) => type(event.currentTarget.valueAsNumber)}
      />
    </label>
  )
}
