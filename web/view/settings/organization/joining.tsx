import { SettingsTable } from '../parts/settings-table.tsx'
import { Domains } from './domains.tsx'
import { joiningTable } from './tables/general.ts'

/** Edits who may join the organization. */
export function Joining() {
  return (
    <>
      <SettingsTable screen={joiningTable} />
      <Domains />
    </>
  )
}
