import { sql } from 'kysely'
import type { FileStore } from '../../adapters/files/file-store.ts'
import type { AttachmentRow } from '../../db/schema.ts'
import { removalJob } from '../../features/messages/kernel/uploads/job-kinds.ts'
import { claimLimits } from '../../features/messages/kernel/uploads/limits.ts'
import { pictureOf } from '../../features/messages/kernel/uploads/thumbnails.ts'
import { newPath } from '../../features/messages/uploads/paths.ts'
import { scheduleJobs } from '../../jobs/job.ts'
import { decodePath } from '../../lib/text/decode-path.ts'
import type { Change } from '../../log/change.ts'
import { addUpload } from '../add-upload.ts'
import type { ZulipExport } from './zulip-export.ts'
import type { ZulipPeople } from './zulip-people.ts'
import type { ZulipAttachment } from './zulip-tables.ts'

type Addresses = { url: string; from?: URL | undefined }

/** The uploads of an imported organization, and the links in its messages. */
export class ZulipUploads {
  private readonly change: Change
  private readonly source: ZulipExport
  private readonly people: ZulipPeople
  private readonly url: string
  private readonly formerAddress: RegExp | undefined
  /** By their paths in the export: what follows /user_uploads/ in a link. */
  private readonly paths = new Map<string, string>()
  private readonly byPath = new Map<string, AttachmentRow>()
  private readonly places = new Set<string>()
  /** The uploads of which the export lists the messages, and those of each message. */
  private readonly listed = new Set<number>()
  private readonly byMessage = new Map<number, number[]>()

  /** `url`: the address of the organization. `from`: the one that it has at Zulip, if it is known. */
  constructor(change: Change, source: ZulipExport, people: ZulipPeople, { url, from }: Addresses) {
    this.change = change
    this.url = url
    this.formerAddress = from === undefined ? undefined : addressForm(from)
    this.source = source
    this.people = people
  }

  get count(): number {
    return this.byPath.size
  }

  /** Makes uploads of the files that the export has. */
  async addAll(store: FileStore) {
    const { leftOut } = this.source
    const records = await this.source.records('uploads')
    const files = new Map(records.map(({ path, s3_path }) => [s3_path || path, path]))
    for (const attachment of await this.source.attachments()) {
      const { path_id, owner } = attachment
      const user = this.people.get(owner)
      const content = await this.source.openFile('uploads', files.get(path_id) ?? path_id)
      if (!user || this.paths.has(path_id)) {
        leftOut.add(user ? 'repeated' : 'lostReferences')
        content?.destroy()
      } else if (content) await this.add(attachment, user.id, await store.receive(content))
      else leftOut.add('missingFiles')
    }
  }

  /** Returns a text whose links lead here: to our uploads in place of those in the export, and from the former address to ours. */
  relinked(text: string): string {
    const linked = text.includes('/user_uploads/') ? this.withUploads(text) : text
    return this.formerAddress ? linked.replaceAll(this.formerAddress, `${this.url}/`) : linked
  }

  /** The host of a link does not count: the paths of uploads are random. */
  private withUploads(text: string): string {
    return text.replaceAll(uploadLink, (link, host: string | undefined, path: string) => {
      const [end = ''] = /[?#].*$|[.,;:!]+$/.exec(path) ?? []
      const known =
        this.paths.get(path) ?? this.paths.get(decodePath(path.slice(0, path.length - end.length)))
      return known === undefined ? link : `${host ? this.url : ''}/user_uploads/${known}${end}`
    })
  }

  picture(path: string) {
    const upload = this.byPath.get(path)
    return upload && pictureOf(upload)
  }

  /**
   * Returns the ids of the uploads that the readers of a message may see. A link gives access only if its writer had it, which the
   * export says. `paths`: those in its links, for an export that does not say it.
   */
  linkedFrom(messageId: number, paths: readonly string[]): number[] {
    const unlisted = paths.flatMap((path) => {
      const { id } = this.byPath.get(path) ?? {}
      return id === undefined || this.listed.has(id) ? [] : [id]
    })
    return [...new Set([...(this.byMessage.get(messageId) ?? []), ...unlisted])]
  }

  /** Notes which uploads no message has: they are removed after a while, as others are. */
  async finish() {
    const { change } = this
    const unclaimed = await change.run(sql<{ id: number }>`
      UPDATE attachment a SET unclaimed_since = ${change.now} WHERE realm_id = ${change.state.id} AND NOT EXISTS (
        SELECT FROM attachment_message l WHERE l.realm_id = a.realm_id AND l.attachment_id = a.id) RETURNING id`)
    const due = change.now + claimLimits.unclaimedUploadDays * 86_400
    await scheduleJobs(
      change,
      removalJob,
      unclaimed.map(({ id }) => id),
      due,
    )
  }

  private async add(
    { path_id, file_name, create_time, messages }: ZulipAttachment,
    owner_id: number,
    content: Awaited<ReturnType<FileStore['receive']>>,
  ) {
    const path = this.pathFor(path_id, file_name)
    const upload = { path, name: file_name || 'file', owner_id, created_at: create_time ?? this.change.now }
    try {
      const row = await addUpload(this.change, upload, content)
      this.paths.set(path_id, path)
      this.byPath.set(path, row)
      if (messages) this.listed.add(row.id)
      for (const id of messages ?? []) this.byMessage.set(id, [...(this.byMessage.get(id) ?? []), row.id])
    } finally {
      await content.discard()
    }
  }

  /** Returns the path of an upload below our organization: the same as in the export, if it is valid here. */
  private pathFor(pathId: string, name: string): string {
    const { id } = this.change.state
    const [, folder, random, file] =
      /^\d+\/([\w-]+)\/([\w-]{16,})\/([\p{L}\p{N}\p{M}_.-]+)$/u.exec(pathId) ?? []
    const place = `${folder}/${random}`
    if (file === undefined || /^\.+$/.test(file) || this.places.has(place)) return newPath(id, name)
    this.places.add(place)
    return `${id}/${place}/${file}`
  }
}

const uploadLink = /(https?:\/\/[^\s/()[\]<>"'`]+)?\/user_uploads\/(\d+\/[^\s()[\]<>"'`]+)/g

/** Matches the address of an organization at the beginning of a link. */
function addressForm({ host }: URL): RegExp {
  return new RegExp(`https?://${host.replaceAll(/[.[\]]/g, '\\$&')}/`, 'gi')
}
