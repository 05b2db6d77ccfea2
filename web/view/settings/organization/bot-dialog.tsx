import './organization.css'
import { Show } from 'solid-js'
import { patch, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { users } from '../../../store/people.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog-panel.tsx'
import { Principals } from '../parts/principals.tsx'
import { SettingFrame, useSetting } from '../parts/setting.tsx'
import { NameSetting, RoleSetting } from './account-settings.tsx'

/** Edits a bot. Each setting is saved by itself. */
export function BotDialog(props: { botId: number; close(): void }) {
  const bot = () => users().get(props.botId)
  const path = () => `/bots/${props.botId}`
  const askToDeactivate = () => {
    props.close()
    askFirst({
      title: t('org_bots.deactivate'),
      text: t('org_bots.deactivate_question', { name: bot()?.full_name ?? '' }),
      action: t('org_bots.deactivate'),
      run: () => remove(path()),
    })
  }
  return (
    <Dialog title={bot()?.full_name ?? ''} close={props.close}>
      <div class="settings set-form">
        <NameSetting userId={props.botId} path={path()} />
        <Owner botId={props.botId} path={path()} />
        <Show when={field('is_admin')}>
          <RoleSetting userId={props.botId} path={path()} note={() => t('org_bots.role_note')} />
        </Show>
        <div class="panel-actions">
          <ActionButton isDangerous run={askToDeactivate}>
            {t('org_bots.deactivate')}
          </ActionButton>
        </div>
      </div>
    </Dialog>
  )
}

/** The user who keeps the bot. The one who is chosen last takes the place of the one before. */
function Owner(props: { botId: number; path: string }) {
  const setting = useSetting<number | null>(
    () => users().get(props.botId)?.bot_owner_id ?? null,
    (value) => patch(props.path, { bot_owner_id: value }),
  )
  const chosen = () => (setting.value() === null ? [] : [setting.value() as number])
  return (
    <SettingFrame setting={setting} id="bot-owner" isIncomplete={setting.value() === null}>
      <span class="setting-name" aria-hidden="true">
        {t('org_bots.owner')}
      </span>
      <Principals
        label={t('org_bots.owner')}
        chosen={{ direct_members: chosen(), direct_subgroups: [] }}
        change={({ direct_members: ids }) => setting.set(ids.find((id) => id !== setting.value()) ?? null)}
        takes={(option) => 'userId' in option && !users().get(option.userId)?.is_bot}
        describedBy="bot-owner"
      />
    </SettingFrame>
  )
}
