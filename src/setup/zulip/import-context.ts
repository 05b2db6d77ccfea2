import type { FileStore } from '../../adapters/files/file-store.ts'
import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipGroups } from './zulip-groups.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipPlaces } from './zulip-places.ts'
import type { ZulipSubscriptions } from './zulip-subscriptions.ts'
import type { ZulipUploads } from './zulip-uploads.ts'

/** The new organization, the export, and what an import has made so far. Each part of the import picks what it needs. */
export type ImportContext = {
  change: Change
  source: ZulipExport
  store: FileStore
  /** The address of the organization. */
  url: string
  site: Site
  /** Receives a line now and then: there may be messages for hours. */
  report: (line: string) => void
  people: ZulipPeople
  owner: AccountRow
  groups: ZulipGroups
  places: ZulipPlaces
  subscriptions: ZulipSubscriptions
  uploads: ZulipUploads
}
