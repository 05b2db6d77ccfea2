import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { userSettings } from '../../kernel/users/settings.ts'
import type { SentSettings } from '../../organization/kernel/users/setting-params.ts'
import { changeSettings } from '../../people/kernel/users/change-settings.ts'

type Setting = { settings: SentSettings; is: string; back: string }

const dark: Setting = { settings: { color_scheme: 2 }, is: 'The theme is dark', back: 'light' }
const light: Setting = { settings: { color_scheme: 3 }, is: 'The theme is light', back: 'dark' }
const fluid: Setting = {
  settings: { fluid_layout_width: true },
  is: 'The layout is wide',
  back: 'fixed-width',
}
const fixed: Setting = {
  settings: { fluid_layout_width: false },
  is: 'The layout has a fixed width',
  back: 'fluid-width',
}

const commands: Record<string, Setting> = {
  dark,
  night: dark,
  light,
  day: light,
  'fluid-width': fluid,
  'fixed-width': fixed,
}

export const zcommand = command('POST /zcommand', {
  summary: 'Run a slash command',
  access: requireUser,
  params: {
    command: text().documentedAs({ enum: ['/ping', ...Object.keys(commands).map((name) => `/${name}`)] }),
  },
  returns: { msg: z.string() },
  async handle({ me, site, params, commit }) {
    if (!params.command.startsWith('/')) throw badRequest('There should be a leading slash in the zcommand.')
    const name = params.command.slice(1)
    if (name === 'ping') return { msg: '' }
    const setting = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!setting) throw badRequest(`No such command: ${name}`)
    // Another node may have changed them just now, which the change alone knows.
    const isNew = await commit(async (change) => {
      const current: Record<string, unknown> = userSettings(change.state.users.require(me.id))
      const differs = Object.entries(setting.settings).some(([key, value]) => current[key] !== value)
      if (differs) await changeSettings(change, site, me.id, setting.settings)
      return differs
    })
    if (!isNew) return { msg: `${setting.is} already.` }
    return { msg: `${setting.is} now. To go back, type \`/${setting.back}\`.` }
  },
})
