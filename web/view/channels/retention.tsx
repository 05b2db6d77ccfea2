import { createSignal, createUniqueId, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import { SettingFrame, useSetting } from '../settings/parts/setting.tsx'
import type { SettingProps } from './general.tsx'

const longestRetention = 10_000

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
  const kind = () => {
    const value = setting.value()
    return value === null ? 'default' : value < 0 ? 'forever' : 'days'
  }
  const choose = (chosen: string) =>
    setting.set(chosen === 'default' ? null : chosen === 'forever' ? -1 : days())
  return (
    <SettingFrame
      setting={setting}
      reason={reason()}
      id={id}
      isIncomplete={!(Number(setting.value() ?? 1) !== 0)}
    >
      <label>
        {t('channel.retention')}
        <select
          class="field"
          disabled={reason() !== undefined}
          aria-describedby={id}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="default" selected={kind() === 'default'}>
            {t('retention.default', { count: Math.max(0, field('realm_message_retention_days')) })}
          </option>
          <option value="forever" selected={kind() === 'forever'}>
            {t('retention.forever')}
          </option>
          <option value="days" selected={kind() === 'days'}>
            {t('retention.limited')}
          </option>
        </select>
      </label>
      <Show when={kind() === 'days'}>
        <label>
          {t('retention.days')}
          <input
            class="field"
            type="number"
            min="1"
            max={longestRetention}
            disabled={reason() !== undefined}
            value={setting.value() ?? days()}
            onInput={(event) => {
              const count = Math.min(
                longestRetention,
                Math.max(0, Math.floor(event.currentTarget.valueAsNumber || 0)),
              )
              setDays(Math.max(1, count))
              setting.set(count)
            }}
          />
        </label>
      </Show>
    </SettingFrame>
  )
}
