// The tables of settings. They are loaded together, since the search over all settings reads all of them.

export {
  announcementsTable,
  joiningTable,
  messagesTable,
  profileTable,
  reportsTable,
} from './organization/tables/general.ts'
export { permissionsTable } from './organization/tables/permissions.ts'
export { appearance } from './you/appearance.ts'
export { notifications } from './you/notifications.ts'
export { preferences } from './you/preferences.ts'
export { privacy } from './you/privacy.ts'
