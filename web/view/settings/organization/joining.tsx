import { SettingsTable } from '../parts/settings-table.tsx'
import { Domains } from './domains.tsx'
import { joiningTable } from './tables/general.ts'

/** Who may join the organization. */
export function Joining() {
  return (
    <>
      <SettingsTable screen={joiningTable} />
      <Domains />
    </>
  )
}
