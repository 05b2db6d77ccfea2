import { addLinkifier } from './add-linkifier.ts'
import { getLinkifiers } from './get-linkifiers.ts'
import { previewLinkifier } from './preview-linkifier.ts'
import { realmFiltersEvent } from './realm_filters.event.ts'
import { realmLinkifiersEvent } from './realm_linkifiers.event.ts'
import { removeLinkifier } from './remove-linkifier.ts'
import { reorderLinkifiers } from './reorder-linkifiers.ts'
import { updateLinkifier } from './update-linkifier.ts'

export const endpoints = [
  addLinkifier,
  getLinkifiers,
  previewLinkifier,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
]

export const eventTypes = [realmLinkifiersEvent, realmFiltersEvent]

export { consequences } from './consequences.ts'
