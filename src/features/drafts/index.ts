import { createDrafts } from './create-drafts.ts'
import { deleteDraft } from './delete-draft.ts'
import { draftsEvent } from './drafts.event.ts'
import { getDrafts } from './get-drafts.ts'
import { updateDraft } from './update-draft.ts'

/** The operations of this capability. */
export const endpoints = [createDrafts, deleteDraft, getDrafts, updateDraft]

/** Its types of events. */
export const eventTypes = [draftsEvent]
