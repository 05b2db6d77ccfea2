import { leavesState } from '../../../../queues/client-state.ts'
import type { EventType } from '../../../../queues/event-type.ts'
import { type AttachmentView, attachmentView, type LinkedAttachment } from './uploads.ts'

type AttachmentEvent = { type: 'attachment'; upload_space_used: number } & (
  | { op: 'add' | 'update'; attachment: AttachmentView }
  | { op: 'remove'; attachment: { id: number } }
)

export function attachmentAdded(row: LinkedAttachment, upload_space_used: number): AttachmentEvent {
  return { type: 'attachment', op: 'add', attachment: attachmentView(row), upload_space_used }
}

export function attachmentUpdated(row: LinkedAttachment, upload_space_used: number): AttachmentEvent {
  return { type: 'attachment', op: 'update', attachment: attachmentView(row), upload_space_used }
}

export function attachmentRemoved(id: number, upload_space_used: number): AttachmentEvent {
  return { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    attachment: AttachmentEvent
  }
}

export const attachmentEvent = {
  type: 'attachment',
  // POST /register returns no uploads. Clients fetch them from GET /attachments when they show them.
  apply: leavesState,
} satisfies EventType<AttachmentEvent>
