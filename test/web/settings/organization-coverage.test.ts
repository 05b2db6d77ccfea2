import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allEndpoints } from '../../../src/features/index.ts'
import { auditKinds } from '../../../src/log/audit/kinds.ts'
import { auditTopics, auditWords } from '../../../web/lib/audit.ts'
import {
  announcementsTable,
  joiningTable,
  messagesTable,
  profileTable,
  reportsTable,
} from '../../../web/view/settings/organization/tables/general.ts'
import { notOnScreens, ownControls } from '../../../web/view/settings/organization/tables/other-clients.ts'
import { permissionsTable } from '../../../web/view/settings/organization/tables/permissions.ts'
import { settingsOf } from '../../../web/view/settings/parts/declare.ts'
import { languageCodes } from '../../../web/view/settings/parts/languages.ts'

import { appearance } from '../../../web/view/settings/you/appearance.ts'
import { notifications } from '../../../web/view/settings/you/notifications.ts'
import { forOtherClients } from '../../../web/view/settings/you/other-clients.ts'
import { preferences } from '../../../web/view/settings/you/preferences.ts'
import { privacy } from '../../../web/view/settings/you/privacy.ts'

// Compares the controls of the organization's screens with the parameters of the operations.

const tables = [profileTable, permissionsTable, messagesTable, joiningTable, announcementsTable, reportsTable]
const shown = [...tables.flatMap(settingsOf).map(({ key }) => key), ...ownControls]

function paramsOf(route: string): string[] {
  const endpoint = allEndpoints.find(({ method, path }) => `${method} ${path}` === route)
  return Object.keys((endpoint as unknown as { params: object }).params)
}

test('every parameter of PATCH /realm is on one screen, or listed as one for other clients', () => {
  expect([...shown, ...Object.keys(notOnScreens)].sort()).toEqual(paramsOf('PATCH /realm').sort())
})

test('every default for new users is on one screen, or listed as one for other clients', () => {
  const personal = [appearance, preferences, notifications, privacy].flatMap(settingsOf).map(({ key }) => key)
  const known = new Set([...personal, ...forOtherClients])
  const params = paramsOf('PATCH /realm/user_settings_defaults')
  expect(params.filter((name) => !known.has(name))).toEqual([])
})

test('the documentation lists the parameters that no screen has', () => {
  const docs = readFileSync(new URL('../../../docs/web.md', import.meta.url), 'utf8')
  const missing = Object.entries(notOnScreens).filter(
    ([name, reason]) => !docs.includes(`| \`PATCH /realm\` | \`${name}\` | ${reason} |`),
  )
  expect(missing).toEqual([])
  expect(forOtherClients.filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
})

test('the audit log has words for every kind of entry', () => {
  const known = new Set(auditTopics.flatMap((topic) => auditWords.map((word) => `${topic}.${word}`)))
  expect(auditKinds.filter((kind) => !known.has(kind))).toEqual([])
  expect(auditTopics.filter((topic) => !auditKinds.some((kind) => kind.startsWith(`${topic}.`)))).toEqual([])
})

test('the languages are those that the server takes', () => {
  const params = (
    allEndpoints.find(({ method, path }) => `${method} ${path}` === 'PATCH /realm') as unknown as {
      params: Record<string, { documented: { enum?: string[] } }>
    }
  ).params
  expect([...languageCodes]).toEqual(params.default_language?.documented.enum)
})
