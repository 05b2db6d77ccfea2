import { createDrafts } from './create-drafts.ts'
import { deleteDraft } from './delete-draft.ts'
import { draftsEvent } from './drafts.event.ts'
import { getDrafts } from './get-drafts.ts'
import { updateDraft } from './update-draft.ts'

export const endpoints = [createDrafts, deleteDraft, getDrafts, updateDraft]

export const eventTypes = [draftsEvent]
